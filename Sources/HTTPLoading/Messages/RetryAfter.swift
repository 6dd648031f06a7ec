package import HTTPTypes

/// How long a server asks to wait (RFC 9110 §10.2.3).
package struct RetryAfter: Sendable, Hashable {
    /// Zero where the time is over already.
    package let delay: Duration

    /// - Parameters:
    ///   - response: A date in it is measured against its `Date`, so that the clocks of both sides need not agree.
    ///   - wallClock: In place of a `Date` that is missing, in seconds since 1970.
    /// - Returns: nil where there is no such field, more than one, or one that is neither a number nor a date.
    package init?(_ response: HTTPResponse, wallClock: () -> Int64) {
        let values = response.headerFields[values: .retryAfter]
        guard values.count == 1 else { return nil }
        let text = values[0].trimmingOptionalWhitespace
        if let seconds = Self.seconds(text) {
            delay = .seconds(seconds)
            return
        }
        let now = wallClock()
        guard let date = HTTPDate(text, now: now) else { return nil }
        let dates = response.headerFields[values: .date]
        let sent = dates.count == 1 ? HTTPDate(dates[0].trimmingOptionalWhitespace, now: now)?.secondsSince1970 : nil
        delay = .seconds(min(max(date.secondsSince1970 - (sent ?? now), 0), Self.longest))
    }

    /// Digits; more of them than fit are as good as for ever (RFC 9111 §1.2.2).
    private static func seconds(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return min(Int64(text) ?? longest, longest)
    }

    private static let longest: Int64 = 1 << 31
}

extension String {
    /// Without the spaces and tabs around it (RFC 9110 §5.6.3).
    fileprivate var trimmingOptionalWhitespace: Substring {
        var text = self[...]
        while let first = text.utf8.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") { text = text.dropFirst() }
        while let last = text.utf8.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { text = text.dropLast() }
        return text
    }
}
