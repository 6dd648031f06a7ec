/// Decides after each attempt of one load whether there is another one.
struct RetrySchedule {
    private let policy: RetryPolicy
    private let wallClock: @Sendable () -> Int64
    private var pauses: Pauses

    /// - Parameters:
    ///   - policy: What the load's request, or else the loader, says.
    ///   - generator: Where chance comes from.
    ///   - wallClock: The time in seconds since 1970, for dates in `Retry-After` of responses that do not tell their own.
    init(_ policy: RetryPolicy, using generator: any RandomNumberGenerator, wallClock: @escaping @Sendable () -> Int64) {
        self.policy = policy
        self.wallClock = wallClock
        pauses = Pauses(policy.backoff, using: generator)
    }

    mutating func decide(after attempt: FinishedAttempt) -> RetryDecision {
        guard attempt.number < policy.maximumAttempts, !attempt.isFinal, policy.condition(attempt), attempt.request.body.canBeSent,
            case .after(let pause) = pauses.next(after: attempt)
        else { return .stop }
        guard case .success(let response) = attempt.outcome, let asked = RetryAfter(response, wallClock: wallClock) else {
            return .after(pause)
        }
        guard asked.delay <= policy.maximumRetryAfter else { return .stop }
        return .after(max(pause, asked.delay))
    }
}
