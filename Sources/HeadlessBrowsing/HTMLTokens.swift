/// A part of an HTML text, as far as forms need it.
enum HTMLToken: Equatable {
    /// A start tag: the name in lower case, and the attributes with decoded values.
    case start(String, [String: String])
    case end(String)
    case text(String)
}

/// A tokenizer for HTML: tags, attributes and text. Scripts, styles and comments are skipped.
struct HTMLTokens: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0
    /// The element whose content is plain text up to its end tag, whatever it looks like.
    private var rawElement: String?

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func next() -> HTMLToken? {
        while position < bytes.count {
            if let rawElement {
                self.rawElement = nil
                let content = readRaw(until: rawElement)
                if ["textarea", "title"].contains(rawElement), !content.isEmpty { return .text(HTMLEntities.decoded(content)) }
                continue
            }
            guard bytes[position] == UInt8(ascii: "<") else { return .text(HTMLEntities.decoded(readText())) }
            if let token = readMarkup() { return token }
        }
        return nil
    }
}

extension HTMLTokens {
    private static let rawElements: Set<String> = ["script", "style", "textarea", "title", "noscript", "template"]

    private mutating func readText() -> String {
        let start = position
        position = bytes[start...].dropFirst().firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads a tag; returns nil if it skipped a comment or a declaration.
    private mutating func readMarkup() -> HTMLToken? {
        let rest = bytes[position...].dropFirst()
        switch rest.first {
        case UInt8(ascii: "!"), UInt8(ascii: "?"):
            let end = rest.starts(with: "!--".utf8) ? "-->" : ">"
            position = bytes[position...].firstRange(of: Array(end.utf8))?.upperBound ?? bytes.count
            return nil
        case UInt8(ascii: "/"):
            position += 2
            let name = readName()
            position = (bytes[position...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
            return .end(name)
        case let byte? where Character(Unicode.Scalar(byte)).isLetter:
            position += 1
            return readStartTag()
        default:
            position += 1
            return .text("<")
        }
    }

    private mutating func readStartTag() -> HTMLToken {
        let name = readName()
        var attributes: [String: String] = [:]
        while let byte = skipSpaceAndSlashes(), byte != UInt8(ascii: ">") {
            let attribute = readName()
            guard !attribute.isEmpty else {
                position += 1
                continue
            }
            let value = readAttributeValue()
            // The first attribute with a name counts, as in browsers.
            if attributes[attribute] == nil { attributes[attribute] = value }
        }
        position += 1
        if Self.rawElements.contains(name) { rawElement = name }
        return .start(name, attributes)
    }

    private mutating func readName() -> String {
        let start = position
        while position < bytes.count, !" \t\r\n\u{0C}/>=".utf8.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
    }

    private mutating func readAttributeValue() -> String {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return "" }
        position += 1
        skipSpace()
        guard position < bytes.count else { return "" }
        let start: Int
        let quote = bytes[position]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            start = position + 1
            position = bytes[start...].firstIndex(of: quote) ?? bytes.count
            defer { position += 1 }
            return HTMLEntities.decoded(String(decoding: bytes[start..<position], as: UTF8.self))
        }
        start = position
        while position < bytes.count, !" \t\r\n\u{0C}>".utf8.contains(bytes[position]) { position += 1 }
        return HTMLEntities.decoded(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func readRaw(until element: String) -> String {
        let start = position
        let end = Array("</\(element)".utf8)
        while position < bytes.count {
            let candidate = bytes[position...].prefix(end.count)
            if candidate.elementsEqual(end, by: { $0 == $1 || ($0 | 0x20) == $1 }) { break }
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while position < bytes.count, " \t\r\n\u{0C}".utf8.contains(bytes[position]) { position += 1 }
    }

    private mutating func skipSpaceAndSlashes() -> UInt8? {
        while position < bytes.count, " \t\r\n\u{0C}/".utf8.contains(bytes[position]) { position += 1 }
        return position < bytes.count ? bytes[position] : nil
    }
}
