/// How long a server asks to wait, by its `Retry-After` field (RFC 9110 §10.2.3).
package struct RetryDelay: Sendable, Hashable {
    /// Zero where the time is over already; ``longest`` at most.
    package let seconds: Int64

    /// 68 years: more seconds than fit are as good as for ever (RFC 9111 §1.2.2).
    package static let longest: Int64 = 1 << 31

    /// - Parameters:
    ///   - values: Those of the `Retry-After` fields.
    ///   - dates: Those of the `Date` fields of the same response: a date is measured against them, so that the clocks of both sides
    ///     need not agree.
    ///   - now: In place of a `Date` that is missing, in seconds since 1970; nil where there is no clock, and then only seconds are read.
    /// - Returns: nil where there is no value, more than one, or one that is neither a number nor a date.
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
