/// An error from the strict JSON parser. It never contains any part of the parsed text.
public enum JSONError: Error, Hashable, Sendable {
    case notUTF8
    case byteOrderMark
    case unexpectedEnd
    case unexpectedByte(offset: Int)
    case duplicateMember(offset: Int)
    case tooDeep(limit: Int)
}

extension JSONValue {
    /// Creates a value from bytes that contain exactly one JSON text (RFC 8259).
    ///
    /// - Parameters:
    ///   - bytes: JSON text in UTF-8.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects; 64 by default.
    /// - Throws: ``JSONError`` if the bytes are not strict JSON, an object has two members with the same name, or the nesting is too deep.
    public init(strict bytes: some Collection<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
        var reader = JSONReader(bytes: Array(bytes), maximumDepth: maximumDepth)
        self = try reader.readText()
    }
}

extension JSONObject {
    /// Creates an object from the members of the first object in bytes that are not strict JSON, up to the first member that cannot be
    /// read.
    ///
    /// Use it for values that must not be lost, not for values that are trusted: it tolerates bytes around the object, invalid UTF-8 and
    /// control characters, and if a name occurs twice, the last member counts, as in most readers.
    ///
    /// - Parameter limit: The maximum number of members.
    package init(salvaging bytes: some Collection<UInt8>, limit: Int = 100) {
        var reader = JSONReader(bytes: Array(bytes), maximumDepth: 64, isLenient: true)
        self = reader.salvageObject(limit: limit)
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    let maximumDepth: Int
    let isLenient: Bool
    var position = 0

    init(bytes: [UInt8], maximumDepth: Int, isLenient: Bool = false) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.isLenient = isLenient
    }

    mutating func salvageObject(limit: Int) -> JSONObject {
        var object = JSONObject()
        position = bytes.firstIndex(of: UInt8(ascii: "{")).map { $0 + 1 } ?? bytes.count
        while object.members.count < limit {
            skipWhitespace()
            guard let name = try? readName(), let value = try? readValue(depth: 1) else { break }
            object[name.text] = value
            skipWhitespace()
            guard skip(UInt8(ascii: ",")) else { break }
        }
        return object
    }

    mutating func readText() throws(JSONError) -> JSONValue {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .byteOrderMark }
        let value = try readValue(depth: 0)
        skipWhitespace()
        guard position == bytes.count else { throw .unexpectedByte(offset: position) }
        return value
    }

    private mutating func readValue(depth: Int) throws(JSONError) -> JSONValue {
        skipWhitespace()
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try readObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try readArray(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", as: .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", as: .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", as: .null)
        default: return .number(try readNumber())
        }
    }

    private mutating func readObject(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= maximumDepth else { throw .tooDeep(limit: maximumDepth) }
        position += 1
        // One allocation instead of one for each doubling. The claims of most tokens fit.
        var object = JSONObject(minimumCapacity: depth == 1 ? 16 : 4)
        var names = NamesInObject()
        skipWhitespace()
        if try peek() == UInt8(ascii: "}") {
            position += 1
            return JSONObject()
        }
        while true {
            skipWhitespace()
            let start = position
            let name = try readName()
            guard names.insert(name, afterMembersOf: object) || isLenient else { throw .duplicateMember(offset: start) }
            object.appendUnchecked(name, try readValue(depth: depth))
            skipWhitespace()
            if try next(UInt8(ascii: ","), orEnd: UInt8(ascii: "}")) { return object }
        }
    }

    private mutating func readName() throws(JSONError) -> MemberName {
        try expect(UInt8(ascii: "\""))
        let plain = readPlainText(MemberName.init(ascii:))
        let name = if let plain { plain } else { MemberName(try readEscapedString()) }
        skipWhitespace()
        try expect(UInt8(ascii: ":"))
        return name
    }

    private mutating func readArray(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= maximumDepth else { throw .tooDeep(limit: maximumDepth) }
        position += 1
        var values: [JSONValue] = []
        skipWhitespace()
        if try peek() == UInt8(ascii: "]") {
            position += 1
            return values
        }
        while true {
            values.append(try readValue(depth: depth))
            skipWhitespace()
            if try next(UInt8(ascii: ","), orEnd: UInt8(ascii: "]")) { return values }
        }
    }

    private mutating func readString() throws(JSONError) -> String {
        position += 1
        if let string = readPlainText(String.init(ascii:)) { return string }
        return try readEscapedString()
    }

    private mutating func readEscapedString() throws(JSONError) -> String {
        var text: [UInt8] = []
        while true {
            let start = position
            skipUnescaped()
            let run = bytes[start..<position]
            switch try peek() {
            case UInt8(ascii: "\""):
                position += 1
                let whole = text.isEmpty ? run : text[...] + run
                if let string = String(validating: whole, as: UTF8.self) { return string }
                guard isLenient else { throw .notUTF8 }
                return String(decoding: whole, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                text += run
                try readEscape(into: &text)
            case let control:
                guard isLenient else { throw .unexpectedByte(offset: position) }
                text += run
                text.append(control)
                position += 1
            }
        }
    }

    /// Reads the rest of a string of ASCII without escapes, which is the usual case. Otherwise, returns nil and reads nothing.
    private mutating func readPlainText<Text>(_ makeText: (UnsafeBufferPointer<UInt8>) -> Text) -> Text? {
        let start = position
        let plain: (text: Text, end: Int)? = bytes.withUnsafeBufferPointer { bytes in
            let end = bytes.endOfPlainText(from: start)
            guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
            return (makeText(UnsafeBufferPointer(rebasing: bytes[start..<end])), end)
        }
        guard let plain else { return nil }
        position = plain.end + 1
        return plain.text
    }

    private mutating func skipUnescaped() {
        position = bytes[position...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 } ?? bytes.count
    }

    private mutating func readEscape(into text: inout [UInt8]) throws(JSONError) {
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += String(try readUnicodeEscape()).utf8
        default: throw .unexpectedByte(offset: position - 1)
        }
    }

    /// Reads a Unicode escape. A lone surrogate is rejected because it has no UTF-8 encoding.
    private mutating func readUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        let first = try readCodeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first) else { throw .unexpectedByte(offset: start) }
        try expect(UInt8(ascii: "\\"))
        try expect(UInt8(ascii: "u"))
        let second = try readCodeUnit()
        guard UTF16.isTrailSurrogate(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw .unexpectedByte(offset: start) }
        return scalar
    }

    private mutating func readCodeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = try peek().hexadecimalDigit else { throw .unexpectedByte(offset: position) }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    private mutating func readNumber() throws(JSONError) -> JSONNumber {
        let start = position
        skip(UInt8(ascii: "-"))
        if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
            position += 1
        } else {
            try skipDigits()
        }
        if skip(UInt8(ascii: ".")) { try skipDigits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
            try skipDigits()
        }
        let text = bytes.withUnsafeBufferPointer { String(ascii: UnsafeBufferPointer(rebasing: $0[start..<position])) }
        return JSONNumber(text: text)
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = position
        position = bytes[start...].firstIndex { !$0.isASCIIDigit } ?? bytes.count
        guard position > start else {
            if position == bytes.count { throw .unexpectedEnd }
            throw .unexpectedByte(offset: position)
        }
    }

    private mutating func readWord(_ word: String, as value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.utf8 { try expect(byte) }
        return value
    }

    @inline(__always)
    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    @discardableResult
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    @inline(__always)
    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard try peek() == byte else { throw .unexpectedByte(offset: position) }
        position += 1
    }

    /// Skips a separator (returns false) or the end of the collection (returns true).
    private mutating func next(_ separator: UInt8, orEnd end: UInt8) throws(JSONError) -> Bool {
        let byte = try peek()
        guard byte == separator || byte == end else { throw .unexpectedByte(offset: position) }
        position += 1
        return byte == end
    }

    @inline(__always)
    private func peek() throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw .unexpectedEnd }
        return bytes[position]
    }
}

/// The member names of an object so far, compared byte by byte. A small object compares them one by one, which allocates no memory; a large
/// one uses a set, so that parsing takes linear time.
private struct NamesInObject {
    private static let few = 32
    private var many: Set<[UInt8]> = []

    /// Inserts a name; returns whether it is new.
    mutating func insert(_ name: MemberName, afterMembersOf object: JSONObject) -> Bool {
        guard object.members.count >= Self.few else { return object.index(of: name) == nil }
        if many.isEmpty { many = Set(object.members.map { Array($0.name.utf8) }) }
        return many.insert(Array(name.text.utf8)).inserted
    }
}
