/// The number of requests that may start in a period, and the size of a burst after a pause.
public struct Rate: Sendable, Hashable {
    /// The number of requests per period.
    package let count: Int
    /// The length of the period, from a microsecond to a day.
    package let period: Duration
    /// The number of requests that may start at the same time if none has started for a while.
    package let burst: Int

    /// Creates a rate.
    ///
    /// - Parameters:
    ///   - count: The number of requests per period, clamped to 1 to 1,000,000.
    ///   - period: The period, clamped to between a microsecond and a day.
    ///   - burst: The number of requests that may start at the same time if none has started for a while, from 1 to 1,000,000; by default,
    ///     the same as `count`.
    public init(_ count: Int, per period: Duration, burst: Int? = nil) {
        self.count = min(max(1, count), 1_000_000)
        self.period = min(max(.microseconds(1), period), .seconds(86_400))
        self.burst = min(max(1, burst ?? count), 1_000_000)
    }
}
