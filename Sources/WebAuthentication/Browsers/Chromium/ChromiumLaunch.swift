import AuthHubPrimitives

/// A Chromium that is about to be started with a fresh profile containing the necessary settings.
struct ChromiumLaunch: Sendable {
    private let launch: ProfileLaunch
    private let arguments: [String]

    /// Creates the profile.
    ///
    /// - Parameters:
    ///   - arguments: Further arguments.
    ///   - environment: The variables it inherits, except our own secrets.
    ///   - page: The page from which the callbacks come.
    ///   - callbacks: The receiver of the browser's callbacks, if it delivers any.
    init(
        _ program: BrowserProgram, arguments: [String], environment: [String: String], for page: ShownURL, callbacks: CapturedCallbacks?
    ) async throws {
        self.arguments = arguments
        launch = try await ProfileLaunch(program, environment: environment, shownMark: Self.shownMark, callbacks: callbacks) { profile in
            let scheme = callbacks.flatMap { $0.address.isHTTPS ? nil : $0.address.scheme }
            try ChromiumPreferences(in: profile, allowing: scheme, for: Origin(url: page.text)).write(to: profile)
            return [
                "BREAKPAD_DUMP_LOCATION": "\(profile.path)/crashes", "CHROME_CONFIG_HOME": "\(profile.path)/config",
                "GSETTINGS_BACKEND": "memory",
            ]
        }
    }

    /// Opens the window, which is only observed from outside.
    ///
    /// - Parameter address: The URL it shows first; every user of the machine can read it.
    func start(at address: ShownURL) async throws -> ProfileWindow {
        try await launch.start(arguments: ownArguments + arguments + [address.text])
    }

    /// Opens the window, and communicates with it as the dialogue determines.
    func start(_ dialogue: DevToolsDialogue, callbacks: CapturedCallbacks?, clock: any Clock<Duration>) async throws -> DevToolsWindow {
        let pipe: DuplexPipe
        do {
            pipe = try DuplexPipe()
        } catch {
            await launch.letGo()
            throw error
        }
        let window: ProfileWindow
        do {
            defer { pipe.theirs.close() }
            // The page's own URL stays out of the argument list, and nothing is loaded before the window is observed.
            window = try await launch.start(
                arguments: ownArguments + arguments + ["--remote-debugging-pipe", "about:blank"],
                descriptors: [pipe.theirs.input, pipe.theirs.output])
        } catch {
            pipe.ours.close()
            throw error
        }
        let connection: DevToolsConnection
        do {
            connection = try await DevToolsConnection.open(pipe.ours, dialogue, callbacks: callbacks)
        } catch {
            await window.close()
            throw error
        }
        let shown = DevToolsWindow(window, connection)
        try await shown.untilShown(clock)
        return shown
    }

    private static let shownMark = "Last Version"

    private var ownArguments: [String] {
        [
            "--user-data-dir=\(launch.profile.path)", "--incognito", "--new-window", "--no-first-run", "--no-default-browser-check",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--disable-features=Translate,MediaRouter", "--password-store=basic",
        ] + (isRoot ? ["--no-sandbox"] : [])
    }
}
