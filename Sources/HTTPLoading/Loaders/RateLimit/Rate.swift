/// How many requests may begin in a time, and how many at once after a rest.
public struct Rate: Sendable, Hashable {
    /// Requests in a period.
    public let count: Int
    public let period: Duration
    /// Requests at once, where none has begun for a while.
    public let burst: Int

    /// - Parameters:
    ///   - count: At least 1, at most 1,000,000; what lies outside is brought to the nearest.
    ///   - period: At least a microsecond, at most a day; what lies outside is brought to the nearest.
    ///   - burst: How many may begin at once where none has for a while; at least 1, at most 1,000,000. Without it, as many as `count`.
    public init(_ count: Int, per period: Duration, burst: Int? = nil) {
        self.count = min(max(1, count), 1_000_000)
        self.period = min(max(.microseconds(1), period), .seconds(86_400))
        self.burst = min(max(1, burst ?? count), 1_000_000)
    }
}
