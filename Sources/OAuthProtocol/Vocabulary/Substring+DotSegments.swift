import AuthHubPrimitives

extension Substring {
    /// Whether a server might read dot segments from the path (RFC 3986 §5.2.4), some only after decoding it, perhaps several times.
    var hasDotSegment: Bool {
        guard utf8.contains(where: { ".%\\".utf8.contains($0) }) else { return false }
        var path = Array(utf8)
        // Each round decodes every encoded byte, so two encodings cannot hide each other. No honest path is encoded this often.
        for _ in 0..<4 {
            guard path.contains(UInt8(ascii: "%")) else { break }
            path = Self.percentDecoded(path)
        }
        guard Self.percentDecoded(path).count == path.count, !Self.hasOverlongCharacter(path) else { return true }
        // Some servers remove control characters.
        let visible = path.filter { $0 > 0x1F && $0 != 0x7F }
        return visible.split(whereSeparator: { "/\\".utf8.contains($0) }).contains { segment in
            // Servers may ignore what follows, such as parameters (;) and spaces. Names such as `.well-known` are no dot segments.
            let rest = segment.drop { $0 == UInt8(ascii: ".") }
            return (1...2).contains(segment.count - rest.count) && rest.first.map { !$0.isUnreserved && $0 < 0x80 } ?? true
        }
    }

    /// Decodes `%2e`, and `%u002e` as in some servers.
    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        var (decoded, rest) = ([UInt8](), bytes[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            let isWide = rest.first.map { $0 | 0x20 == UInt8(ascii: "u") } ?? false
            let digits = rest.dropFirst(isWide ? 1 : 0).prefix(isWide ? 4 : 2).compactMap(\.hexadecimalDigit)
            guard digits.count == (isWide ? 4 : 2) else {
                decoded.append(byte)
                continue
            }
            let value = digits.reduce(0) { $0 << 4 | UInt32($1) }
            decoded += isWide ? Array(String(Unicode.Scalar(value).map(Character.init) ?? "\u{FFFD}").utf8) : [UInt8(value)]
            rest = rest.dropFirst(isWide ? 5 : 2)
        }
        return decoded
    }

    /// Whether a character has more bytes than UTF-8 allows: old servers read `%c0%ae` as a dot.
    private static func hasOverlongCharacter(_ bytes: [UInt8]) -> Bool {
        zip(bytes, bytes.dropFirst()).contains { lead, next in
            switch lead {
            case 0xC0, 0xC1: true
            case 0xE0: 0x80..<0xA0 ~= next
            case 0xF0: 0x80..<0x90 ~= next
            default: false
            }
        }
    }
}
