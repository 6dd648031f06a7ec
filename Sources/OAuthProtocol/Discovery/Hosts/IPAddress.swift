/// Reads IP addresses in all forms that systems accept, so that none is mistaken for a name.
enum IPAddress {
    /// Reads one to four decimal, octal or hexadecimal numbers. As in `inet_aton`, the last one fills the remaining bytes.
    static func v4(_ parts: ArraySlice<Substring>) -> UInt32? {
        let numbers = parts.compactMap(number)
        guard (1...4).contains(parts.count), numbers.count == parts.count, let last = numbers.last else { return nil }
        let leading = numbers.dropLast()
        guard leading.allSatisfy({ $0 < 256 }), last >> (8 * UInt64(4 - leading.count)) == 0 else { return nil }
        let high = leading.enumerated().reduce(UInt64(0)) { $0 | $1.element << (8 * UInt64(3 - $1.offset)) }
        return UInt32(high | last)
    }

    /// Reads one number of an IP address. A number that is too large becomes the maximum, which no IP address contains.
    static func number(_ text: Substring) -> UInt64? {
        let (digits, radix): (Substring, Int) =
            if text.hasPrefix("0x") { (text.dropFirst(2), 16) } else if text.count > 1, text.hasPrefix("0") { (text.dropFirst(), 8) } else {
                (text, 10)
            }
        if digits.isEmpty { return radix == 16 ? 0 : nil }
        let isNumeric = digits.utf8.allSatisfy { radix == 16 ? isHexadecimal($0) : (0x30...0x39).contains($0) }
        guard isNumeric else { return nil }
        return UInt64(digits, radix: radix) ?? .max
    }

    /// Eight groups, one row of zeroes left out, the last two perhaps as IPv4.
    static func v6(_ text: Substring) -> [UInt16]? {
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        switch halves.count {
        case 1:
            guard let groups = groups(halves[0]), groups.count == 8 else { return nil }
            return groups
        case 2:
            guard let front = groups(halves[0]), let back = groups(halves[1]), front.count + back.count < 8 else { return nil }
            return front + Array(repeating: 0, count: 8 - front.count - back.count) + back
        default: return nil
        }
    }

    private static func groups(_ text: Substring) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            if part.contains(".") {
                let bytes = part.split(separator: ".", omittingEmptySubsequences: false)
                guard part.endIndex == text.endIndex, bytes.count == 4, let address = v4(bytes[...]) else { return nil }
                groups += [UInt16(address >> 16), UInt16(address & 0xFFFF)]
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexadecimal), let group = UInt16(part, radix: 16) else {
                    return nil
                }
                groups.append(group)
            }
        }
        return groups
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
    }
}
