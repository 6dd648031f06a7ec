public import HTTPTypes

/// One part of a multipart body: header fields of its own, and a body.
public struct MultipartPart: Sendable {
    /// What stands in front of the part's body. A `Content-Type` here goes before that of the body.
    public var headerFields: HTTPFields
    public var body: RequestBody

    /// A part of any multipart body.
    public init(headerFields: HTTPFields = [:], body: RequestBody) {
        self.headerFields = headerFields
        self.body = body
    }

    /// An entry of a form (RFC 7578 §4.2), such as a file of it.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - filename: What the receiver is to call the file; nil for an entry that is none. Not a path: give the last component.
    ///   - headerFields: Further ones. A `Content-Disposition` among them is replaced.
    public init(named name: String, filename: String? = nil, headerFields: HTTPFields = [:], body: RequestBody) {
        self.init(headerFields: headerFields, body: body)
        var disposition = "form-data; name=\"\(Self.escaped(name))\""
        if let filename { disposition += "; filename=\"\(Self.escaped(filename))\"" }
        self.headerFields[.contentDisposition] = disposition
    }

    /// An entry of a form that is a text, in UTF-8 and without a content type (RFC 7578 §4.4, §5.1.2).
    public init(named name: String, text: String) {
        self.init(named: name, body: .bytes(Array(text.utf8)))
    }

    /// As browsers write names: a quotation mark or a line break would end the name, or the field (WHATWG HTML, "multipart/form-data").
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
    /// The header of the part, with the blank line that ends it.
    var head: [UInt8] {
        var fields = headerFields
        if fields[.contentType] == nil, let contentType = body.contentType { fields[.contentType] = contentType }
        var head: [UInt8] = []
        // A field holds no line break, whatever it was made from: the type sees to that.
        for field in fields {
            head += Array(field.name.rawName.utf8) + Array(": ".utf8)
            field.withUnsafeBytesOfValue { head += $0 }
            head += Array("\r\n".utf8)
        }
        return head + Array("\r\n".utf8)
    }
}

/// Shows the body's length and type: names of files say a lot about people.
extension MultipartPart: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { body.description }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["body": body]) }
}
