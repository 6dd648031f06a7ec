/// Which browser shows a sign-in, and why: the one that keeps every promise asked for, or an error that says what to do.
///
/// Nothing is left out in silence: where no browser here keeps what was asked for, there is no choice.
///
/// | wanted | chosen |
/// | --- | --- |
/// | a loopback callback, nothing else | the person's usual browser, or the one named |
/// | nothing kept, or a closed window noticed | ``EphemeralChromium``, else ``EphemeralFirefox`` |
/// | a callback of a custom scheme | the same, else the usual browser where the scheme is registered |
/// | an https callback | ``EphemeralChromium`` |
public struct BrowserChoice: Sendable {
    public enum Browser: Sendable, Hashable {
        /// The person's usual browser.
        case usual
        /// The one a command opens, with the person's own sessions in it.
        case command(String)
        /// An ``EphemeralChromium``, by the path of its program.
        case ephemeralChromium(path: String)
        /// An ``EphemeralFirefox``, by the path of its program.
        case ephemeralFirefox(path: String)
        /// None: the person opens the page, which has to be printed for them (`onShow` of ``BrowserAuthenticator``).
        case byHand
    }

    public let browser: Browser
    /// Why, as a sentence for a person, without capital and full stop.
    public let reason: String
    /// Opens the page.
    public let opener: any PageOpener
    /// What the program may rely on.
    public let capabilities: WebAuthenticationCapabilities

    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` where no browser keeps the promises or none can be started, and with
    ///   `.cannotReceive` where callbacks of the wanted kind do not come back; the explanation says what to do.
    public init(for wish: BrowserWish = BrowserWish(), given facts: BrowserFacts = .here) throws(WebAuthenticationError) {
        let rules = BrowserRules(wish: wish, facts: facts)
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

/// Opens nothing: the person was given the address.
private struct PageOpenedByHand: PrivatelyOpening {
    func open(_ url: String) async throws(WebAuthenticationError) {
        _ = try ShownURL(url)
    }

    func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        nil
    }
}
