import AuthHubPrimitives
package import HTTPTypes
package import Platform

extension HTTPDate {
    /// Reads the date of a response by its sender's clock (RFC 9110 §6.6.1); returns nil if the response does not have exactly one.
    init?(sendingOf response: HTTPResponse, now: Int64) {
        self.init(sending: response.headerFields[values: .date], now: now)
    }
}

extension Date {
    /// Reads the date of a response by its sender's clock (RFC 9110 §6.6.1); returns nil if the response does not have exactly one.
    package init?(sendingOf response: HTTPResponse, now: Date) {
        guard let date = HTTPDate(sendingOf: response, now: now.secondsSince1970) else { return nil }
        self.init(timeIntervalSince1970: Double(date.secondsSince1970))
    }
}
