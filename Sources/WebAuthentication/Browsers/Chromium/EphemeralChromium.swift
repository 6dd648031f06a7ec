import AuthHubPrimitives

/// A separate Chromium process for one sign-in, with a fresh profile: it has no access to the user's other sessions, stores nothing of this
/// one, and detects when its window is closed.
///
/// The address bar stays visible, so that the user sees where they enter a password (RFC 8252 §8.7). A Snap gets a profile in
/// `~/snap/NAME/common`; a Flatpak cannot use a profile and is not chosen.
///
/// Every kind of callback can be received:
///
/// - loopback: as with any browser;
/// - custom scheme: nothing is registered with the system, and only this browser delivers the URL, so that no other program can claim it
///   (RFC 8252 §8.6). It does so without asking if the authorization server redirects there; if another site does, Chromium asks the user
///   first. After one such URL, the next is delivered only after the user has interacted with the page. URLs for other programs (even
///   `mailto:`) are dropped. For a moment, the callback is in the argument list of a process, which other users of the machine can read:
///   PKCE makes it useless to them;
/// - https: the browser is controlled over a pipe that only this process has (Chrome DevTools Protocol), and a request to the redirect URI
///   is answered here; it never reaches the network, and no server needs to listen there. Callbacks by POST are accepted if the sign-in
///   requests a form (`response_mode=form_post`), and otherwise answered with an error page; Chromium may connect to the target of a form
///   in advance, without sending anything.
///
/// Sites can detect that a browser is controlled in this way (`navigator.webdriver` is true), which also applies if additional header
/// fields are sent; some then reject sign-ins. This is not hidden from them: use a loopback callback for such sites.
public struct EphemeralChromium: PageOpener {
    private let program: String?
    private let extraArguments: [String]
    private let givenEnvironment: [String: String]?
    private let clock: any Clock<Duration>

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - program: The name or path of a Chromium; the first one installed if nil.
    ///   - arguments: Further arguments for it.
    ///   - environment: Where to look for it, and the variables it inherits, except our own secrets; that of this process if nil.
    ///   - clock: Measures how long it may take to start.
    public init(
        program: String? = nil, arguments: [String] = [], environment: [String: String]? = nil, clock: any Clock<Duration> = .continuous
    ) {
        self.program = program
        extraArguments = arguments
        givenEnvironment = environment
        self.clock = clock
    }

    public var capabilities: WebAuthenticationCapabilities {
        .init(callbacks: [.loopback, .customScheme, .https], knowsCancel: true, isEphemeral: true)
    }

    public func check() throws(WebAuthenticationError) {
        _ = try Self.find(program, in: environment)
    }

    public func open(_ url: String) async throws(WebAuthenticationError) {
        _ = try await openWindow(url)
    }

    public func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await show(PageToShow(openly: ShownURL(url)))
    }
}

extension EphemeralChromium: PrivatelyOpening, HeaderFieldSending {
    func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await show(page)
    }

    func openWindow(_ page: PageToShow, headerFields: [String: String]) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await show(page, headerFields: headerFields)
    }
}

extension EphemeralChromium: CapturingBrowser {
    func capture(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> Capture {
        let callbacks = CapturedCallbacks(address: try CallbackAddress(callback), clock: clock)
        return Capture(receiver: callbacks, opener: CapturingOpener(chromium: self, callbacks: callbacks))
    }

    /// An opener for the single window that delivers the callbacks.
    private struct CapturingOpener: PrivatelyOpening, HeaderFieldSending {
        let chromium: EphemeralChromium
        let callbacks: CapturedCallbacks

        var capabilities: WebAuthenticationCapabilities { chromium.capabilities }

        func open(_ url: String) async throws(WebAuthenticationError) {
            _ = try await openWindow(url)
        }

        func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
            try await chromium.show(PageToShow(openly: ShownURL(url)), bringing: callbacks)
        }

        func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
            try await chromium.show(page, bringing: callbacks)
        }

        func openWindow(_ page: PageToShow, headerFields: [String: String]) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
            try await chromium.show(page, headerFields: headerFields, bringing: callbacks)
        }
    }
}

extension EphemeralChromium {
    private func show(
        _ page: PageToShow, headerFields: [String: String] = [:], bringing callbacks: CapturedCallbacks? = nil
    ) async throws(WebAuthenticationError) -> any BrowserWindow {
        let environment = environment
        let program = try Self.find(program, in: environment)
        let watched = callbacks.flatMap { $0.address.isHTTPS ? $0 : nil }
        let isToldByPipe = watched != nil || !headerFields.isEmpty
        let address = isToldByPipe ? nil : try await page.address()
        do {
            let launch = try await ChromiumLaunch(
                program, arguments: extraArguments, environment: environment, for: page.url, callbacks: callbacks)
            if let address { return try await launch.start(at: address) }
            let dialogue = DevToolsDialogue(
                url: page.url.text, address: watched?.address, carrier: watched?.carrier ?? .query, headerFields: headerFields)
            return try await launch.start(dialogue, callbacks: watched, clock: clock)
        } catch let error as WebAuthenticationError {
            throw error
        } catch {
            throw WebAuthenticationError(.cannotShow, "\(program.path) could not be started: \(error)", underlying: error)
        }
    }

    private var environment: [String: String] { givenEnvironment ?? processEnvironment() }

    static func find(_ program: String? = nil, in environment: [String: String]) throws(WebAuthenticationError) -> BrowserProgram {
        try BrowserProgram.find(named: program, else: programs, kind: "Chromium", in: environment)
    }

    static var programs: [String] {
        #if canImport(Darwin)
        ["Chromium", "Google Chrome"].map { "/Applications/\($0).app/Contents/MacOS/\($0)" }
        #else
        ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        #endif
    }
}
