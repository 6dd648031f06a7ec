/// A separate Firefox process with a new profile and a private window for one sign-in. It does not share the user's sessions, leaves
/// nothing behind, and reports when its window is closed.
///
/// The address bar stays visible, so that the user can see which site receives the password (RFC 8252 §8.7). At startup, Firefox sends no
/// requests other than those of the page. The profile of a Firefox from a Snap is stored in `~/snap/NAME/common`. Flatpaks are not
/// supported, because they cannot use another profile.
///
/// Callbacks with a custom scheme can be received, too. Nothing is registered with the system: only this browser delivers the URL, so no
/// other program can claim it (RFC 8252 §8.6). URLs for other programs, such as `mailto:`, are dropped. For a moment, the callback is in
/// the argument list of a process, which other users of the machine can read, but PKCE makes it worthless to them.
///
/// If this program is killed, the window stays open, because the user may still need it. The first sign-in after the user has closed the
/// window removes its profile.
public struct EphemeralFirefox: PageOpener {
    private let program: String?
    private let extraArguments: [String]
    private let givenEnvironment: [String: String]?
    private let clock: any Clock<Duration>

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - program: The name or path of a Firefox; if nil, the first one that is installed.
    ///   - arguments: Additional arguments.
    ///   - environment: The environment variables, which are used to find the program and are passed to it. Variables that may contain
    ///     secrets of this program are not passed. If nil, those of this process.
    ///   - clock: The clock for timeouts.
    public init(
        program: String? = nil, arguments: [String] = [], environment: [String: String]? = nil, clock: any Clock<Duration> = .continuous
    ) {
        self.program = program
        extraArguments = arguments
        givenEnvironment = environment
        self.clock = clock
    }

    /// The capabilities: loopback and custom-scheme callbacks, a private session, and detection of a closed window.
    public var capabilities: WebAuthenticationCapabilities {
        .init(callbacks: [.loopback, .customScheme], knowsCancel: true, isEphemeral: true)
    }

    /// Checks that the given program is installed, or any Firefox if none was given.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` if it is not installed.
    public func check() throws(WebAuthenticationError) {
        _ = try Self.find(program, in: environment)
    }

    /// Opens the page as ``openWindow(_:)`` does, but does not return the window.
    public func open(_ url: String) async throws(WebAuthenticationError) {
        _ = try await openWindow(url)
    }

    /// Starts a separate browser process with a new profile, and shows the page in its private window.
    public func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await show(PageToShow(openly: ShownURL(url)))
    }
}

extension EphemeralFirefox: CapturingBrowser {
    func capture(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> Capture {
        let address = try CallbackAddress(callback)
        guard !address.isHTTPS else {
            throw WebAuthenticationError(
                .cannotReceive, "Firefox cannot deliver https callbacks; use a separate Chromium window, or a loopback redirect URI")
        }
        let callbacks = CapturedCallbacks(address: address, clock: clock)
        return Capture(receiver: callbacks, opener: CapturingOpener(browser: self, callbacks: callbacks))
    }
}

extension EphemeralFirefox: ProfileBrowser {
    /// Written once the profile is ready, and before there is a window.
    private static let shownMark = "sessionCheckpoints.json"

    func findProgram() throws(WebAuthenticationError) -> BrowserProgram { try Self.find(program, in: environment) }

    func launch(
        _ program: BrowserProgram, showing page: PageToShow, bringing callbacks: CapturedCallbacks?, headerFields: [String: String]
    ) async throws -> any BrowserWindow {
        let address = try await page.address()
        let launch = try await ProfileLaunch(
            program, environment: environment, shownMark: Self.shownMark, callbacks: callbacks
        ) { profile in
            try FirefoxProfile(
                scheme: callbacks?.address.scheme, handler: SchemeInbox.program(in: profile), downloads: "\(profile.path)/downloads"
            ).write(to: profile)
            return [
                "TMPDIR": profile.path,
                "MOZ_CRASHREPORTER_DISABLE": "1",
                // Without this variable, release builds of Firefox ignore the preference that disables fetching remote settings.
                "MOZ_REMOTE_SETTINGS_DEVTOOLS": "1",
            ]
        }
        return try await launch.start(
            arguments: ["--profile", launch.profile.path, "--no-remote", "--new-instance"] + extraArguments
                + ["--private-window", address.text])
    }
}

extension EphemeralFirefox {
    private var environment: [String: String] { givenEnvironment ?? processEnvironment() }

    static func find(_ program: String? = nil, in environment: [String: String]) throws(WebAuthenticationError) -> BrowserProgram {
        try BrowserProgram.find(named: program, else: programs, kind: "Firefox", in: environment)
    }

    static var programs: [String] {
        #if canImport(Darwin)
        ["/Applications/Firefox.app/Contents/MacOS/firefox"]
        #else
        ["firefox", "firefox-esr", "firefox-developer-edition", "firefox-nightly"]
        #endif
    }
}
