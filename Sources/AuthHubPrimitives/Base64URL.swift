/// The base64url encoding without padding, as JOSE and PKCE use it (RFC 4648 §5, RFC 7515 §2).
package enum Base64URL {
    /// Encodes bytes as base64url without padding.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        if let text = bytes.withContiguousStorageIfAvailable(encode(bytes:)) { return text }
        return Array(bytes).withUnsafeBufferPointer(encode(bytes:))
    }

    private static func encode(bytes: UnsafeBufferPointer<UInt8>) -> String {
        let alphabet = alphabet.utf8Start
        let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        return String(unsafeUninitializedCapacity: groups * 4 + (rest == 0 ? 0 : rest + 1)) { text in
            var count = 0
            func append(_ group: UInt32, _ length: Int) {
                for position in 0..<length { text[count + position] = alphabet[Int(group >> UInt32(18 - 6 * position) & 0x3F)] }
                count += length
            }
            for input in stride(from: 0, to: groups * 3, by: 3) {
                append(UInt32(bytes[input]) << 16 | UInt32(bytes[input + 1]) << 8 | UInt32(bytes[input + 2]), 4)
            }
            switch rest {
            case 1: append(UInt32(bytes[groups * 3]) << 16, 2)
            case 2: append(UInt32(bytes[groups * 3]) << 16 | UInt32(bytes[groups * 3 + 1]) << 8, 3)
            default: break
            }
            return count
        }
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
        let count = groups * 3 + rest * 3 / 4
        // The bits of all groups, combined: `notADigit` is set if any byte is outside the alphabet.
        var (all, leftover): (UInt32, UInt32) = (0, 0)
        let bytes = [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, initializedCount in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            digits.withUnsafeBufferPointer { digits in
                func digit(_ index: Int, _ place: Int) -> UInt32 { digits[place &* 256 &+ Int(text[index])] }
                var (input, output) = (0, 0)
                for _ in 0..<groups {
                    let group = digit(input, 0) | digit(input &+ 1, 1) | digit(input &+ 2, 2) | digit(input &+ 3, 3)
                    all |= group
                    // One byte too many, which the next group replaces: a single write is faster than three.
                    bytes.storeBytes(of: group.littleEndian, toByteOffset: output, as: UInt32.self)
                    input &+= 4
                    output &+= 3
                }
                guard rest > 0 else { return }
                let group = digit(input, 0) | digit(input + 1, 1) | (rest == 3 ? digit(input + 2, 2) : 0)
                all |= group
                bytes[output] = UInt8(truncatingIfNeeded: group)
                if rest == 3 { bytes[output + 1] = UInt8(truncatingIfNeeded: group >> 8) }
                leftover = group >> (rest == 3 ? 16 : 8) & 0xFFFF
            }
            initializedCount = count
        }
        return all & notADigit == 0 && leftover == 0 ? bytes : nil
    }

    /// A bit above the 24 bits of a group.
    private static let notADigit: UInt32 = 1 << 24

    /// Four tables, one for each place in a group: the bits of a character of the alphabet in the three bytes, of which the first is the lowest;
    /// ``notADigit`` for any other byte.
    private static let digits: [UInt32] = {
        var digits = [UInt32](repeating: notADigit, count: 4 * 256)
        for place in 0..<4 {
            for digit in 0..<64 {
                digits[place * 256 + Int(alphabet.utf8Start[digit])] = (UInt32(digit) << UInt32(26 - 6 * place)).byteSwapped
            }
        }
        return digits
    }()

    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
}
