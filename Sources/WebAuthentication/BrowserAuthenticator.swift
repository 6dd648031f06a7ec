/// An authenticator that opens the sign-in page in a browser, with a ``PageOpener``, and usually receives the callback on a loopback port
/// (RFC 8252 §7.3).
///
/// ``prepare(_:)`` binds the port before anything is shown. The port is released when the sign-in has finished.
public struct BrowserAuthenticator: WebAuthenticator {
    private let opener: any PageOpener
    private let waitsWhenNotShown: Bool
    private let waitsWhenNotPasted: Bool
    private let environment: [String: String]?
    private let clock: any Clock<Duration>
    private let pastePrompt: PastePrompt?
    private let onShow: @Sendable (String) -> Void
    private let onNotShown: @Sendable (WebAuthenticationError) -> Void
    private let onIgnored: @Sendable (String) -> Void
    private let onWait: (@Sendable () -> Void)?

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - opener: The opener that shows the page to the user.
    ///   - waitsWhenNotShown: Whether to wait for the callback even if the page could not be opened, because the user can open it manually.
    ///     If false, the sign-in fails with `.cannotShow`.
    ///   - waitsWhenNotPasted: Whether to keep waiting for the callback after `pastePrompt` has returned nil, because the callback may
    ///     still arrive. If false, the sign-in fails with `.cannotReceive`.
    ///   - environment: The environment variables that determine where handlers of custom schemes are registered; if nil, those of this
    ///     process.
    ///   - clock: The clock for timeouts.
    ///   - onShow: Called with the URL of the page before the page is opened, so that a tool can print the URL. It works in any browser,
    ///     even on another machine; hide it from other users until the sign-in has finished.
    ///   - onNotShown: Called with the `.cannotShow` error when the browser could not be started or has failed, if `waitsWhenNotShown`
    ///     keeps the error from ending the sign-in. The user then has to open the URL that was passed to `onShow`.
    ///   - onIgnored: Called with a description of callbacks and requests that were ignored: immediately for the first of each kind, and
    ///     once more if there were others when the sign-in succeeded or the program cancelled it. If the sign-in fails in another way, the
    ///     error contains the description.
    ///   - onWait: Called once, after a minute of waiting, so that a tool can tell the user what to do. Not called if the opener detects
    ///     that the user has closed the page.
    ///   - pastePrompt: Asks the user to paste the callback while the sign-in waits for it; if nil, the user is never asked.
    public init(
        opener: any PageOpener,
        waitsWhenNotShown: Bool = false,
        waitsWhenNotPasted: Bool = true,
        environment: [String: String]? = nil,
        clock: any Clock<Duration> = .continuous,
        onShow: @escaping @Sendable (String) -> Void = { _ in },
        onNotShown: @escaping @Sendable (WebAuthenticationError) -> Void = { _ in },
        onIgnored: @escaping @Sendable (String) -> Void = { _ in },
        onWait: (@Sendable () -> Void)? = nil,
        pastePrompt: PastePrompt? = nil
    ) {
        self.onIgnored = onIgnored
        self.onWait = onWait
        self.opener = opener
        self.environment = environment
        self.waitsWhenNotShown = waitsWhenNotShown
        self.waitsWhenNotPasted = waitsWhenNotPasted
        self.clock = clock
        self.pastePrompt = pastePrompt
        self.onShow = onShow
        self.onNotShown = onNotShown
    }

    /// The capabilities of the opener. If there is a paste prompt, they include pin pages.
    public var capabilities: WebAuthenticationCapabilities {
        var capabilities = opener.capabilities
        if pastePrompt != nil { capabilities.callbacks.insert(.pinPage) }
        return capabilities
    }

    /// Checks that the opener can open pages, and prepares to receive the callback: a loopback callback binds the port.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` if no page can be opened, unless `waitsWhenNotShown` is true; with
    ///   `.cannotReceive` if the port is not available, no handler of this program is registered for the scheme, or the browser cannot
    ///   receive this kind of callback.
    public func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        do {
            try opener.check()
        } catch  where waitsWhenNotShown {
            // The user can open the page; showing it fails for the same reason, and is reported then.
        }
        let capture = try await capture(callback)
        return BrowserAttempt(
            receiver: capture.receiver, opener: capture.opener, waitsWhenNotShown: waitsWhenNotShown,
            waitsWhenNotPasted: waitsWhenNotPasted, clock: clock, pastePrompt: pastePrompt, onShow: onShow, onNotShown: onNotShown,
            onIgnored: onIgnored, onWait: onWait)
    }

    private func capture(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> Capture {
        switch callback {
        case .pinPage(let address):
            return Capture(receiver: PinPage(redirectURI: address), opener: opener)
        case .loopback(let port, let path):
            return Capture(receiver: try await LoopbackListener.bind(port: port, path: path, clock: clock), opener: opener)
        case .customScheme(let scheme, _):
            if let browser = opener as? any CapturingBrowser { return try await browser.capture(callback) }
            try checkHandler(of: scheme)
            return Capture(
                receiver: try await CallbackMailbox.open(
                    for: callback, in: CallbackFolder(environment: environment ?? processEnvironment()), clock: clock),
                opener: opener)
        case .https:
            guard let browser = opener as? any CapturingBrowser else {
                throw WebAuthenticationError(
                    .cannotReceive,
                    "an https callback needs a separate Chromium window; use one, or a loopback redirect URI"
                )
            }
            return try await browser.capture(callback)
        }
    }

    private func checkHandler(of scheme: String) throws(WebAuthenticationError) {
        let handler = try CustomSchemeHandler(scheme: scheme, environment: environment)
        let problem: String
        switch try handler.status() {
        case .registered: return
        case .notRegistered: problem = "no program is registered for the scheme"
        case .claimed(let other): problem = "another program is registered for the scheme (\(other))"
        case .programMissing(let program): problem = "the program that is registered for the scheme no longer exists (\(program))"
        }
        throw WebAuthenticationError(
            .cannotReceive,
            "this program does not handle the scheme \(scheme): \(problem); register the scheme, or use a separate Chromium window")
    }
}

extension WebAuthenticator where Self == BrowserAuthenticator {
    /// The user's default browser; see ``SystemBrowser``.
    public static var system: Self { .system() }

    /// The user's default browser, or a private browser.
    ///
    /// - Parameters:
    ///   - ephemeral: Whether to use a private browser instead of the default browser. If none is installed, ``prepare(_:)`` fails with
    ///     `.cannotShow`.
    ///   - command: The command that opens a page; for a private browser, the name or path of Chromium. If nil, the default of the opener.
    ///   - waitsWhenNotShown: Whether to wait for the callback even if the page could not be opened.
    ///   - onShow: Called with the URL of the page before the page is opened.
    ///   - pastePrompt: Asks the user to paste the callback while the sign-in waits for it; if nil, the user is never asked.
    public static func system(
        ephemeral: Bool = false,
        command: String? = nil,
        waitsWhenNotShown: Bool = false,
        onShow: @escaping @Sendable (String) -> Void = { _ in },
        pastePrompt: PastePrompt? = nil
    ) -> Self {
        let opener: any PageOpener =
            switch (ephemeral, command) {
            case (false, let command): SystemBrowser(command: command)
            case (true, let command?): EphemeralChromium(program: command)
            case (true, nil): ephemeralBrowser
            }
        return Self(opener: opener, waitsWhenNotShown: waitsWhenNotShown, onShow: onShow, pastePrompt: pastePrompt)
    }

    private static var ephemeralBrowser: any PageOpener {
        do throws(WebAuthenticationError) {
            return try BrowserChoice(for: BrowserRequirements(ephemeral: true)).opener
        } catch {
            return MissingBrowser(error: error)
        }
    }
}

/// A placeholder if no suitable ephemeral browser is available; it reports that when it is used.
private struct MissingBrowser: PageOpener {
    let error: WebAuthenticationError

    var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: true, isEphemeral: true) }

    func check() throws(WebAuthenticationError) { throw error }

    func open(_ url: String) async throws(WebAuthenticationError) { throw error }
}
