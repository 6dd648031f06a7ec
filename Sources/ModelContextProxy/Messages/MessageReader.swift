import AuthHubPrimitives

/// Reads the JSON text of a message from its beginning to its end, as tolerantly as ``MessageText``.
struct MessageReader {
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

    /// Reads an object; the caller reads each value.
    ///
    /// - Parameter read: Receives the name of a member, and must read the value; returns false to stop.
    /// - Returns: False if the next value is not an object, or was not read to its end.
    mutating func readMembers(_ read: (inout Self, String) -> Bool) -> Bool {
        guard skip(UInt8(ascii: "{")) else { return false }
        if skip(UInt8(ascii: "}")) { return true }
        repeat {
            guard let name = readName(), read(&self, MessageText(value: name).string ?? "") else { return false }
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "}"))
    }

    /// Reads an array; the caller reads each element.
    ///
    /// - Parameter read: Must read the element; returns false to stop.
    /// - Returns: False if the next value is not an array, or was not read to its end.
    mutating func readElements(_ read: (inout Self) -> Bool) -> Bool {
        guard skip(UInt8(ascii: "[")) else { return false }
        if skip(UInt8(ascii: "]")) { return true }
        repeat {
            guard read(&self) else { return false }
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "]"))
    }

    /// The first byte of the next value.
    var next: UInt8? {
        mutating get {
            skipWhitespace()
            return rest.first
        }
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

    /// Returns the text between quotation marks. Invalid UTF-8 becomes U+FFFD.
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
