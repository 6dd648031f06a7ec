/// The window of a browser with a separate profile; the profile is removed when the process has ended for any reason.
final class ProfileWindow: BrowserWindow {
    private struct Ending: Sendable {
        let exit: BrowserProcess.Exit
        let wasShown: Bool
    }

    private let name: String
    private let process: BrowserProcess
    /// How the process ended; the profile is removed by then.
    private let ending: Task<Ending, Never>

    /// How long a browser may take to end after it was asked to.
    static let endTime = Duration.seconds(3)

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - shownMark: A file that the browser writes to its profile after it has found a display and before its window opens.
    ///   - inbox: The receiver of callbacks of a custom scheme; closed with the profile.
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
        // Asked once: Chromium treats a second SIGTERM as an order to end without cleaning up.
        await end(patience: .zero)
    }

    /// Returns the error for the end of the process.
    ///
    /// - Parameters:
    ///   - wasShown: Whether there was a window; determined from the contents of the profile if nil.
    ///   - patience: How long to wait before the process is made to end; forever if nil.
    func failure(wasShown: Bool? = nil, patience: Duration? = nil) async -> WebAuthenticationError {
        if let patience { await end(patience: patience) }
        let ending = await ending.value
        return Self.meaning(of: ending.exit, wasShown: wasShown ?? ending.wasShown, name: name)
    }

    /// Returns the error for a browser with which communication failed.
    func unusable(_ reason: String) -> WebAuthenticationError {
        WebAuthenticationError(.cannotShow, "\(name) cannot be used: \(reason)")
    }

    /// Waits until it has ended, and escalates if it takes too long.
    ///
    /// - Parameter patience: How long to wait before it is asked to end.
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

    /// Returns the error for the exit of a browser's process: a closed window makes it succeed, and everything else is a failure.
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
