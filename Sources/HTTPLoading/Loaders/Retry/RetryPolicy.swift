/// The rules for retries: after which failures, how often, and after what pause. A policy has no state.
///
/// ```swift
/// RetryLoader(RetryPolicy(maximumAttempts: 4, backoff: .exponential(base: .seconds(1))))
/// request.options[RetryPolicy.self] = .never
/// ```
///
/// Set a policy as an option of a request to override the policy of the ``RetryLoader``. Some requests are never retried, whatever the
/// policy: those that failed with an error that would occur again, such as `.notSecure`; those that were cancelled; and those with a body
/// that can be read only once and has been sent.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts, whatever the backoff; at least one.
    public var maximumAttempts: Int
    /// The pauses between attempts.
    public var backoff: Backoff
    /// The maximum `Retry-After` that the loader waits for. If a response requests a longer wait, it is returned immediately.
    public var maximumRetryAfter: Duration
    /// Returns whether to retry after an attempt.
    public var condition: @Sendable (FinishedAttempt) -> Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumAttempts: The maximum number of attempts; 3 by default.
    ///   - backoff: The pauses between attempts; by default random, up to 0.5 seconds, then up to 1, and so on. `Retry-After` makes them
    ///     longer, never shorter.
    ///   - maximumRetryAfter: The maximum `Retry-After` that the loader waits for; a minute by default.
    ///   - condition: Returns whether to retry after an attempt; ``FinishedAttempt/isRetryable`` by default.
    public init(
        maximumAttempts: Int = 3,
        backoff: Backoff = .exponential(),
        maximumRetryAfter: Duration = .seconds(60),
        condition: @escaping @Sendable (FinishedAttempt) -> Bool = { $0.isRetryable }
    ) {
        self.maximumAttempts = maximumAttempts
        self.backoff = backoff
        self.maximumRetryAfter = maximumRetryAfter
        self.condition = condition
    }

    /// A policy without retries.
    public static let never = RetryPolicy(maximumAttempts: 1)
}

extension RetryPolicy: RequestOption {
    /// The default: nil, so that the policy of the ``RetryLoader`` applies.
    public static var defaultValue: RetryPolicy? { nil }
}
