/// A Chromium of its own for one sign-in, on a fresh profile: it knows nothing of the person's other sessions, keeps nothing of this
/// one, and closing its window is noticed.
///
/// The address bar stays visible, so that the person sees where a password goes (RFC 8252 §8.7). A Snap is given a profile in
/// `~/snap/NAME/common`; a Flatpak can use none and is not taken.
public struct EphemeralChromium: PageOpener {
    private let program: String?
    private let extraArguments: [String]
    private let givenEnvironment: [String: String]?

    /// - Parameters:
    ///   - program: Name or path of a Chromium; the first one installed if nil.
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
        return try await ProfileWindow.open(Self.find(program, in: environment), environment: environment) { profile in
            ProfileWindow.Launch(
                arguments: arguments(profile) + extraArguments + [url.text], environment: Self.variables(profile),
                shownMark: "Last Version")
        }
    }

    private var environment: [String: String] { givenEnvironment ?? processEnvironment() }

    static func find(_ program: String? = nil, in environment: [String: String]) throws(WebAuthenticationError) -> BrowserProgram {
        try BrowserProgram.find(named: program, else: programs, kind: "Chromium", in: environment)
    }

    private func arguments(_ profile: TemporaryProfile) -> [String] {
        [
            "--user-data-dir=\(profile.path)", "--incognito", "--new-window", "--no-first-run", "--no-default-browser-check",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--disable-features=Translate,MediaRouter", "--password-store=basic",
        ] + (isRoot ? ["--no-sandbox"] : [])
    }

    /// Keeps it from writing elsewhere.
    private static func variables(_ profile: TemporaryProfile) -> [String: String] {
        [
            "BREAKPAD_DUMP_LOCATION": "\(profile.path)/crashes", "CHROME_CONFIG_HOME": "\(profile.path)/config",
            "GSETTINGS_BACKEND": "memory",
        ]
    }

    static var programs: [String] {
        #if canImport(Darwin)
        ["Chromium", "Google Chrome"].map { "/Applications/\($0).app/Contents/MacOS/\($0)" }
        #else
        ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        #endif
    }
}
