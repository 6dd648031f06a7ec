/// The delay that a server requests with `Retry-After` (RFC 9110 §10.2.3).
package struct RetryDelay: Sendable, Hashable {
    /// The delay in seconds: zero if the time is already over, and at most ``longest``.
    package let seconds: Int64

    /// 68 years. More seconds than can be represented count as forever (RFC 9111 §1.2.2).
    package static let longest: Int64 = 1 << 31

    /// Reads the delay from the fields of a response.
    ///
    /// - Parameters:
    ///   - values: The values of the `Retry-After` fields.
    ///   - dates: The values of the `Date` fields. A date in `Retry-After` is compared with them, so that the two clocks need not agree.
    ///   - now: The time in seconds since 1970, which replaces a missing `Date`; nil if there is no clock, so that only seconds are read.
    /// - Returns: nil if there is no value, more than one, or one that is neither a number nor a date.
    package init?(_ values: [String], sent dates: [String], now: () -> Int64?) {
        guard values.count == 1 else { return nil }
        let text = values[0].trimmingOptionalWhitespace
        if let seconds = Int64(digits: text, atMost: Self.longest) {
            self.seconds = seconds
            return
        }
        guard let now = now(), let date = HTTPDate(text, now: now) else { return nil }
        let sent = HTTPDate(sending: dates, now: now)?.secondsSince1970 ?? now
        seconds = min(max(date.secondsSince1970 - sent, 0), Self.longest)
    }
}
