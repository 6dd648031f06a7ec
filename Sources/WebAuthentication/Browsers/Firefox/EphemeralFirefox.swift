/// A Firefox of its own for one sign-in: a private window on a fresh profile. It knows nothing of the person's other sessions, keeps
/// nothing of this one, and closing its window is noticed.
///
/// The address bar stays visible, so that the person sees where a password goes (RFC 8252 §8.7). Nothing but the page is asked for from
/// the network as it starts. A Snap is given a profile in `~/snap/NAME/common`; a Flatpak can use none and is not taken.
///
/// Where this program is killed, the window stays open, because a person may be using it; its profile is removed by the first sign-in
/// after it was closed.
public struct EphemeralFirefox: PageOpener {
    private let program: String?
    private let extraArguments: [String]
    private let givenEnvironment: [String: String]?

    /// - Parameters:
    ///   - program: Name or path of a Firefox; the first one installed if nil.
    ///   - arguments: Further arguments for it.
    ///   - environment: Where it is looked up, and what it inherits, but for our own secrets; that of this process if nil.
    public init(program: String? = nil, arguments: [String] = [], environment: [String: String]? = nil) {
        self.program = program
        extraArguments = arguments
        givenEnvironment = environment
    }

    public var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: true, isEphemeral: true) }

    public func check() throws(WebAuthenticationError) {
        _ = try Self.find(program, in: environment)
    }

    public func open(_ url: String) async throws(WebAuthenticationError) {
        _ = try await openWindow(url)
    }

    public func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        let url = try ShownURL(url)
        let environment = environment
        return try await ProfileWindow.open(Self.find(program, in: environment), environment: environment) {
            profile throws(WebAuthenticationError) in
            try profile.write(FirefoxPreferences.signIn.text, to: "user.js")
            return ProfileWindow.Launch(
                arguments: ["--profile", profile.path, "--no-remote", "--new-instance"] + extraArguments + ["--private-window", url.text],
                environment: [
                    "TMPDIR": profile.path,
                    "MOZ_CRASHREPORTER_DISABLE": "1",
                    // Without it, releases of Firefox do not heed the preference that keeps them from fetching remote settings.
                    "MOZ_REMOTE_SETTINGS_DEVTOOLS": "1",
                ],
                shownMark: "sessionCheckpoints.json")
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
