/// A separate Firefox for one sign-in: a private window with a fresh profile. It does not share the user's sessions, leaves nothing
/// behind, and reports when its window is closed.
///
/// The address bar stays visible, so that the user sees where a password is sent (RFC 8252 §8.7). At startup, Firefox only requests the
/// page from the network. The profile of a Snap is in `~/snap/NAME/common`; Flatpaks cannot use another profile and are not supported.
///
/// Callbacks of a custom scheme are received, too. Nothing is registered with the system: only this browser delivers the URL, so no other
/// program can claim it (RFC 8252 §8.6). URLs for other programs (including `mailto:`) are dropped. For a moment, the callback is in the
/// argument list of a process, which other users of the machine can read; PKCE makes it worthless to them.
///
/// If this program is killed, the window stays open, because the user may be using it. Its profile is removed by the first sign-in after
/// the window is closed.
public struct EphemeralFirefox: PageOpener {
    private let program: String?
    private let extraArguments: [String]
    private let givenEnvironment: [String: String]?
    private let clock: any Clock<Duration>

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - program: The name or path of a Firefox; the first installed one if nil.
    ///   - arguments: Additional arguments.
    ///   - environment: The environment variables to find the program with and to pass to it, without our own secrets; those of this
    ///     process if nil.
    ///   - clock: The clock for the time that a callback waits for its conclusion.
    public init(
        program: String? = nil, arguments: [String] = [], environment: [String: String]? = nil, clock: any Clock<Duration> = .continuous
    ) {
        self.program = program
        extraArguments = arguments
        givenEnvironment = environment
        self.clock = clock
    }

    /// Loopback and custom-scheme callbacks, in a private browser that reports when its window is closed.
    public var capabilities: WebAuthenticationCapabilities {
        .init(callbacks: [.loopback, .customScheme], knowsCancel: true, isEphemeral: true)
    }

    /// Checks that the given program, or any Firefox if none was given, is installed.
    public func check() throws(WebAuthenticationError) {
        _ = try Self.find(program, in: environment)
    }

    /// Opens the page as ``openWindow(_:)`` does, without a way to observe the window.
    public func open(_ url: String) async throws(WebAuthenticationError) {
        _ = try await openWindow(url)
    }

    /// Starts a separate browser with a fresh profile, and shows the page in its private window.
    public func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await show(PageToShow(openly: ShownURL(url)))
    }
}

extension EphemeralFirefox: CapturingBrowser {
    func capture(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> Capture {
        let address = try CallbackAddress(callback)
        guard !address.isHTTPS else {
            throw WebAuthenticationError(
                .cannotReceive, "Firefox cannot deliver https callbacks; use EphemeralChromium, or a loopback redirect URI")
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
                // Without it, releases of Firefox do not heed the preference that keeps them from fetching remote settings.
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
