/// A token bucket for a ``Rate``: tokens arrive at the rate, up to the burst size, and each request takes one.
///
/// If there is no token, a request takes one in advance and waits until it arrives, so that requests are served in order of arrival. The
/// bucket counts in integer fractions of a token, of which a whole number arrives per attosecond, so that no rate causes rounding errors.
struct TokenBucket: Sendable, Hashable {
    typealias Instant = Duration

    let rate: Rate
    /// The level in fractions of a token; negative if tokens were taken in advance.
    private var level: Int128
    /// The time at which the level was correct.
    private var time: Instant

    /// Creates a full bucket.
    init(_ rate: Rate, at now: Instant) {
        self.rate = rate
        level = Int128(rate.burst) * rate.period.attoseconds
        time = now
    }

    /// The number of fractions per token: `rate.count` of them arrive per attosecond.
    private var token: Int128 { rate.period.attoseconds }
    private var capacity: Int128 { Int128(rate.burst) * token }

    func isFull(at now: Instant) -> Bool {
        var bucket = self
        bucket.fill(until: now)
        return bucket.level == capacity
    }

    /// Takes a token.
    ///
    /// - Returns: The time at which the token is available: `now`, or later.
    mutating func take(at now: Instant) -> Instant {
        fill(until: now)
        level -= token
        let (parts, remainder) = max(0, -level).quotientAndRemainder(dividingBy: Int128(rate.count))
        return max(now, time) + Duration(attoseconds: parts + (remainder == 0 ? 0 : 1))
    }

    /// Returns an unused token.
    mutating func putBack() {
        level = min(capacity, level + token)
    }

    /// Returns all tokens that were taken in advance and are not available by now.
    mutating func putBackAdvances(at now: Instant) {
        fill(until: now)
        level = max(0, level)
    }

    /// Adds the tokens since the last change. A clock that goes backwards adds none and removes none.
    private mutating func fill(until now: Instant) {
        guard now > time else { return }
        let (parts, overflow) = (now - time).attoseconds.multipliedReportingOverflow(by: Int128(rate.count))
        time = now
        level = overflow || parts >= capacity - level ? capacity : level + parts
    }
}
