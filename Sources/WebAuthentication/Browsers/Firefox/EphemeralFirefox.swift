/// A separate Firefox process for one sign-in: a private window with a fresh profile. It has no access to the user's other sessions, stores
/// nothing of this one, and detects when its window is closed.
///
/// The address bar stays visible, so that the user sees where they enter a password (RFC 8252 §8.7). When it starts, it requests nothing
/// but the page from the network. A Snap gets a profile in `~/snap/NAME/common`; a Flatpak cannot use a profile and is not chosen.
///
/// Callbacks of a custom scheme can be received too: nothing is registered with the system, and only this browser delivers the URL, so that
/// no other program can claim it (RFC 8252 §8.6). URLs for other programs (even `mailto:`) are dropped. For a moment, the callback is in
/// the argument list of a process, which other users of the machine can read: PKCE makes it useless to them.
///
/// If this program is killed, the window stays open, because the user may be using it; its profile is removed by the first sign-in after it
/// was closed.
public struct EphemeralFirefox: PageOpener {
    private let program: String?
    private let extraArguments: [String]
    private let givenEnvironment: [String: String]?
    private let clock: any Clock<Duration>

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - program: The name or path of a Firefox; the first one installed if nil.
    ///   - arguments: Further arguments for it.
    ///   - environment: Where to look for it, and the variables it inherits, except our own secrets; that of this process if nil.
    ///   - clock: Measures how long a callback waits for its conclusion.
    public init(
        program: String? = nil, arguments: [String] = [], environment: [String: String]? = nil, clock: any Clock<Duration> = .continuous
    ) {
        self.program = program
        extraArguments = arguments
        givenEnvironment = environment
        self.clock = clock
    }

    public var capabilities: WebAuthenticationCapabilities {
        .init(callbacks: [.loopback, .customScheme], knowsCancel: true, isEphemeral: true)
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

extension EphemeralFirefox: PrivatelyOpening {
    func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await show(page)
    }
}

extension EphemeralFirefox: CapturingBrowser {
    func capture(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> Capture {
        let address = try CallbackAddress(callback)
        guard !address.isHTTPS else {
            throw WebAuthenticationError(
                .cannotReceive, "Firefox brings no https callbacks; use EphemeralChromium, or a loopback redirect URI")
        }
        let callbacks = CapturedCallbacks(address: address, clock: clock)
        return Capture(receiver: callbacks, opener: CapturingOpener(firefox: self, callbacks: callbacks))
    }

    /// An opener for the single window that delivers the callbacks.
    private struct CapturingOpener: PrivatelyOpening {
        let firefox: EphemeralFirefox
        let callbacks: CapturedCallbacks

        var capabilities: WebAuthenticationCapabilities { firefox.capabilities }

        func open(_ url: String) async throws(WebAuthenticationError) {
            _ = try await openWindow(url)
        }

        func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
            try await firefox.show(PageToShow(openly: ShownURL(url)), bringing: callbacks)
        }

        func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
            try await firefox.show(page, bringing: callbacks)
        }
    }
}

extension EphemeralFirefox {
    /// Written after the profile is ready, and before there is a window.
    private static let shownMark = "sessionCheckpoints.json"

    private func show(
        _ page: PageToShow, bringing callbacks: CapturedCallbacks? = nil
    ) async throws(WebAuthenticationError) -> any BrowserWindow {
        let environment = environment
        let program = try Self.find(program, in: environment)
        let address = try await page.address()
        do {
            let launch = try await ProfileLaunch(
                program, environment: environment, shownMark: Self.shownMark, callbacks: callbacks
            ) { profile in
                try FirefoxProfile(
                    scheme: callbacks?.address.scheme, handler: SchemeInbox.program(in: profile), downloads: "\(profile.path)/downloads"
                ).write(to: profile)
                return [
                    "TMPDIR": profile.path,
                    "MOZ_CRASHREPORTER_DISABLE": "1",
                    // Without it, release builds of Firefox ignore the preference that keeps them from fetching remote settings.
                    "MOZ_REMOTE_SETTINGS_DEVTOOLS": "1",
                ]
            }
            return try await launch.start(
                arguments: ["--profile", launch.profile.path, "--no-remote", "--new-instance"] + extraArguments
                    + ["--private-window", address.text])
        } catch let error as WebAuthenticationError {
            throw error
        } catch {
            throw WebAuthenticationError(.cannotShow, "\(program.path) could not be started: \(error)", underlying: error)
        }
    }

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
