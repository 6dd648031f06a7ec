/// Whether to retry after an attempt, and after what pause.
public enum RetryDecision: Sendable, Hashable {
    /// Do not retry, and return the result of the attempt.
    case stop
    /// Retry after a pause.
    case after(Duration)
}
