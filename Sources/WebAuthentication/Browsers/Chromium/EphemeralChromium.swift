import AuthHubPrimitives

/// A separate Chromium process with a new profile for one sign-in. It does not share the user's sessions, leaves nothing behind, and
/// reports when its window is closed.
///
/// The address bar stays visible, so that the user can see which site receives the password (RFC 8252 §8.7). The profile of a Chromium from
/// a Snap is stored in `~/snap/NAME/common`. Flatpaks are not supported, because they cannot use another profile.
///
/// The browser can receive every kind of callback:
///
/// - Loopback: as with any browser.
/// - Custom scheme: nothing is registered with the system. Only this browser delivers the URL, so no other program can claim it (RFC 8252
///   §8.6). If the authorization server redirects to the URL, Chromium delivers it without asking the user; if another site does, Chromium
///   asks first. Once a URL has been delivered, Chromium only delivers another one after the user has interacted with the page. URLs for
///   other programs, such as `mailto:`, are dropped. For a moment, the callback is in the argument list of a process, which other users of
///   the machine can read, but PKCE makes it worthless to them.
/// - https: the browser is controlled over a pipe to which only this process has access (Chrome DevTools Protocol). A request for the
///   redirect URI is intercepted and never reaches the network, so no server has to exist there. A callback by POST is accepted if the
///   sign-in requested a form (`response_mode=form_post`); otherwise, the browser shows an error page. Chromium may connect to the target
///   of the form in advance, but sends no data.
///
/// If a sign-in uses an https callback or additional header fields, sites can detect that the browser is controlled (`navigator.webdriver`
/// is true). Some sites then do not let the user sign in. AuthHub does not hide this; use a loopback callback for such sites.
public struct EphemeralChromium: PageOpener {
    private let program: String?
    private let extraArguments: [String]
    private let givenEnvironment: [String: String]?
    private let clock: any Clock<Duration>

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - program: The name or path of a Chromium; if nil, the first one that is installed.
    ///   - arguments: Additional arguments.
    ///   - environment: The environment variables, which are used to find the program and are passed to it. Variables that may contain
    ///     secrets of this program are not passed. If nil, those of this process.
    ///   - clock: The clock for the startup timeout.
    public init(
        program: String? = nil, arguments: [String] = [], environment: [String: String]? = nil, clock: any Clock<Duration> = .continuous
    ) {
        self.program = program
        extraArguments = arguments
        givenEnvironment = environment
        self.clock = clock
    }

    /// The capabilities: every kind of callback except a pin page, a private session, and detection of a closed window.
    public var capabilities: WebAuthenticationCapabilities {
        .init(callbacks: [.loopback, .customScheme, .https], knowsCancel: true, isEphemeral: true)
    }

    /// Checks that the given program is installed, or any Chromium if none was given.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` if it is not installed.
    public func check() throws(WebAuthenticationError) {
        _ = try Self.find(program, in: environment)
    }

    /// Opens the page as ``openWindow(_:)`` does, but does not return the window.
    public func open(_ url: String) async throws(WebAuthenticationError) {
        _ = try await openWindow(url)
    }

    /// Starts a separate browser process with a new profile, and shows the page in its window.
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
            url: page.url.text, address: watched?.address, responseMode: watched?.responseMode ?? .query, headerFields: headerFields)
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
