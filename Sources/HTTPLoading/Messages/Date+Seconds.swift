package import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Date {
    /// Whole seconds since 1970, kept to the years from then to 9999, which ``HTTPDate`` can write.
    var secondsSince1970: Int64 { Int64(min(max(timeIntervalSince1970, 0), 253_402_300_799)) }
}

extension Date {
    /// When a response was made, by its sender's clock (RFC 9110 §6.6.1); nil where it does not say, or not once.
    package init?(sendingOf response: HTTPResponse, now: Date) {
        guard let date = HTTPDate(sendingOf: response, now: now.secondsSince1970) else { return nil }
        self.init(timeIntervalSince1970: Double(date.secondsSince1970))
    }
}
