import AuthHubPrimitives
package import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension HTTPDate {
    /// When a response was made, by its sender's clock (RFC 9110 §6.6.1); nil where it does not say, or not once.
    init?(sendingOf response: HTTPResponse, now: Int64) {
        self.init(sending: response.headerFields[values: .date], now: now)
    }
}

extension Date {
    /// When a response was made, by its sender's clock (RFC 9110 §6.6.1); nil where it does not say, or not once.
    package init?(sendingOf response: HTTPResponse, now: Date) {
        guard let date = HTTPDate(sendingOf: response, now: now.secondsSince1970) else { return nil }
        self.init(timeIntervalSince1970: Double(date.secondsSince1970))
    }
}
