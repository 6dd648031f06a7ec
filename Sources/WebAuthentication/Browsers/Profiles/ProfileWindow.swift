/// The window of a browser on a profile of its own; the profile goes when the process has ended, whoever ended it.
final class ProfileWindow: BrowserWindow {
    private let process: BrowserProcess
    /// What the end of the process meant; the profile is gone by then.
    private let ending: Task<WebAuthenticationError, Never>

    /// How long a browser may take to end when it is asked to.
    static let endTime = Duration.seconds(3)

    /// - Parameter shownMark: A file that the browser writes into its profile once it has found a display and before its window opens.
    init(name: String, process: BrowserProcess, profile: TemporaryProfile, shownMark: String) {
        self.process = process
        ending = Task {
            let exit = await process.exit
            let wasShown = profile.contains(shownMark)
            await profile.remove()
            return Self.meaning(of: exit, wasShown: wasShown, name: name)
        }
    }

    func closed() async -> WebAuthenticationError { await ending.value }

    func close() async {
        process.terminate()
        let force = Task { [process] in
            if (try? await Task.sleep(for: Self.endTime)) != nil { process.kill() }
        }
        _ = await ending.value
        force.cancel()
    }

    /// What the end of a browser's process tells: a closed window ends it well, and everything else is a failure.
    static func meaning(of exit: BrowserProcess.Exit, wasShown: Bool, name: String) -> WebAuthenticationError {
        let code: WebAuthenticationError.Code = wasShown ? .browserVanished : .cannotShow
        return switch exit {
        case .status(0), .unknown: WebAuthenticationError(.cancelledByPerson, "the window was closed")
        case .status(let status): WebAuthenticationError(code, "\(name) ended with status \(status)")
        case .signal(let signal): WebAuthenticationError(code, "\(name) was ended by signal \(signal)")
        }
    }
}

extension ProfileWindow {
    /// What a browser is started with.
    struct Launch: Sendable {
        var arguments: [String]
        var environment: [String: String]
        /// A file that the browser writes into its profile once it has found a display and before its window opens.
        let shownMark: String
    }

    /// Starts a browser on a fresh profile.
    ///
    /// - Parameters:
    ///   - environment: What it inherits, but for our own secrets.
    ///   - launch: Sets the profile up, and says what to start the browser with.
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`.
    static func open(
        _ program: BrowserProgram, environment: [String: String],
        launch: (TemporaryProfile) throws(WebAuthenticationError) -> Launch
    ) async throws(WebAuthenticationError) -> ProfileWindow {
        let profile = try await program.makeProfile(environment)
        do {
            let launch = try launch(profile)
            let process = try BrowserProcess(
                path: program.path, arguments: [program.path] + launch.arguments,
                environment: environment.withoutOurSecrets.merging(launch.environment) { $1 }, endsGroup: true)
            profile.belongs(to: process.processID)
            return ProfileWindow(name: program.name, process: process, profile: profile, shownMark: launch.shownMark)
        } catch {
            await profile.remove()
            throw error as? WebAuthenticationError
                ?? WebAuthenticationError(.cannotShow, "\(program.path) could not be started: \(error)", underlying: error)
        }
    }
}
