import AuthHubPrimitives
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
        let fields = response.headerFields
        guard let delay = RetryDelay(fields[values: .retryAfter], sent: fields[values: .date], now: wallClock) else { return nil }
        self.delay = .seconds(delay.seconds)
    }
}
