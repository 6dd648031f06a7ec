extension StringProtocol {
    /// Whether two texts are the same byte for byte.
    ///
    /// `==` calls canonically equivalent texts equal, such as the sign for kelvin and the letter K. What names a parameter or a member,
    /// or proves a secret, is compared by this instead.
    package func hasSameBytes(as other: some StringProtocol) -> Bool {
        // Most names differ in their lengths, which texts know.
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension String {
    /// The same as `lowercased()`; a text in ASCII without capitals, as most are, is not copied.
    var inLowerCase: String {
        utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? self : lowercased()
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit in ASCII.
    var hexadecimalDigit: UInt8? {
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

    /// Whether it may stand in a token of HTTP, such as the name of a header field (RFC 9110 §5.6.2).
    package var isHTTPTokenCharacter: Bool {
        isASCIILetter || isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }

    /// Whether it is one of the characters that mean nothing but themselves anywhere in a URI (RFC 3986 §2.3).
    package var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isASCIILetter || isASCIIDigit
        }
    }
}

/// `%` and two digits in upper case for each byte, as RFC 3986 §2.1 writes what may not stand for itself.
func appendPercentEncoded(_ byte: UInt8, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "%"))
    text.append(upperHexadecimalDigit(byte >> 4))
    text.append(upperHexadecimalDigit(byte & 0xF))
}

private func upperHexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}
