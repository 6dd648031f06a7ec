/// A filter that removes known secrets from a server's text before the text is shown.
///
/// It finds a secret as it is, percent-encoded, form-encoded, escaped as in JSON, written with HTML character references, or in a mixture
/// of these, ignoring case. The first 16 bytes of a longer secret count as well: some servers quote the beginning of a token.
package struct Redaction: Sendable {
    /// In lower case and sorted, so that those with the same beginning are next to each other.
    private let secrets: [Secret<[UInt8]>]

    private static let replacement = "<redacted>"
    /// The length below which a secret could be part of an ordinary word, and is only replaced as a whole word.
    private static let shortestInsideWords = 8
    private static let prefixLength = 16

    /// Creates a filter.
    ///
    /// - Parameter secrets: The secrets. Empty strings are ignored.
    package init(_ secrets: some Sequence<String>) {
        let bytes = Set(secrets.filter { !$0.isEmpty }.map { $0.utf8.map(Self.lowercased) })
        self.secrets = bytes.sorted { $0.lexicographicallyPrecedes($1) }.map(Secret.init)
    }

    /// Returns the text without the secrets, made displayable and truncated to the limit.
    ///
    /// - Parameter limit: The maximum length in Unicode scalars. Truncation comes last, because it could leave an unrecognizable part of a
    ///   secret.
    package func displaying(_ text: String, limit: Int) -> String {
        displayable(applied(to: displayable(text, limit: .max)), limit: limit)
    }

    /// Returns the text without the secrets.
    package func applied(to text: String) -> String {
        var steps = 0
        return applied(to: text, steps: &steps)
    }

    /// - Parameter steps: The number of comparisons so far, which grows with the length of the text, whatever a server puts into it.
    func applied(to text: String, steps: inout Int) -> String {
        guard !secrets.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if let end = end(ofSecretAt: position, in: bytes, &steps) {
                output += Self.replacement.utf8
                position = end
            } else {
                output.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the farthest end of a secret at a position: a secret that starts unencoded and continues encoded has a longer match as an
    /// encoded one.
    private func end(ofSecretAt position: Int, in text: [UInt8], _ steps: inout Int) -> Int? {
        let unencoded = farthestMatch(in: text, from: position, isEncoded: false, &steps)
        guard "%+\\&".utf8.contains(text[position]) || !matching(secrets.indices, text[position], at: 0).isEmpty else { return unencoded }
        return [unencoded, farthestMatch(in: text, from: position, isEncoded: true, &steps)].compactMap(\.self).max()
    }

    /// Follows all secrets at once, so that the time does not depend on their number. A match that fails is shorter than ``prefixLength``.
    private func farthestMatch(in text: [UInt8], from start: Int, isEncoded: Bool, _ steps: inout Int) -> Int? {
        var (candidates, count, position) = (secrets.indices, 0, start)
        var farthest: Int?
        while position < text.count {
            steps += 1
            var (bytes, length) = ([text[position]], 1)
            var remaining = 0..<0
            if isEncoded, let unit = Encoded(in: text, at: position) {
                remaining = matching(candidates, unit.bytes, at: count)
                if !remaining.isEmpty { (bytes, length) = (unit.bytes, unit.length) }
            }
            if remaining.isEmpty { remaining = matching(candidates, bytes, at: count) }
            guard let first = remaining.first else { return farthest }
            candidates = remaining
            count += bytes.count
            position += length
            let isWhole = secrets[first].reveal().count == count
            guard isWhole || count >= Self.prefixLength else { continue }
            if count >= Self.shortestInsideWords || Self.standsAlone(start..<position, in: text) { farthest = position }
        }
        return farthest
    }

    private func matching(_ candidates: Range<Int>, _ bytes: [UInt8], at offset: Int) -> Range<Int> {
        var candidates = candidates
        for (index, byte) in bytes.enumerated() { candidates = matching(candidates, byte, at: offset + index) }
        return candidates
    }

    /// Returns the candidates, all of which have the same bytes before an offset, that have a byte there.
    private func matching(_ candidates: Range<Int>, _ byte: UInt8, at offset: Int) -> Range<Int> {
        let byte = Self.lowercased(byte)
        // A secret that ends here comes first.
        let start = firstCandidate(candidates) { $0.count > offset && $0[offset] >= byte }
        return start..<firstCandidate(start..<candidates.endIndex) { $0[offset] > byte }
    }

    private func firstCandidate(_ candidates: Range<Int>, where isAfter: ([UInt8]) -> Bool) -> Int {
        var (low, high) = (candidates.startIndex, candidates.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(secrets[middle].reveal()) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte.isASCIILetter ? byte | 0x20 : byte }

    private static func standsAlone(_ range: Range<Int>, in text: [UInt8]) -> Bool {
        func isPartOfWord(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit || "_-".utf8.contains(byte) || byte >= 0x80 }
        let before = range.lowerBound > 0 && isPartOfWord(text[range.lowerBound - 1])
        let after = range.upperBound < text.count && isPartOfWord(text[range.upperBound])
        return !before && !after
    }
}

/// An encoded character of a text.
private struct Encoded {
    let bytes: [UInt8]
    /// The length in the text.
    let length: Int

    init?(in text: [UInt8], at position: Int) {
        let rest = text[position...]
        let found: ([UInt8], Int)? =
            switch rest.first {
            case UInt8(ascii: "+"): ([0x20], 1)
            case UInt8(ascii: "%"): Self.percentEncoded(rest.dropFirst())
            case UInt8(ascii: "\\"): Self.escaped(rest.dropFirst())
            case UInt8(ascii: "&"): Self.reference(rest.dropFirst())
            default: nil
            }
        guard let found else { return nil }
        (bytes, length) = found
    }

    private static func percentEncoded(_ rest: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        guard let high = rest.first?.hexadecimalDigit, let low = rest.dropFirst().first?.hexadecimalDigit else { return nil }
        return ([high << 4 | low], 3)
    }

    /// Decodes a JSON escape (RFC 8259 §7), but not surrogate pairs, because no secret that a client sends needs one.
    private static func escaped(_ rest: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        switch rest.first {
        case UInt8(ascii: "u"):
            let digits = rest.dropFirst().prefix(4).compactMap(\.hexadecimalDigit)
            guard digits.count == 4 else { return nil }
            return scalar(digits.reduce(0) { $0 << 4 | UInt32($1) }).map { ($0, 6) }
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case let byte? where "\"\\/'".utf8.contains(byte): return ([byte], 2)
        default: return nil
        }
    }

    private static let references: [(name: String, byte: UInt8)] = [
        ("amp;", UInt8(ascii: "&")), ("lt;", UInt8(ascii: "<")), ("gt;", UInt8(ascii: ">")), ("quot;", UInt8(ascii: "\"")),
        ("apos;", UInt8(ascii: "'")),
    ]

    private static func reference(_ rest: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        if let named = references.first(where: { rest.starts(with: $0.name.utf8) }) { return ([named.byte], 1 + named.name.utf8.count) }
        guard rest.first == UInt8(ascii: "#"), let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let digits = rest[rest.index(after: rest.startIndex)..<end]
        let isHexadecimal = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
        return UInt32(text, radix: isHexadecimal ? 16 : 10).flatMap(scalar).map { ($0, 2 + digits.count + 1) }
    }

    private static func scalar(_ value: UInt32) -> [UInt8]? {
        Unicode.Scalar(value).map { Array(String(Character($0)).utf8) }
    }
}
