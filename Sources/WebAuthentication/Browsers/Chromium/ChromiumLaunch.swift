import AuthHubPrimitives

/// A Chromium about to be started on a fresh profile that holds what it needs.
struct ChromiumLaunch: Sendable {
    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    private let url: ShownURL
    private let profile: TemporaryProfile
    private let inbox: SchemeInbox?

    /// Makes the profile.
    ///
    /// - Parameters:
    ///   - arguments: Further arguments.
    ///   - environment: What it inherits, but for our own secrets.
    ///   - callbacks: Where the browser's callbacks are handed in, if it brings any.
    init(
        path: String, arguments: [String], environment: [String: String], opening url: ShownURL, callbacks: CapturedCallbacks?
    ) async throws {
        let profile = try TemporaryProfile(environment: environment)
        var own = profile.environment
        do {
            if let callbacks, !callbacks.address.isHTTPS, let origin = Origin(url: url.text) {
                try ChromiumPreferences(allowing: callbacks.address.scheme, for: origin).write(to: profile)
                inbox = try await SchemeInbox.open(in: profile, scheme: callbacks.address.scheme) { url in
                    guard let callback = callbacks.address.callback(in: url) else { return }
                    callbacks.arrived(callback, from: ExternalProgram())
                }
                own.merge(SchemeInbox.environment(profile, inheriting: environment)) { $1 }
            } else {
                inbox = nil
            }
        } catch {
            profile.remove()
            throw error
        }
        self.path = path
        self.arguments = arguments
        self.environment = environment.withoutOurSecrets.merging(own) { $1 }
        self.url = url
        self.profile = profile
    }

    /// Opens the window, which is followed from outside only.
    func start(name: String) async throws -> ChromiumWindow {
        try await letGoOnFailure { try run(name: name, [url.text]) }
    }

    /// Opens the window, and says and hears in it what the dialogue says.
    func start(
        name: String, _ dialogue: DevToolsDialogue, callbacks: CapturedCallbacks?, clock: any Clock<Duration>
    ) async throws -> DevToolsWindow {
        let (pipe, window) = try await letGoOnFailure {
            let pipe = try DuplexPipe()
            defer { pipe.theirs.close() }
            do {
                // The page's own address stays out of the argument list, and nothing is loaded before it is watched.
                return (
                    pipe,
                    try run(
                        name: name, ["--remote-debugging-pipe", "about:blank"], descriptors: [pipe.theirs.input, pipe.theirs.output])
                )
            } catch {
                pipe.ours.close()
                throw error
            }
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

    private func run(name: String, _ last: [String], descriptors: [Int32] = []) throws -> ChromiumWindow {
        let process = try BrowserProcess(
            path: path, arguments: [path] + ownArguments + arguments + last, environment: environment, endsGroup: true,
            descriptors: descriptors)
        profile.belongs(to: process.processID)
        return ChromiumWindow(name: name, process: process, profile: profile, inbox: inbox)
    }

    private func letGoOnFailure<Result>(_ body: () throws -> Result) async throws -> Result {
        do {
            return try body()
        } catch {
            await inbox?.close()
            profile.remove()
            throw error
        }
    }

    private var ownArguments: [String] {
        [
            "--user-data-dir=\(profile.path)", "--incognito", "--new-window", "--no-first-run", "--no-default-browser-check",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--disable-features=Translate,MediaRouter", "--password-store=basic",
        ] + (isRoot ? ["--no-sandbox"] : [])
    }

    /// Brings a callback and has no page to show how it ended: the window that led to it still shows what it showed before.
    private struct ExternalProgram: CallbackBearer {
        func answer(_ page: ResultPage) {}
    }
}
