/// Lets as many pass as a ``Rate`` says: tokens come in at the rate up to the burst, and everyone takes one.
///
/// Who comes when there is none takes one in advance, and waits until it is there: so all wait in the order in which they came. It counts
/// in whole parts of a token that come in within an attosecond, so that nothing is lost by rounding, whatever the rate.
struct TokenBucket: Sendable, Hashable {
    typealias Instant = Duration

    let rate: Rate
    /// In parts; below zero where tokens were taken in advance.
    private var level: Int128
    /// When the level was right.
    private var time: Instant

    /// A full one.
    init(_ rate: Rate, at now: Instant) {
        self.rate = rate
        level = Int128(rate.burst) * rate.period.attoseconds
        time = now
    }

    /// How many parts make a token: `rate.count` of them come in within an attosecond.
    private var token: Int128 { rate.period.attoseconds }
    private var capacity: Int128 { Int128(rate.burst) * token }

    func isFull(at now: Instant) -> Bool {
        var bucket = self
        bucket.fill(until: now)
        return bucket.level == capacity
    }

    /// Takes a token.
    ///
    /// - Returns: When it is there: `now`, or later.
    mutating func take(at now: Instant) -> Instant {
        fill(until: now)
        level -= token
        let (parts, remainder) = max(0, -level).quotientAndRemainder(dividingBy: Int128(rate.count))
        return max(now, time) + Duration(attoseconds: parts + (remainder == 0 ? 0 : 1))
    }

    /// Puts back a token that was not used.
    mutating func putBack() {
        level = min(capacity, level + token)
    }

    /// Puts back all tokens that were taken in advance and have not come in by now.
    mutating func putBackAdvances(at now: Instant) {
        fill(until: now)
        level = max(0, level)
    }

    /// A clock that goes back brings nothing, and takes nothing.
    private mutating func fill(until now: Instant) {
        guard now > time else { return }
        let (parts, overflow) = (now - time).attoseconds.multipliedReportingOverflow(by: Int128(rate.count))
        time = now
        level = overflow || parts >= capacity - level ? capacity : level + parts
    }
}
