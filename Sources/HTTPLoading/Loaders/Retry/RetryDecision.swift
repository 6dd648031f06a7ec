/// Whether a load goes on after an attempt.
public enum RetryDecision: Sendable, Hashable {
    /// What came is handed on.
    case stop
    /// The request is sent again after a pause.
    case after(Duration)
}
