/// The exit status. 2, 4 and 8 have the same meaning as in `gh`.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    /// The user closed the window or chose to cancel.
    case cancelled = 2
    /// The server denied access, or does not allow the scope or client.
    case denied = 3
    case signInNeeded = 4
    case timedOut = 5
    /// A network or TLS error, or a server that is down.
    case unreachable = 6
    case securityCheckFailed = 7
    /// The credential store is missing, locked or damaged, or does not allow access.
    case storeFailed = 9
    case usage = 64
    case tryAgain = 75
    /// The command of `exec` exists, but cannot run.
    case cannotRun = 126
    /// The command of `exec` does not exist.
    case notFound = 127
    /// SIGHUP: the terminal was closed.
    case hungUp = 129
    /// Ctrl-C.
    case interrupted = 130
    /// SIGTERM.
    case terminated = 143
}

extension ExitStatus {
    /// The description in the help's list.
    var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed"
        case .cancelled: "cancelled by you"
        case .denied: "denied by the server"
        case .signInNeeded: "sign-in needed"
        case .timedOut: "timed out"
        case .unreachable: "the network or TLS failed, or the server is down"
        case .securityCheckFailed: "a security check failed"
        case .storeFailed: "the credential store cannot be used"
        case .usage: "wrong usage"
        case .tryAgain: "busy, try again later"
        case .cannotRun: "the command of exec cannot run"
        case .notFound: "the command of exec does not exist"
        case .hungUp: "terminated because the terminal was closed (SIGHUP)"
        case .interrupted: "interrupted by Ctrl-C"
        case .terminated: "terminated by SIGTERM"
        }
    }
}
