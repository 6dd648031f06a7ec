/// What the shell gets to know. 2, 4 and 8 mean what they mean to `gh`.
enum ExitStatus: Int32, Sendable {
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
