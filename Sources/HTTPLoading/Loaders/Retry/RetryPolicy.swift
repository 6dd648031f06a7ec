/// What of a load is tried again, how often, and after what pause; a value without a state of its own.
///
/// ```swift
/// RetryLoader(RetryPolicy(maximumAttempts: 4, backoff: .exponential(base: .seconds(1))))
/// request.options[RetryPolicy.self] = .never
/// ```
///
/// As a request's option it goes before the one of the ``RetryLoader``. Whatever a policy says, errors that the same request would meet
/// again are not retried, such as `.cancelled` and `.notSecure`, nor is a request whose body comes but once and was sent.
public struct RetryPolicy: Sendable {
    /// How often the request is sent in all, whatever the backoff; at least once.
    public var maximumAttempts: Int
    /// How long the pause before each further sending is.
    public var backoff: Backoff
    /// The longest `Retry-After` that is waited for; with a longer one the response is handed on at once.
    public var maximumRetryAfter: Duration
    /// Whether an attempt that ended this way is followed by another one.
    public var condition: @Sendable (FinishedAttempt) -> Bool

    /// - Parameters:
    ///   - maximumAttempts: How often the request is sent in all; 3 without it.
    ///   - backoff: The pauses in between; without it by chance up to 0.5 seconds, then up to 1, and so on. `Retry-After` makes them longer,
    ///     never shorter.
    ///   - maximumRetryAfter: The longest `Retry-After` that is waited for; a minute without it.
    ///   - condition: What is tried again; by default ``FinishedAttempt/isWorthAnother``.
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

    /// Each request is sent once.
    public static let never = RetryPolicy(maximumAttempts: 1)
}

extension RetryPolicy: RequestOption {
    public static var defaultValue: RetryPolicy? { nil }
}
