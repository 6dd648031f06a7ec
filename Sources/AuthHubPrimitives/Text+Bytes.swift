import Platform

extension StringProtocol {
    /// Returns whether two strings are equal byte by byte.
    ///
    /// `==` treats canonically equivalent strings as equal, such as the kelvin sign and the letter K. Use this function for names of
    /// parameters and members, and for values that prove a secret.
    package func hasSameBytes(as other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension String {
    /// Returns whether two strings are equal byte by byte. Not generic, so that it is fast in other modules, too.
    package func hasSameBytes(as other: String) -> Bool {
        // Most names differ in length, which strings know.
        guard utf8.count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in left.hasSameBytes(as: right) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Creates a string from ASCII. Several times as fast as `String(decoding:as:)`, because it does not look for invalid UTF-8 first.
    init(ascii bytes: UnsafeBufferPointer<UInt8>) {
        self.init(unsafeUninitializedCapacity: bytes.count) { text in
            text.initialize(fromContentsOf: bytes)
        }
    }

    /// The whole number in decimal notation that the string consists of, if it has at most 15 digits and nothing else; otherwise nil.
    var shortWholeNumber: Int64? {
        guard (1...15).contains(utf8.count) else { return nil }
        let value: Int64?? = utf8.withContiguousStorageIfAvailable { digits in
            var value: Int64 = 0
            for digit in digits {
                guard digit.isASCIIDigit else { return nil }
                value = value &* 10 &+ Int64(digit &- UInt8(ascii: "0"))
            }
            return value
        }
        return value ?? nil
    }

    /// Returns how often a byte occurs.
    package func count(of byte: UInt8) -> Int {
        var text = self
        return text.withUTF8 { bytes in
            var (count, position) = (0, 0)
            while let next = bytes.firstIndex(of: byte, from: position) { (count, position) = (count + 1, next + 1) }
            return count
        }
    }

    /// The same as `lowercased()`, but does not copy ASCII text without capitals, which is the usual case.
    var inLowerCase: String {
        utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? self : lowercased()
    }
}

extension UnsafeBufferPointer<UInt8> {
    package func hasSameBytes(as other: Self) -> Bool {
        guard let own = baseAddress, let others = other.baseAddress, count == other.count else { return count == other.count }
        // A string of up to 15 bytes is in two registers until it is copied to memory here. A read of several bytes, as in the C library,
        // would have to wait for these writes.
        guard count >= 16 else { return indices.allSatisfy { own[$0] == others[$0] } }
        return memcmp(own, others, count) == 0
    }

    /// Returns the index of the first occurrence of a byte at or after an index; nil if there is none.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        // The C library searches many bytes at a time.
        guard let own = baseAddress, start < count, let found = memchr(own + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(own).distance(to: found)
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit.
    package var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    package var isASCIILetter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }

    package var isASCIIDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    /// Whether the byte is allowed in an HTTP token, such as the name of a header field (RFC 9110 §5.6.2).
    package var isHTTPTokenCharacter: Bool {
        isASCIILetter || isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }

    /// Whether the byte is an unreserved character, which has no special meaning anywhere in a URI (RFC 3986 §2.3).
    package var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isASCIILetter || isASCIIDigit
        }
    }
}

/// Appends `%` and two upper-case digits for a byte (RFC 3986 §2.1).
func appendPercentEncoded(_ byte: UInt8, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "%"))
    text.append(upperHexadecimalDigit(byte >> 4))
    text.append(upperHexadecimalDigit(byte & 0xF))
}

private func upperHexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}
