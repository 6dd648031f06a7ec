public import HTTPTypes

/// A part of a multipart body: header fields and a body.
public struct MultipartPart: Sendable {
    /// The header fields of the part. A `Content-Type` in these fields overrides the content type of the body.
    public var headerFields: HTTPFields
    /// The content of the part. The multipart body can be sent again only if the bodies of all its parts can.
    public var body: RequestBody

    /// Creates a part for any kind of multipart body.
    public init(headerFields: HTTPFields = [:], body: RequestBody) {
        self.headerFields = headerFields
        self.body = body
    }

    /// Creates an entry of a form (RFC 7578 §4.2), such as a file.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - filename: The file name for the receiver; nil if the entry is not a file. Pass the last path component, not a path.
    ///   - headerFields: Additional header fields. A `Content-Disposition` in these fields is replaced.
    public init(named name: String, filename: String? = nil, headerFields: HTTPFields = [:], body: RequestBody) {
        self.init(headerFields: headerFields, body: body)
        var disposition = "form-data; name=\"\(Self.escaped(name))\""
        if let filename { disposition += "; filename=\"\(Self.escaped(filename))\"" }
        self.headerFields[.contentDisposition] = disposition
    }

    /// Creates a text entry of a form, in UTF-8 and without a content type (RFC 7578 §4.4, §5.1.2).
    public init(named name: String, text: String) {
        self.init(named: name, body: .bytes(Array(text.utf8)))
    }

    /// Returns the name escaped as in browsers, because a quotation mark or a line break would end the name or the field (WHATWG HTML,
    /// "multipart/form-data").
    private static func escaped(_ name: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": escaped.append(contentsOf: "%22".unicodeScalars)
            case "\r": escaped.append(contentsOf: "%0D".unicodeScalars)
            case "\n": escaped.append(contentsOf: "%0A".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

extension MultipartPart {
    /// The header of the part, including the blank line at its end.
    var head: [UInt8] {
        var fields = headerFields
        if fields[.contentType] == nil, let contentType = body.contentType { fields[.contentType] = contentType }
        var head: [UInt8] = []
        // The type guarantees that a field contains no line break.
        for field in fields {
            head += Array(field.name.rawName.utf8) + Array(": ".utf8)
            field.withUnsafeBytesOfValue { head += $0 }
            head += Array("\r\n".utf8)
        }
        return head + Array("\r\n".utf8)
    }
}

/// Shows only the body's length and type, because file names can be private.
extension MultipartPart: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { body.description }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["body": body]) }
}
