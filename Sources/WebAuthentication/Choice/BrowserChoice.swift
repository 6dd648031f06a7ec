/// A browser that meets all requirements of a sign-in, and the reason why it was chosen.
///
/// If no browser meets all requirements, the initializer throws an error that says what to do. It never ignores a requirement.
///
/// | required | chosen |
/// | --- | --- |
/// | a loopback callback only | the user's default browser, or the named one |
/// | a private session, or detection of a closed window | ``EphemeralChromium``, or else ``EphemeralFirefox`` |
/// | a custom-scheme callback | ``EphemeralChromium`` or ``EphemeralFirefox``, or else the default browser if the scheme is registered |
/// | an https callback | ``EphemeralChromium`` |
public struct BrowserChoice: Sendable {
    /// A browser that can be chosen.
    package enum Browser: Sendable, Hashable {
        /// The user's default browser.
        case usual
        /// The browser that a command opens, with the user's own sessions.
        case command(String)
        /// An ``EphemeralChromium`` with the path of its program.
        case ephemeralChromium(path: String)
        /// An ``EphemeralFirefox`` with the path of its program.
        case ephemeralFirefox(path: String)
        /// No browser: the user opens the page, whose URL must be printed (`onShow` of ``BrowserAuthenticator``).
        case byHand
    }

    /// The chosen browser.
    package let browser: Browser
    /// Why the browser was chosen, as text for the user that starts in lower case and has no full stop.
    public let reason: String
    /// The opener that shows pages in this browser.
    public let opener: any PageOpener
    /// The capabilities that the program can rely on.
    package let capabilities: WebAuthenticationCapabilities

    /// Chooses a browser.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` if no browser meets the requirements or can be started; with
    ///   `.cannotReceive` if callbacks of the requested kind cannot be received. The explanation says what to do.
    public init(for requirements: BrowserRequirements = BrowserRequirements(), given facts: BrowserFacts = .here)
        throws(WebAuthenticationError)
    {
        let rules = BrowserRules(requirements: requirements, facts: facts)
        (browser, reason) = try rules.choose()
        opener = Self.opener(for: browser, environment: facts.environment)
        capabilities = rules.capabilities(of: browser, opener)
    }

    private static func opener(for browser: Browser, environment: [String: String]?) -> any PageOpener {
        switch browser {
        case .usual: SystemBrowser(environment: environment)
        case .command(let command): SystemBrowser(command: command, environment: environment)
        case .ephemeralChromium(let path): EphemeralChromium(program: path, environment: environment)
        case .ephemeralFirefox(let path): EphemeralFirefox(program: path, environment: environment)
        case .byHand: PageOpenedByHand()
        }
    }
}

/// An opener that does nothing: the user was shown the URL.
private struct PageOpenedByHand: PrivatelyOpening {
    func open(_ url: String) async throws(WebAuthenticationError) {
        _ = try ShownURL(url)
    }

    func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        nil
    }
}
