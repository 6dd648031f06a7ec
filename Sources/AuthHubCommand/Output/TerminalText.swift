import AuthHubPrimitives

/// A filter that makes a stream of bytes safe for a terminal: line breaks and tabs stay, and every other character that controls the
/// terminal, reorders text or is invisible is escaped as in JSON, such as `\u001b`. Bytes that are not UTF-8 become U+FFFD.
///
/// Bytes may arrive in any chunks: an incomplete character waits for the next chunk.
struct TerminalText {
    private var pending: [UInt8] = []

    /// Accepts more bytes.
    ///
    /// - Returns: The bytes that can be written now.
    mutating func take(_ bytes: some Collection<UInt8>) -> [UInt8] {
        pending += bytes
        let count = pending.count - Self.unfinishedCount(pending)
        defer { pending.removeFirst(count) }
        return Self.shown(pending[..<count])
    }

    /// Ends the stream.
    ///
    /// - Returns: The remaining bytes to write.
    mutating func finish() -> [UInt8] {
        defer { pending.removeAll() }
        return Self.shown(pending[...])
    }

    /// Returns external text, such as a file name or a typed word, made safe for a terminal and for a message: even colors are escaped.
    static func quoted(_ text: String) -> String { String(decoding: shown(Array(text.utf8)[...]), as: UTF8.self) }

    /// Returns the text with ASCII characters instead of typographic ones, for locales without them.
    static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "“", "”": plain.append("\"")
            case "‘", "’": plain.append("'")
            case "…": plain += "...".unicodeScalars
            case "–", "—": plain.append("-")
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }

    /// Returns the text of a command, made safe for a terminal; only the colors of ``Style`` remain.
    static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.first {
            if let sequence = styleSequence(at: rest) {
                shown += sequence
                rest = rest.dropFirst(sequence.count)
            } else {
                append(scalar, to: &shown, before: rest.dropFirst().first)
                rest.removeFirst()
            }
        }
        return String(shown)
    }
}

extension TerminalText {
    private static func shown(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var shown = String.UnicodeScalarView()
        var rest = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
        while let scalar = rest.popFirst() { append(scalar, to: &shown, before: rest.first) }
        return Array(String(shown).utf8)
    }

    private static func append(_ scalar: Unicode.Scalar, to shown: inout String.UnicodeScalarView, before next: Unicode.Scalar?) {
        switch scalar {
        case "\n", "\t": shown.append(scalar)
        // The line ends of HTTP. A lone carriage return would let the rest of the line overwrite its start.
        case "\r" where next == "\n": break
        case _ where scalar.isDisplayable: shown.append(scalar)
        default: shown += scalar.escaped.unicodeScalars
        }
    }

    /// Returns how many bytes at the end may belong to an incomplete character: up to three of UTF-8, or a carriage return.
    private static func unfinishedCount(_ bytes: [UInt8]) -> Int {
        if bytes.last == UInt8(ascii: "\r") { return 1 }
        for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return index + 1 < length ? index + 1 : 0
        }
        return 0
    }

    /// Returns the sequence `ESC [ parameters m` (ECMA-48 §8.3.117) at the start of the text, if ``Style`` or a QR code uses its
    /// parameters.
    private static func styleSequence(at text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
        guard text.first == "\u{1B}", text.dropFirst().first == "[" else { return nil }
        let parameters = text.dropFirst(2).prefix { $0 == ";" || ("0"..."9").contains($0) }
        guard text[parameters.endIndex...].first == "m", Style.isOwn(String(parameters)) else { return nil }
        return text[...parameters.endIndex]
    }
}
