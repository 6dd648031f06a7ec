/// The base64url encoding without padding, as JOSE and PKCE use it (RFC 4648 §5, RFC 7515 §2).
package enum Base64URL {
    /// Encodes bytes as base64url without padding.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.underestimatedCount * 4 + 2) / 3)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in Array(bytes) {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(character(of: UInt8(truncatingIfNeeded: buffer >> UInt32(bits) & 0x3F)))
            }
        }
        if bits > 0 {
            text.append(character(of: UInt8(truncatingIfNeeded: buffer << UInt32(6 - bits) & 0x3F)))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes base64url strictly: padding, other alphabets, whitespace and leftover bits are rejected.
    ///
    /// - Returns: The bytes, or nil if the text is not what ``encode(_:)`` would produce.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        for character in Array(text.utf8) {
            guard let digit = digit(of: character) else { return nil }
            buffer = buffer << 6 | UInt32(digit)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        let leftOver = buffer & (1 << UInt32(bits) - 1)
        guard bits < 6, leftOver == 0 else { return nil }
        return bytes
    }

    private static func character(of digit: UInt8) -> UInt8 {
        switch digit {
        case 0..<26: UInt8(ascii: "A") + digit
        case 26..<52: UInt8(ascii: "a") + digit - 26
        case 52..<62: UInt8(ascii: "0") + digit - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    private static func digit(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
