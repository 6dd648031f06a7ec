/// An error from the strict JSON parser. It never contains any part of the parsed text.
public enum JSONError: Error, Hashable, Sendable {
    case notUTF8
    case byteOrderMark
    case unexpectedEnd
    case unexpectedByte(offset: Int)
    case duplicateMember(offset: Int)
    case tooDeep(limit: Int)
    case tooManyValues(limit: Int)
}

extension JSONValue {
    /// Creates a value from bytes that contain exactly one JSON text (RFC 8259).
    ///
    /// - Parameters:
    ///   - bytes: JSON text in UTF-8.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects; 64 by default.
    /// - Throws: ``JSONError`` if the bytes are not strict JSON, an object has two members with the same name, the nesting is too deep, or
    ///   the text has more than 100,000 values.
    public init(strict bytes: some Collection<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
        var reader = JSONReader(bytes: Array(bytes), maximumDepth: maximumDepth)
        self = try reader.readText()
    }

    /// Creates a value from a JSON text that a server or another program wrote.
    ///
    /// The text is strict JSON, with two exceptions: a byte order mark before it is ignored (RFC 8259 §8.1), and a string with invalid UTF-8
    /// or unpaired surrogates (§8.2) becomes a ``repairedString(_:)``. Member names must be exact.
    ///
    /// - Parameters:
    ///   - bytes: JSON text in UTF-8.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects.
    ///   - maximumValues: The maximum number of values, including arrays and objects.
    /// - Throws: ``JSONError``.
    package init(
        received bytes: some Collection<UInt8>, maximumDepth: Int = 64, maximumValues: Int = Self.maximumValues
    ) throws(JSONError) {
        var reader = JSONReader(
            bytes: Array(bytes), maximumDepth: maximumDepth, maximumValues: maximumValues, tolerance: .repairsStrings)
        reader.skipByteOrderMark()
        self = try reader.readText()
    }

    /// The maximum number of values in one text. Each needs up to about 100 bytes of memory, whatever its length in the text.
    package static let maximumValues = 100_000
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
        self.init()
        for (name, value) in Self.salvagedMembers(of: bytes, limit: limit) { self[name] = value }
    }

    /// Returns the members that ``init(salvaging:limit:)`` finds, with all values of a name that occurs twice.
    package static func salvagedMembers(
        of bytes: some Collection<UInt8>, limit: Int = 100
    ) -> [(name: String, value: JSONValue)] {
        var reader = JSONReader(bytes: Array(bytes), maximumDepth: 64, tolerance: .salvages)
        return reader.salvageMembers(limit: limit)
    }
}

private struct JSONReader {
    /// What is read although it is not strict JSON.
    enum Tolerance {
        case none
        case repairsStrings
        case salvages
    }

    let bytes: [UInt8]
    let maximumDepth: Int
    let maximumValues: Int
    let tolerance: Tolerance
    var position = 0
    private var count = 0

    init(
        bytes: [UInt8], maximumDepth: Int, maximumValues: Int = JSONValue.maximumValues, tolerance: Tolerance = .none
    ) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
        self.tolerance = tolerance
    }

    mutating func skipByteOrderMark() { position += bytes.count - bytes[...].withoutByteOrderMark.count }

    mutating func salvageMembers(limit: Int) -> [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = []
        position = bytes.firstIndex(of: UInt8(ascii: "{")).map { $0 + 1 } ?? bytes.count
        while members.count < limit {
            skipWhitespace()
            guard let name = try? readName(), let value = try? readValue(depth: 1) else { break }
            members.append((name.text, value))
            skipWhitespace()
            guard skip(UInt8(ascii: ",")) else { break }
        }
        return members
    }

    mutating func readText() throws(JSONError) -> JSONValue {
        guard position > 0 || bytes[...].withoutByteOrderMark.count == bytes.count else { throw .byteOrderMark }
        let value = try readValue(depth: 0)
        skipWhitespace()
        guard position == bytes.count else { throw .unexpectedByte(offset: position) }
        return value
    }

    private mutating func readValue(depth: Int) throws(JSONError) -> JSONValue {
        skipWhitespace()
        count += 1
        guard count <= maximumValues else { throw .tooManyValues(limit: maximumValues) }
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try readObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try readArray(depth: depth + 1))
        case UInt8(ascii: "\""): return try readString()
        case UInt8(ascii: "t"): return try readWord("true", as: .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", as: .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", as: .null)
        default: return .number(try readNumber())
        }
    }

    private mutating func readObject(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= maximumDepth else { throw .tooDeep(limit: maximumDepth) }
        position += 1
        var object = JSONObject()
        var names = NamesInObject()
        skipWhitespace()
        if try peek() == UInt8(ascii: "}") {
            position += 1
            return object
        }
        while true {
            skipWhitespace()
            let start = position
            let name = try readName()
            guard names.insert(name, afterMembersOf: object) == nil || tolerance == .salvages else {
                throw .duplicateMember(offset: start)
            }
            let value = try readValue(depth: depth)
            skipWhitespace()
            let isLast = try next(UInt8(ascii: ","), orEnd: UInt8(ascii: "}"))
            // Reserves once instead of growing at each doubling, but not for a single member. The claims of most tokens fit.
            if object.members.isEmpty, !isLast { object.reserveCapacity(depth == 1 ? 16 : 4) }
            object.appendUnchecked(name, value)
            if isLast { return object }
        }
    }

    private mutating func readName() throws(JSONError) -> MemberName {
        try expect(UInt8(ascii: "\""))
        let plain = readPlainText(MemberName.init(ascii:))
        let name = if let plain { plain } else { MemberName(try readEscapedString(repairing: tolerance == .salvages).text) }
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

    private mutating func readString() throws(JSONError) -> JSONValue {
        position += 1
        if let string = readPlainText(String.init(ascii:)) { return .string(string) }
        let (text, isExact) = try readEscapedString(repairing: tolerance != .none)
        return isExact ? .string(text) : .repairedString(text)
    }

    /// Reads the rest of a string. With repairing, parts that have no Unicode meaning become U+FFFD, and the text is not exact.
    private mutating func readEscapedString(repairing: Bool) throws(JSONError) -> (text: String, isExact: Bool) {
        var text: [UInt8] = []
        var isExact = true
        while true {
            let start = position
            skipUnescaped()
            let run = bytes[start..<position]
            switch try peek() {
            case UInt8(ascii: "\""):
                position += 1
                let whole = text.isEmpty ? run : text[...] + run
                if let string = String(validating: whole, as: UTF8.self) { return (string, isExact) }
                guard repairing else { throw .notUTF8 }
                return (String(decoding: whole, as: UTF8.self), false)
            case UInt8(ascii: "\\"):
                position += 1
                text += run
                isExact = try readEscape(into: &text, repairing: repairing) && isExact
            case let control:
                guard tolerance == .salvages else { throw .unexpectedByte(offset: position) }
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

    /// Returns whether the escape is exact.
    private mutating func readEscape(into text: inout [UInt8], repairing: Bool) throws(JSONError) -> Bool {
        let start = position
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try readUnicodeEscape()
            guard scalar != nil || repairing else { throw .unexpectedByte(offset: start + 1) }
            text += String(scalar ?? "\u{FFFD}").utf8
            return scalar != nil
        default: throw .unexpectedByte(offset: start)
        }
        return true
    }

    /// Reads a Unicode escape, with the escape of the other surrogate if it is half of a pair. Returns nil for an unpaired surrogate, which
    /// has no UTF-8 encoding.
    private mutating func readUnicodeEscape() throws(JSONError) -> Unicode.Scalar? {
        let first = try readCodeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let next = position
        guard UTF16.isLeadSurrogate(first), skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")),
            case let second = try readCodeUnit(), UTF16.isTrailSurrogate(second)
        else {
            position = next
            return nil
        }
        return Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
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
