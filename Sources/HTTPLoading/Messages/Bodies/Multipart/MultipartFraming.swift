import AuthHubPrimitives
import HTTPTypes

/// What stands between the parts of one multipart body (RFC 2046 §5.1.1).
struct MultipartFraming: Sendable {
    private let boundary: String
    private let parts: [MultipartPart]

    init(_ parts: [MultipartPart]) {
        self.parts = parts
        // 47 characters of at most 70, none of which needs quotes. Nobody who writes a part can know or guess it.
        boundary = "AuthHub-boundary-" + Base64URL.encode(randomBytes(count: 22))
    }

    var count: Int { parts.count }

    func body(at index: Int) -> RequestBody { parts[index].body }

    /// What goes in front of the part of this number; behind the last one where there is none.
    func delimiter(before index: Int) -> [UInt8] {
        let lineBreak = index == 0 ? "" : "\r\n"
        guard index < parts.count else { return Array("\(lineBreak)--\(boundary)--\r\n".utf8) }
        return Array("\(lineBreak)--\(boundary)\r\n".utf8) + parts[index].head
    }

    /// In bytes; nil where a part's length is unknown, or no number can hold the sum.
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

    /// As it stands in a quoted string (RFC 9110 §5.6.4).
    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}
