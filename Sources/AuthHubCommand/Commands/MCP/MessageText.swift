import AuthHubPrimitives

/// The text of a JSON value in a message that is only passed on.
///
/// It is read as tolerantly as hosts and servers read it: any depth, members that are repeated (the last one counts), and halves of surrogate
/// pairs, which only become U+FFFD in ``string``. Nothing is copied or kept but the places of values.
struct MessageText: Sendable {
    let bytes: ArraySlice<UInt8>

    /// Creates the text of a whole message, without a byte order mark and the white space around it.
    ///
    /// - Returns: nil if it is not JSON.
    init?(_ bytes: [UInt8]) {
        var reader = TextReader(bytes.withoutByteOrderMark)
        guard let value = reader.readValue(), reader.isAtEnd else { return nil }
        self.bytes = value
    }

    fileprivate init(value: ArraySlice<UInt8>) { bytes = value }

    /// The members of an object with their names, in order; empty for other values.
    var members: [(name: String, value: MessageText)] {
        guard bytes.first == UInt8(ascii: "{") else { return [] }
        var reader = TextReader(bytes.dropFirst())
        var members: [(name: String, value: MessageText)] = []
        while let name = reader.readName(), let value = reader.readValue() {
            members.append((MessageText(value: name).string ?? "", MessageText(value: value)))
            guard reader.skip(UInt8(ascii: ",")) else { break }
        }
        return members
    }

    /// The elements of an array; nil for other values.
    var elements: [MessageText]? { elements(upTo: .max) }

    /// Returns the elements of an array, one more than the limit at most; nil for other values.
    func elements(upTo limit: Int) -> [MessageText]? {
        guard bytes.first == UInt8(ascii: "[") else { return nil }
        var reader = TextReader(bytes.dropFirst())
        var elements: [MessageText] = []
        while let value = reader.readValue() {
            elements.append(MessageText(value: value))
            guard elements.count <= limit, reader.skip(UInt8(ascii: ",")) else { break }
        }
        return elements
    }

    /// The last member with a name.
    subscript(name: String) -> MessageText? { members.last { $0.name.hasSameBytes(as: name) }?.value }

    var isObject: Bool { bytes.first == UInt8(ascii: "{") }

    /// The text of a string; nil for other values.
    var string: String? {
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        return TextReader.text(of: bytes.dropFirst().dropLast())
    }

    /// The text of a string, a number or a word; nil for other values.
    var scalar: String? {
        switch bytes.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), nil: nil
        default: string ?? String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The value for code that needs all of it; nil if it breaks the rules for values that are used.
    var value: JSONValue? { try? JSONValue(strict: bytes) }
}

private struct TextReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool {
        mutating get {
            skipWhitespace()
            return rest.isEmpty
        }
    }

    /// Reads a value of any depth.
    mutating func readValue() -> ArraySlice<UInt8>? {
        skipWhitespace()
        let whole = rest
        var ends: [UInt8] = []
        while true {
            skipWhitespace()
            switch rest.first {
            case UInt8(ascii: "{"):
                rest.removeFirst()
                if !skip(UInt8(ascii: "}")) {
                    guard readName() != nil else { return nil }
                    ends.append(UInt8(ascii: "}"))
                    continue
                }
            case UInt8(ascii: "["):
                rest.removeFirst()
                if !skip(UInt8(ascii: "]")) {
                    ends.append(UInt8(ascii: "]"))
                    continue
                }
            case UInt8(ascii: "\""): guard readString() != nil else { return nil }
            default: guard readWord() else { return nil }
            }
            while let end = ends.last, skip(end) { ends.removeLast() }
            guard let end = ends.last else { return whole[..<rest.startIndex] }
            guard skip(UInt8(ascii: ",")), end == UInt8(ascii: "]") || readName() != nil else { return nil }
        }
    }

    /// Reads a name and the colon after it.
    mutating func readName() -> ArraySlice<UInt8>? {
        skipWhitespace()
        guard let name = readString(), skip(UInt8(ascii: ":")) else { return nil }
        return name
    }

    /// Skips a byte and the white space before it.
    mutating func skip(_ byte: UInt8) -> Bool {
        skipWhitespace()
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func readString() -> ArraySlice<UInt8>? {
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        var end = rest.startIndex + 1
        while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
            guard rest[end] >= 0x20 else { return nil }
            guard rest[end] == UInt8(ascii: "\\") else {
                end += 1
                continue
            }
            let escape = rest[(end + 1)...].first ?? 0
            let digits = escape == UInt8(ascii: "u") ? rest[(end + 2)...].prefix(4) : []
            guard Self.simpleEscapes.contains(escape) || digits.count == 4 && digits.allSatisfy({ $0.hexadecimalDigit != nil }) else {
                return nil
            }
            end += 2 + digits.count
        }
        guard end < rest.endIndex else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[...end]
    }

    private mutating func readWord() -> Bool {
        let word = rest.prefix {
            $0.isASCIILetter || $0.isASCIIDigit || [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")].contains($0)
        }
        rest = rest[word.endIndex...]
        return (try? JSONValue(strict: word)) != nil
    }

    private mutating func skipWhitespace() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }

    /// Returns the text between quotation marks. What is not text becomes U+FFFD.
    static func text(of bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var units: [UInt16] = []
        var rest = bytes
        while !rest.isEmpty {
            let plain = rest.prefix { $0 != UInt8(ascii: "\\") }
            units += String(decoding: plain, as: UTF8.self).utf16
            rest = rest[plain.endIndex...].dropFirst()
            guard let escape = rest.popFirst() else { break }
            if escape == UInt8(ascii: "u"), let unit = UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) {
                units.append(unit)
                rest = rest.dropFirst(4)
            } else {
                units.append(UInt16(escapes[escape] ?? escape))
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static let simpleEscapes = Array(#""\/bfnrt"#.utf8)
    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]
}
