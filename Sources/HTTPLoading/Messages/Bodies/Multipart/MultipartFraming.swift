import AuthHubPrimitives
import HTTPTypes

/// The delimiters between the parts of a multipart body (RFC 2046 §5.1.1).
struct MultipartFraming: Sendable {
    private let boundary: String
    private let parts: [MultipartPart]

    init(_ parts: [MultipartPart]) {
        self.parts = parts
        // 47 of at most 70 characters, none of which needs quotes. The author of a part cannot know or guess the boundary.
        boundary = "AuthHub-boundary-" + Base64URL.encode(randomBytes(count: 22))
    }

    var count: Int { parts.count }

    func body(at index: Int) -> RequestBody { parts[index].body }

    /// Returns the delimiter before the part at an index, or the closing delimiter after the last part.
    func delimiter(before index: Int) -> [UInt8] {
        let lineBreak = index == 0 ? "" : "\r\n"
        guard index < parts.count else { return Array("\(lineBreak)--\(boundary)--\r\n".utf8) }
        return Array("\(lineBreak)--\(boundary)\r\n".utf8) + parts[index].head
    }

    /// The length of the body in bytes; nil if the length of a part is unknown, or the sum overflows.
    var length: Int? {
        var length = 0
        for index in 0...parts.count {
            let bodyLength: Int? = index < parts.count ? parts[index].body.length : 0
            guard let bodyLength else { return nil }
            for addend in [delimiter(before: index).count, bodyLength] {
                let (sum, overflows) = length.addingReportingOverflow(addend)
                guard !overflows else { return nil }
                length = sum
            }
        }
        return length
    }

    func contentType(_ subtype: MultipartSubtype) -> String {
        var contentType = "multipart/\(subtype.rawValue); boundary=\(boundary)"
        if subtype == .related, let root = parts.first, let type = root.headerFields[.contentType] ?? root.body.contentType {
            contentType += "; type=\"\(Self.escaped(type))\""
        }
        return contentType
    }

    /// Returns the text escaped for a quoted string (RFC 9110 §5.6.4).
    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}
