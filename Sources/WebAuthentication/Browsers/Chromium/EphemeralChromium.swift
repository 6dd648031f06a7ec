import AuthHubPrimitives

/// A separate Chromium with a fresh profile for one sign-in. It does not share the user's sessions, leaves nothing behind, and reports
/// when its window is closed.
///
/// The address bar stays visible, so that the user sees where a password is sent (RFC 8252 §8.7). The profile of a Snap is in
/// `~/snap/NAME/common`; Flatpaks cannot use another profile and are not supported.
///
/// Every kind of callback can be received:
///
/// - Loopback: as with any browser.
/// - Custom scheme: nothing is registered with the system. Only this browser delivers the URL, so no other program can claim it (RFC 8252
///   §8.6). If the authorization server redirects to the URL, it is delivered without a question; if another site does, Chromium asks the
///   user first. After one such URL, the next one is only delivered once the user has interacted with the page. URLs for other programs
///   (including `mailto:`) are dropped. For a moment, the callback is in the argument list of a process, which other users of the machine
///   can read; PKCE makes it worthless to them.
/// - https: the browser is controlled over a pipe that only this process holds (Chrome DevTools Protocol). A request for the redirect URI
///   is intercepted and never reaches the network, so nothing needs to listen there. Callbacks by POST are accepted if the sign-in
///   requests a form (`response_mode=form_post`), and get an error page otherwise. Chromium may connect to the form's target in advance,
///   but sends nothing.
///
/// Sites can detect that a browser is controlled in this way (`navigator.webdriver` is true), also if additional header fields are sent.
/// Some then refuse to sign users in. AuthHub does not hide it from them; use a loopback callback for such sites.
public struct EphemeralChromium: PageOpener {
    private let program: String?
    private let extraArguments: [String]
    private let givenEnvironment: [String: String]?
    private let clock: any Clock<Duration>

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - program: The name or path of a Chromium; the first installed one if nil.
    ///   - arguments: Additional arguments.
    ///   - environment: The environment variables to find the program with and to pass to it, without our own secrets; those of this
    ///     process if nil.
    ///   - clock: The clock for the startup timeout.
    public init(
        program: String? = nil, arguments: [String] = [], environment: [String: String]? = nil, clock: any Clock<Duration> = .continuous
    ) {
        self.program = program
        extraArguments = arguments
        givenEnvironment = environment
        self.clock = clock
    }

    /// Every callback but a pin page, in a private browser that reports when its window is closed.
    public var capabilities: WebAuthenticationCapabilities {
        .init(callbacks: [.loopback, .customScheme, .https], knowsCancel: true, isEphemeral: true)
    }

    /// Checks that the given program, or any Chromium if none was given, is installed.
    public func check() throws(WebAuthenticationError) {
        _ = try Self.find(program, in: environment)
    }

    /// Opens the page as ``openWindow(_:)`` does, without a way to observe the window.
    public func open(_ url: String) async throws(WebAuthenticationError) {
        _ = try await openWindow(url)
    }

    /// Starts a separate browser with a fresh profile, and shows the page in its window.
    public func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await show(PageToShow(openly: ShownURL(url)))
    }
}

extension EphemeralChromium: CapturingBrowser {
    func capture(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> Capture {
        let callbacks = CapturedCallbacks(address: try CallbackAddress(callback), clock: clock)
        return Capture(receiver: callbacks, opener: CapturingOpener(browser: self, callbacks: callbacks))
    }
}

extension EphemeralChromium: ProfileBrowser, HeaderFieldSending {
    func findProgram() throws(WebAuthenticationError) -> BrowserProgram { try Self.find(program, in: environment) }

    func launch(
        _ program: BrowserProgram, showing page: PageToShow, bringing callbacks: CapturedCallbacks?, headerFields: [String: String]
    ) async throws -> any BrowserWindow {
        let watched = callbacks.flatMap { $0.address.isHTTPS ? $0 : nil }
        let isToldByPipe = watched != nil || !headerFields.isEmpty
        let address = isToldByPipe ? nil : try await page.address()
        let launch = try await ChromiumLaunch(
            program, arguments: extraArguments, environment: environment, for: page.url, callbacks: callbacks)
        if let address { return try await launch.start(at: address) }
        let dialogue = DevToolsDialogue(
            url: page.url.text, address: watched?.address, carrier: watched?.carrier ?? .query, headerFields: headerFields)
        return try await launch.start(dialogue, callbacks: watched, clock: clock)
    }
}

extension EphemeralChromium {
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
