/// What the shell gets to know. 2, 4 and 8 mean what they mean to `gh`.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    /// The person said no: closed the window, chose to cancel.
    case cancelled = 2
    /// The server said no: access denied, scope or client not allowed.
    case denied = 3
    case signInNeeded = 4
    case timedOut = 5
    /// Network, TLS, or a server that is down.
    case unreachable = 6
    case securityCheckFailed = 7
    /// The credential store is missing, locked, damaged or refuses.
    case storeFailed = 9
    case usage = 64
    case tryAgain = 75
    /// SIGHUP: the terminal is gone.
    case hungUp = 129
    /// Ctrl-C.
    case interrupted = 130
    /// SIGTERM.
    case terminated = 143
}

extension ExitStatus {
    /// The text in the help's list.
    var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed"
        case .cancelled: "cancelled by you"
        case .denied: "denied by the server"
        case .signInNeeded: "sign-in needed"
        case .timedOut: "timed out"
        case .unreachable: "network, TLS, or the server is down"
        case .securityCheckFailed: "a security check failed"
        case .storeFailed: "the credential store cannot be used"
        case .usage: "wrong usage"
        case .tryAgain: "busy, try again later"
        case .hungUp: "terminated because the terminal was closed (SIGHUP)"
        case .interrupted: "interrupted by Ctrl-C"
        case .terminated: "terminated by SIGTERM"
        }
    }
}
