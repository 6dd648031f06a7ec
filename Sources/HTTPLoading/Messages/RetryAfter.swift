import HTTPTypes

/// How long a server asks to wait (RFC 9110 §10.2.3).
struct RetryAfter: Sendable, Hashable {
    /// Zero where the time is over already.
    let delay: Duration

    /// - Parameters:
    ///   - response: A date in it is measured against its `Date`, so that the clocks of both sides need not agree.
    ///   - wallClock: In place of a `Date` that is missing, in seconds since 1970.
    /// - Returns: nil where there is no such field, more than one, or one that is neither a number nor a date.
    init?(_ response: HTTPResponse, wallClock: () -> Int64) {
        let values = response.headerFields[values: .retryAfter]
        guard values.count == 1 else { return nil }
        let text = values[0].trimmingOptionalWhitespace
        // More than fit are as good as for ever (RFC 9111 §1.2.2).
        if let seconds = Int64(digits: text, atMost: Self.longest) {
            delay = .seconds(seconds)
            return
        }
        let now = wallClock()
        guard let date = HTTPDate(text, now: now) else { return nil }
        let sent = HTTPDate(sendingOf: response, now: now)?.secondsSince1970
        delay = .seconds(min(max(date.secondsSince1970 - (sent ?? now), 0), Self.longest))
    }

    private static let longest: Int64 = 1 << 31
}
