/// A parser for one `Link` field (RFC 8288 §3, with the leniency of its appendix B.2).
struct LinkReader {
    private var rest: Substring.UTF8View

    /// Returns the links up to the end or the first error, and whether the end was reached.
    static func links(in field: String) -> (links: [LinkHeader.Link], isWhole: Bool) {
        var reader = LinkReader(rest: Substring(field).utf8)
        var links: [LinkHeader.Link] = []
        while true {
            while reader.skip(UInt8(ascii: ",")) {}
            let isAtEnd = reader.rest.isEmpty
            guard let link = reader.readLink() else { return (links, isAtEnd) }
            links.append(link)
            guard reader.skip(UInt8(ascii: ",")) else { return (links, true) }
        }
    }

    private mutating func readLink() -> LinkHeader.Link? {
        guard skip(UInt8(ascii: "<")), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let reference = String(Substring(rest[..<end]))
        rest = rest[rest.index(after: end)...]
        var parameters: [LinkHeader.Link.Parameter] = []
        while skip(UInt8(ascii: ";")) {
            skipWhitespace()
            guard let next = rest.first, next != UInt8(ascii: ";"), next != UInt8(ascii: ",") else { continue }
            guard let parameter = readParameter() else { return nil }
            parameters.append(parameter)
        }
        skipWhitespace()
        guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
        return LinkHeader.Link(reference: reference, parameters: parameters)
    }

    private mutating func readParameter() -> LinkHeader.Link.Parameter? {
        let name = readToken().lowercased()
        guard !name.isEmpty else { return nil }
        guard skip(UInt8(ascii: "=")) else { return LinkHeader.Link.Parameter(name: name, value: nil) }
        skipWhitespace()
        guard rest.first == UInt8(ascii: "\"") else { return LinkHeader.Link.Parameter(name: name, value: readToken()) }
        guard let value = readQuotedString() else { return nil }
        return LinkHeader.Link.Parameter(name: name, value: value)
    }

    private mutating func readToken() -> String {
        let end = rest.firstIndex { byte in
            switch byte {
            case UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: " "), UInt8(ascii: "\t"):
                true
            default: false
            }
        }
        let token = rest[..<(end ?? rest.endIndex)]
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    /// Reads a quoted string (RFC 9110 §5.6.4); returns nil if the closing quotation mark is missing.
    private mutating func readQuotedString() -> String? {
        var text: [UInt8] = []
        rest = rest.dropFirst()
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                byte = escaped
            }
            text.append(byte)
        }
        return nil
    }

    /// Skips a character and any whitespace before it.
    private mutating func skip(_ byte: UInt8) -> Bool {
        skipWhitespace()
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipWhitespace() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
