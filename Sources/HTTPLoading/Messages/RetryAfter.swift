import AuthHubPrimitives
import HTTPTypes

/// The delay that a server requests (RFC 9110 §10.2.3).
struct RetryAfter: Sendable, Hashable {
    /// The delay; zero if the time is already over.
    let delay: Duration

    /// Reads the delay from a response.
    ///
    /// - Parameters:
    ///   - response: The response. A date in `Retry-After` is compared with the response's `Date`, so that the two clocks need not agree.
    ///   - wallClock: The time in seconds since 1970, which replaces a missing `Date`.
    /// - Returns: nil if the field is missing, repeated, or neither a number nor a date.
    init?(_ response: HTTPResponse, wallClock: () -> Int64) {
        let fields = response.headerFields
        guard let delay = RetryDelay(fields[values: .retryAfter], sent: fields[values: .date], now: wallClock) else { return nil }
        self.delay = .seconds(delay.seconds)
    }
}
