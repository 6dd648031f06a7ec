/// An authenticator with a browser and a loopback listener: a ``PageOpener`` opens the page, and the callback arrives at 127.0.0.1.
///
/// RFC 8252 §7.3. ``prepare(_:)`` binds the port before anything is shown. The port is released when the sign-in has finished.
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
    ///   - opener: Shows the page to the user.
    ///   - waitsWhenNotShown: Whether to wait for the callback even if the page could not be opened, because the user can open it by hand;
    ///     otherwise the sign-in fails with `.cannotShow`.
    ///   - waitsWhenNotPasted: Whether to keep waiting for the callback after `pastePrompt` returned nil, because it may still arrive;
    ///     otherwise the sign-in fails with `.cannotReceive`.
    ///   - environment: The environment variables that say where handlers of custom schemes are registered; those of this process if nil.
    ///   - clock: The clock for timeouts.
    ///   - onShow: Called with the URL before it is opened, so that a tool can print it. It is the page's own URL, which works even in a
    ///     browser on another machine; hide it from other users until the sign-in has finished.
    ///   - onNotShown: With `waitsWhenNotShown`, called as soon as the browser could not be started or has failed, with the `.cannotShow`
    ///     that would otherwise end the sign-in. The user must then open the page of `onShow`.
    ///   - onIgnored: Called with what arrived but was not accepted, as an error describes it: immediately for the first
    ///     of each kind, and at the end of a sign-in that succeeded or was cancelled by the program if there was more, because no error
    ///     reports it then.
    ///   - onWait: Called once, after a minute of waiting, if the opener cannot detect that the user has closed the page, so that a tool
    ///     can say what to do.
    ///   - pastePrompt: Asks the user for the callback while the sign-in waits for it; nil never asks.
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

    /// The capabilities of the opener; if there is a paste prompt, callbacks can also be pasted from a pin page.
    public var capabilities: WebAuthenticationCapabilities {
        var capabilities = opener.capabilities
        if pastePrompt != nil { capabilities.callbacks.insert(.pinPage) }
        return capabilities
    }

    /// Checks that the opener can open pages, then prepares to receive the callback: for a loopback callback, this binds the port.
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
                    "an https callback only works in a browser that is started for the sign-in; use EphemeralChromium, or another callback"
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
            "this program does not handle the scheme \(scheme): \(problem); register a CustomSchemeHandler, or use EphemeralChromium")
    }
}

extension WebAuthenticator where Self == BrowserAuthenticator {
    /// The user's default browser, found as ``SystemBrowser`` describes.
    public static var system: Self { .system() }

    /// The user's default browser, or a private one.
    ///
    /// - Parameters:
    ///   - ephemeral: Whether to use a private browser instead, if one is installed; ``prepare(_:)`` fails with `.cannotShow` if
    ///     there is none.
    ///   - command: The command that opens a page, or the Chromium to use; the opener's default if nil.
    ///   - waitsWhenNotShown: Whether to wait even if the page could not be opened.
    ///   - onShow: Called with the URL before it is opened.
    ///   - pastePrompt: Asks the user for the callback while the sign-in waits for it; nil never asks.
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
            return try BrowserChoice(for: BrowserWish(ephemeral: true)).opener
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
