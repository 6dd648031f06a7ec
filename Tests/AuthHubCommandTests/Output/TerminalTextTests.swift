@testable import AuthHubCommand
import Testing

struct TerminalTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let shown: String

        init(_ testDescription: String, _ text: String, _ shown: String) {
            self.init(testDescription, Array(text.utf8), shown)
        }

        init(_ testDescription: String, _ bytes: [UInt8], _ shown: String) {
            self.testDescription = testDescription
            self.bytes = bytes
            self.shown = shown
        }
    }

    static let rows = [
        Row("RS16 plain text, accents, wide characters, an emoji with its selector", "é 日本 ❤\u{FE0F} 😀", "é 日本 ❤\u{FE0F} 😀"),
        Row("line breaks and tabs", "a\n\tb\r\nc\n", "a\n\tb\nc\n"),
        Row("only a carriage return", "secret\rpublic", "secret\\u000dpublic"),
        Row("RS16 a 7-bit control sequence", "\u{1B}[2J", "\\u001b[2J"),
        Row("RS16 an operating system command that sets the title", "\u{1B}]0;x\u{7}", "\\u001b]0;x\\u0007"),
        Row("RS16 an 8-bit control sequence, in UTF-8", "\u{9B}2J \u{9D}0;x\u{9C}", "\\u009b2J \\u009d0;x\\u009c"),
        Row("RS16 the bytes of an 8-bit control sequence, which are not UTF-8", [0x9B, 0x32, 0x4A], "\u{FFFD}2J"),
        Row("RS16 colours", "\u{1B}[31mred\u{1B}[0m", "\\u001b[31mred\\u001b[0m"),
        Row("RS16 text that changes the writing direction", "a\u{202E}b\u{2066}c", "a\\u202eb\\u2066c"),
        Row("RS16 zero-width characters", "a\u{200B}b\u{200D}\u{FEFF}\u{AD}\u{3164}", "a\\u200bb\\u200d\\ufeff\\u00ad\\u3164"),
        Row("RS16 a tag character, above U+FFFF", "\u{E0041}", "\\udb40\\udc41"),
        Row("line separators", "a\u{2028}b\u{85}c", "a\\u2028b\\u0085c"),
        Row("backspace and delete", "a\u{8}b\u{7F}", "a\\u0008b\\u007f"),
        Row("a character that is truncated at the end", [0x61, 0xE6, 0x97], "a\u{FFFD}"),
        Row("bytes that never occur in UTF-8", [0xFF, 0x62, 0xC0], "\u{FFFD}b\u{FFFD}"),
    ]

    @Test(arguments: rows)
    func `makes a body safe for a terminal, in whatever pieces it arrives`(row: Row) {
        for size in 1...max(1, row.bytes.count) {
            var text = TerminalText()
            var shown: [UInt8] = []
            var rest = row.bytes[...]
            while !rest.isEmpty {
                shown += text.take(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            shown += text.finish()
            #expect(String(decoding: shown, as: UTF8.self) == row.shown, "in pieces of \(size)")
        }
    }

    @Test func `a command's output keeps its own colours, and no other sequence`() {
        let style = Style(isColored: true)
        let own = style(style("a", .bold), .red, .cyan) + "\u{1B}[\(Style.blackOnWhite)m \u{1B}[0m"
        #expect(TerminalText.shown(own) == own)
        let quoted = style("\u{1B}[8mhidden\u{1B}]52;c;x\u{7}", .yellow)
        #expect(TerminalText.shown(quoted) == style("\\u001b[8mhidden\\u001b]52;c;x\\u0007", .yellow))
        for text in ["\u{1B}", "\u{1B}[", "\u{1B}[31", "\u{1B}[31;", "\u{1B}[38;5;1m"] {
            #expect(!TerminalText.shown(text).contains("\u{1B}"), "\(text.dropFirst())")
        }
    }

    @Test func `text for a locale without Unicode has plain quotes, and keeps all other characters`() {
        #expect(TerminalText.plain("“work” isn’t ‘signed in’… 1–2 — ü █") == "\"work\" isn't 'signed in'... 1-2 - ü █")
    }
}
