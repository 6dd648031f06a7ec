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
        if let bytes = text.utf8.withContiguousStorageIfAvailable(decode(ascii:)) { return bytes }
        return Array(text.utf8).withUnsafeBufferPointer(decode(ascii:))
    }

    /// Decodes base64url in ASCII, as strictly as ``decode(_:)``.
    package static func decode(ascii text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let (groups, rest) = text.count.quotientAndRemainder(dividingBy: 4)
        // Six bits cannot be a byte.
        guard rest != 1 else { return nil }
        // Bits that must be zero, of all characters: the marks of characters outside the alphabet, and leftover bits.
        var wrong: UInt32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: groups * 3 + rest * 3 / 4) { output, count in
            digits.withUnsafeBufferPointer { digits in
                func digit(_ index: Int) -> UInt32 { UInt32(digits[Int(text[index])]) }
                var input = 0
                for _ in 0..<groups {
                    let (first, second, third, fourth) = (digit(input), digit(input + 1), digit(input + 2), digit(input + 3))
                    wrong |= (first | second | third | fourth) & notADigit
                    let group = first << 18 | second << 12 | third << 6 | fourth
                    output[count] = UInt8(truncatingIfNeeded: group >> 16)
                    output[count + 1] = UInt8(truncatingIfNeeded: group >> 8)
                    output[count + 2] = UInt8(truncatingIfNeeded: group)
                    input += 4
                    count += 3
                }
                guard rest > 0 else { return }
                let (first, second, third) = (digit(input), digit(input + 1), rest == 3 ? digit(input + 2) : 0)
                wrong |= (first | second | third) & notADigit
                let group = first << 18 | second << 12 | third << 6
                output[count] = UInt8(truncatingIfNeeded: group >> 16)
                if rest == 3 { output[count + 1] = UInt8(truncatingIfNeeded: group >> 8) }
                count += rest - 1
                wrong |= group & (rest == 3 ? 0xFF : 0xFFFF)
            }
        }
        return wrong == 0 ? bytes : nil
    }

    private static let notADigit: UInt32 = 0x80

    /// The value of each character of the alphabet; ``notADigit`` for any other byte.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: UInt8(notADigit), count: 256)
        for digit in UInt8(0)..<64 { digits[Int(character(of: digit))] = digit }
        return digits
    }()

    private static func character(of digit: UInt8) -> UInt8 {
        switch digit {
        case 0..<26: UInt8(ascii: "A") + digit
        case 26..<52: UInt8(ascii: "a") + digit - 26
        case 52..<62: UInt8(ascii: "0") + digit - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }
}
