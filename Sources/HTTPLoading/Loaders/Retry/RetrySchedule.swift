/// The decisions about the attempts of one request.
struct RetrySchedule {
    private let policy: RetryPolicy
    private let wallClock: @Sendable () -> Int64
    private var pauses: Pauses

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - policy: The policy of the request, or else of the loader.
    ///   - generator: The source of random pauses.
    ///   - wallClock: The time in seconds since 1970, for a `Retry-After` date in a response without a `Date` field.
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
