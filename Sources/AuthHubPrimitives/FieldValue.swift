/// Helpers for HTTP field values as they were received.
extension String {
    /// The string without surrounding spaces and tabs (RFC 9110 §5.6.3).
    package var trimmingOptionalWhitespace: Substring {
        var text = self[...]
        while let first = text.utf8.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") { text = text.dropFirst() }
        while let last = text.utf8.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { text = text.dropLast() }
        return text
    }
}

extension Int64 {
    /// Parses a string of ASCII digits; a number above the limit becomes the limit.
    package init?(digits text: some StringProtocol, atMost limit: Int64) {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        self = Swift.min(Int64(text) ?? limit, limit)
    }
}
