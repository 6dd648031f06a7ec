/// The window of a browser on a profile of its own; the profile goes when the process has ended, whoever ended it.
final class ProfileWindow: BrowserWindow {
    private let name: String
    private let process: BrowserProcess
    private let start = ContinuousClock.now
    private let cleanUp: Task<Void, Never>

    /// A browser that fails within this time is taken not to have shown its page.
    static let startTime = Duration.seconds(5)
    /// How long a browser may take to end when it is asked to.
    static let endTime = Duration.seconds(3)

    init(name: String, process: BrowserProcess, profile: TemporaryProfile) {
        self.name = name
        self.process = process
        cleanUp = Task {
            _ = await process.exit
            await profile.remove()
        }
    }

    func closed() async -> WebAuthenticationError {
        let exit = await process.exit
        return Self.meaning(of: exit, after: start.duration(to: .now), of: name)
    }

    func close() async {
        process.terminate()
        let force = Task { [process] in
            if (try? await Task.sleep(for: Self.endTime)) != nil { process.kill() }
        }
        await cleanUp.value
        force.cancel()
    }

    /// What the end of a browser's process tells: a closed window ends it well, and everything else is a failure.
    static func meaning(of exit: BrowserProcess.Exit, after time: Duration, of name: String) -> WebAuthenticationError {
        let ending: String
        var isStart = time < startTime
        switch exit {
        case .status(0), .unknown: return WebAuthenticationError(.cancelledByPerson, "the window was closed")
        case .status(let status): ending = "\(name) ended with status \(status)"
        case .signal(let signal):
            ending = "\(name) was ended by signal \(signal)"
            // Sent by someone, at whatever time; all others are the browser's own failures.
            if BrowserProcess.sentSignals.contains(signal) { isStart = false }
        }
        return isStart ? WebAuthenticationError(.cannotShow, ending) : WebAuthenticationError(.browserVanished, ending)
    }
}

extension ProfileWindow {
    /// What a browser is started with.
    struct Launch: Sendable {
        var arguments: [String]
        var environment: [String: String] = [:]
    }

    /// Starts a browser on a fresh profile, after what was left behind by killed sign-ins has been removed.
    ///
    /// - Parameters:
    ///   - environment: What it inherits, but for our own secrets.
    ///   - launch: Sets the profile up, and says what to start the browser with.
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`.
    static func open(
        _ program: BrowserProgram, environment: [String: String],
        launch: (TemporaryProfile) throws(WebAuthenticationError) -> Launch
    ) async throws(WebAuthenticationError) -> ProfileWindow {
        let folders = try program.profileFolders(environment)
        await OrphanedProfiles.remove(from: folders)
        let profile = try TemporaryProfile(in: folders)
        do {
            let launch = try launch(profile)
            let process = try BrowserProcess(
                path: program.path, arguments: [program.path] + launch.arguments,
                environment: environment.withoutOurSecrets.merging(launch.environment) { $1 }, endsGroup: true)
            profile.belongs(to: process.processID)
            return ProfileWindow(name: program.name, process: process, profile: profile)
        } catch {
            await profile.remove()
            throw error as? WebAuthenticationError
                ?? WebAuthenticationError(.cannotShow, "\(program.path) could not be started: \(error)", underlying: error)
        }
    }
}
