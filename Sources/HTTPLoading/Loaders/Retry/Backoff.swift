/// The pauses between attempts.
///
/// A backoff does not determine the number of attempts; ``RetryPolicy/maximumAttempts`` does.
public struct Backoff: Sendable {
    enum Kind: Sendable {
        case constant(Duration)
        case exponential(base: Double, factor: Double, cap: Double)
        case decorrelated(base: Double, cap: Double)
        case delays([Duration])
        case custom(@Sendable (FinishedAttempt) -> RetryDecision)
    }

    let kind: Kind

    /// No pauses.
    package static let immediate = Backoff(kind: .constant(.zero))

    /// Creates a backoff with pauses of equal length.
    public static func constant(_ pause: Duration) -> Self { Self(kind: .constant(pause)) }

    /// Creates a backoff with random pauses between zero and a limit that grows each time ("full jitter"), so that clients that failed at
    /// the same time do not retry at the same time.
    ///
    /// - Parameters:
    ///   - base: The limit of the first pause.
    ///   - factor: The factor by which the limit grows for each further pause; at least 1.
    ///   - cap: The maximum of the limit.
    public static func exponential(
        base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(30)
    ) -> Self {
        Self(kind: .exponential(base: base.clamped.inSeconds, factor: factor >= 1 ? factor : 1, cap: cap.clamped.inSeconds))
    }

    /// Creates a backoff with random pauses between `base` and three times the previous pause, but at most `cap`.
    public static func decorrelatedJitter(base: Duration = .milliseconds(500), cap: Duration = .seconds(30)) -> Self {
        Self(kind: .decorrelated(base: base.clamped.inSeconds, cap: cap.clamped.inSeconds))
    }

    /// Creates a backoff with a list of pauses, in order. The last pause is repeated as often as necessary; an empty list means no pauses.
    public static func delays(_ pauses: [Duration]) -> Self { Self(kind: .delays(pauses)) }

    /// Creates a backoff from a closure that decides after each attempt.
    public static func custom(_ decide: @escaping @Sendable (FinishedAttempt) -> RetryDecision) -> Self {
        Self(kind: .custom(decide))
    }
}

/// The pauses of one request, each of which may depend on the previous one.
struct Pauses {
    private let backoff: Backoff
    private var generator: any RandomNumberGenerator
    private var previous: Double?

    init(_ backoff: Backoff, using generator: any RandomNumberGenerator) {
        self.backoff = backoff
        self.generator = generator
    }

    mutating func next(after attempt: FinishedAttempt) -> RetryDecision {
        switch backoff.kind {
        case .constant(let pause):
            return .after(pause.clamped)
        case .exponential(let base, let factor, let cap):
            var limit = min(base, cap)
            for _ in 1..<max(attempt.number, 1) where factor > 1 && limit > 0 {
                limit = min(limit * factor, cap)
                if limit == cap { break }
            }
            return .after(.seconds(Double.random(in: 0...limit, using: &generator)))
        case .decorrelated(let base, let cap):
            let lowest = min(base, cap)
            let pause = min(Double.random(in: lowest...max(lowest, (previous ?? lowest) * 3), using: &generator), cap)
            previous = pause
            return .after(.seconds(pause))
        case .delays(let pauses):
            let index = min(attempt.number, pauses.count) - 1
            return .after(pauses.indices.contains(index) ? pauses[index].clamped : .zero)
        case .custom(let decide):
            guard case .after(let pause) = decide(attempt) else { return .stop }
            return .after(pause.clamped)
        }
    }
}

extension Duration {
    fileprivate var inSeconds: Double { self / .seconds(1) }
}
