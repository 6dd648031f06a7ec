import AuthHubPrimitives

/// A Chromium of its own for one sign-in, on a fresh profile: it knows nothing of the person's other sessions, keeps nothing of this
/// one, and closing its window is noticed.
///
/// The address bar stays visible, so that the person sees where a password goes (RFC 8252 §8.7). A Snap is given a profile in
/// `~/snap/NAME/common`; a Flatpak can use none and is not taken.
///
/// Every kind of callback can be received:
///
/// - loopback: as with any browser;
/// - custom scheme: nothing is registered with the system, only this one browser delivers the URL, so that no other program can claim it
///   (RFC 8252 §8.6). It does so unasked where the authorization server leads there; where another site does, Chromium asks the person
///   first. After one such URL the next is delivered only once the person has touched the page. URLs for other programs (`mailto:` too)
///   are dropped. For a moment the callback stands in the argument list of a process, which other users of the machine can read: PKCE
///   makes it worthless to them;
/// - https: the browser is watched over a pipe that only this process holds (Chrome DevTools Protocol), and a request for the redirect
///   URI is answered here; it never reaches the network, and nothing needs to listen there. Callbacks by POST are taken
///   where the sign-in asks for a form (`response_mode=form_post`), and answered with an error page else; where a form leads, Chromium may
///   connect in advance, and sends nothing.
///
/// Sites can see that a browser is watched in this way (`navigator.webdriver` is true), also where additional header fields are sent;
/// some refuse to sign people in then. This is not hidden from them: use a loopback callback there.
public struct EphemeralChromium: PageOpener {
    private let program: String?
    private let extraArguments: [String]
    private let givenEnvironment: [String: String]?
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - program: Name or path of a Chromium; the first one installed if nil.
    ///   - arguments: Further arguments for it.
    ///   - environment: Where it is looked up, and what it inherits, but for our own secrets; that of this process if nil.
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
