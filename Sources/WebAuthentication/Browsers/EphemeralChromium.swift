/// A Chromium of its own for one sign-in, on a fresh profile: it knows nothing of the person's other sessions, keeps nothing of this
/// one, and closing its window is noticed.
///
/// The address bar stays visible, so that the person sees where a password goes (RFC 8252 §8.7). Builds that may not use the run-time
/// or temporary folder (Snap, Flatpak) cannot be used.
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
        _ = try path(in: environment)
    }

    public func open(_ url: String) async throws(WebAuthenticationError) {
        _ = try await openWindow(url)
    }

    public func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        let url = try ShownURL(url)
        let environment = environment
        let path = try path(in: environment)
        do {
            let profile = try TemporaryProfile(environment: environment)
            do {
                let process = try BrowserProcess(
                    path: path, arguments: [path] + arguments(profile) + extraArguments + [url.text],
                    environment: environment.withoutOurSecrets.merging(profile.environment) { $1 }, endsGroup: true)
                profile.belongs(to: process.processID)
                return ChromiumWindow(name: BrowserCommand(words: [path]).name, process: process, profile: profile)
            } catch {
                profile.remove()
                throw error
            }
        } catch {
            throw WebAuthenticationError(.cannotShow, "\(path) could not be started: \(error)", underlying: error)
        }
    }

    private var environment: [String: String] { givenEnvironment ?? processEnvironment() }

    private func path(in environment: [String: String]) throws(WebAuthenticationError) -> String {
        for name in program.map({ [$0] }) ?? Self.programs {
            if let path = environment.findProgram(name) { return path }
        }
        throw WebAuthenticationError(
            .cannotShow,
            program.map { "\($0) is not installed; name another Chromium, or sign in with the usual browser" }
                ?? "a sign-in that keeps nothing needs Chromium or Chrome, and none is installed; install chromium, or sign in with the usual browser"
        )
    }

    private func arguments(_ profile: TemporaryProfile) -> [String] {
        [
            "--user-data-dir=\(profile.path)", "--incognito", "--new-window", "--no-first-run", "--no-default-browser-check",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--disable-features=Translate,MediaRouter", "--password-store=basic",
        ] + (isRoot ? ["--no-sandbox"] : [])
    }

    private static var programs: [String] {
        #if canImport(Darwin)
        ["Chromium", "Google Chrome"].map { "/Applications/\($0).app/Contents/MacOS/\($0)" }
        #else
        ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        #endif
    }
}

/// The window of one ``EphemeralChromium``; its profile goes when its process has ended, whoever ended it.
private final class ChromiumWindow: BrowserWindow {
    private let name: String
    private let process: BrowserProcess
    private let cleanUp: Task<BrowserProcess.Exit, Never>

    init(name: String, process: BrowserProcess, profile: TemporaryProfile) {
        self.name = name
        self.process = process
        cleanUp = Task {
            let exit = await process.exit
            profile.remove()
            return exit
        }
    }

    func closed() async -> WebAuthenticationError {
        switch await cleanUp.value {
        case .status(0), .unknown: WebAuthenticationError(.cancelledByPerson, "the window was closed")
        case .status(let status): WebAuthenticationError(.cannotShow, "\(name) ended with status \(status)")
        case .signal(let signal): WebAuthenticationError(.cannotShow, "\(name) was ended by signal \(signal)")
        }
    }

    func close() async {
        process.terminate()
        let force = Task { [process] in
            if (try? await Task.sleep(for: .seconds(3))) != nil { process.kill() }
        }
        _ = await cleanUp.value
        force.cancel()
    }
}
