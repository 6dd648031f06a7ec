/// The rules for retries: which failures, how often, and after what pause. A policy is a value without state.
///
/// ```swift
/// RetryLoader(RetryPolicy(maximumAttempts: 4, backoff: .exponential(base: .seconds(1))))
/// request.options[RetryPolicy.self] = .never
/// ```
///
/// As an option of a request, it overrides the policy of the ``RetryLoader``. No policy can retry errors that the same request would cause
/// again, such as `.cancelled` and `.notSecure`, or a request whose body can be read only once and has been sent.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts, whatever the backoff; at least one.
    public var maximumAttempts: Int
    /// The pauses before each further attempt.
    public var backoff: Backoff
    /// The longest `Retry-After` that the loader waits for. A response with a longer one is returned immediately.
    public var maximumRetryAfter: Duration
    /// Whether to retry after an attempt with this result.
    public var condition: @Sendable (FinishedAttempt) -> Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumAttempts: The maximum number of attempts; 3 by default.
    ///   - backoff: The pauses between attempts; by default random, up to 0.5 seconds, then up to 1, and so on. `Retry-After` makes them
    ///     longer, never shorter.
    ///   - maximumRetryAfter: The longest `Retry-After` that the loader waits for; a minute by default.
    ///   - condition: Whether to retry after an attempt; ``FinishedAttempt/isWorthAnother`` by default.
    public init(
        maximumAttempts: Int = 3,
        backoff: Backoff = .exponential(),
        maximumRetryAfter: Duration = .seconds(60),
        condition: @escaping @Sendable (FinishedAttempt) -> Bool = { $0.isWorthAnother }
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
