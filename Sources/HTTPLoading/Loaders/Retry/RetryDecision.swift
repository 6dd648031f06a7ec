/// A decision whether to retry after an attempt.
public enum RetryDecision: Sendable, Hashable {
    /// Return the result of the attempt.
    case stop
    /// Retry after a pause.
    case after(Duration)
}
