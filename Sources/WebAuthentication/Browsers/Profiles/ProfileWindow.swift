/// The window of a browser on a profile of its own; the profile goes when the process has ended, whoever ended it.
final class ProfileWindow: BrowserWindow {
    private struct Ending: Sendable {
        let exit: BrowserProcess.Exit
        let wasShown: Bool
    }

    private let name: String
    private let process: BrowserProcess
    /// How the process ended; the profile is gone by then.
    private let ending: Task<Ending, Never>

    /// How long a browser may take to end when it is asked to.
    static let endTime = Duration.seconds(3)

    /// - Parameters:
    ///   - shownMark: A file that the browser writes into its profile once it has found a display and before its window opens.
    ///   - inbox: Where callbacks of a scheme of the program's own come in; let go of with the profile.
    init(name: String, process: BrowserProcess, profile: TemporaryProfile, shownMark: String, inbox: SchemeInbox? = nil) {
        self.name = name
        self.process = process
        ending = Task {
            let exit = await process.exit
            let wasShown = profile.contains(shownMark)
            await inbox?.close()
            await profile.remove()
            return Ending(exit: exit, wasShown: wasShown)
        }
    }

    func closed() async -> WebAuthenticationError {
        await failure()
    }

    func close() async {
        // Asked once: Chromium takes a second SIGTERM as an order to end without clearing up.
        await end(patience: .zero)
    }

    /// What the end of the process means.
    ///
    /// - Parameters:
    ///   - wasShown: Whether there was a window; told by what the profile holds if nil.
    ///   - patience: How long to wait before it is made to end; for ever if nil.
    func failure(wasShown: Bool? = nil, patience: Duration? = nil) async -> WebAuthenticationError {
        if let patience { await end(patience: patience) }
        let ending = await ending.value
        return Self.meaning(of: ending.exit, wasShown: wasShown ?? ending.wasShown, name: name)
    }

    /// That it cannot be talked to.
    func unusable(_ reason: String) -> WebAuthenticationError {
        WebAuthenticationError(.cannotShow, "\(name) cannot be used: \(reason)")
    }

    /// Waits until it has ended; ever more firmly, where it takes longer.
    ///
    /// - Parameter patience: Before it is asked to end.
    func end(patience: Duration) async {
        let force = Task { [process] in
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            process.terminate()
            guard (try? await Task.sleep(for: Self.endTime)) != nil else { return }
            process.kill()
        }
        _ = await ending.value
        force.cancel()
    }

    /// What the end of a browser's process tells: a closed window ends it well, and everything else is a failure.
    static func meaning(of exit: BrowserProcess.Exit, wasShown: Bool, name: String) -> WebAuthenticationError {
        let code: WebAuthenticationError.Code = wasShown ? .browserVanished : .cannotShow
        return switch exit {
        case .status(0), .unknown: .closedByPerson
        case .status(let status): WebAuthenticationError(code, "\(name) exited with status \(status)")
        case .signal(let signal): WebAuthenticationError(code, "\(name) was terminated by signal \(signal)")
        }
    }
}

extension WebAuthenticationError {
    static var closedByPerson: Self { Self(.cancelledByUser, "the window was closed") }
}
