@testable import AuthHubCommand
import AuthHubPrimitives
import Testing

struct TypedLineTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let typed: String
        /// The line that was read; nil for an empty line.
        let line: String?

        init(_ description: String, _ typed: String, is line: String?) {
            (testDescription, self.typed, self.line) = (description, typed, line)
        }
    }

    static let rows = [
        Row("a line", "abc\r", is: "abc"),
        Row("nothing", "\r", is: nil),
        Row("Ctrl-D alone", "\u{4}", is: nil),
        Row("Ctrl-D after text", "abc\u{4}", is: "abc"),
        Row("deleted byte by byte", "abx\u{7F}\u{8}bc\r", is: "abc"),
        Row("deleted as a whole", "xyz\u{15}abc\r", is: "abc"),
        Row("deleted beyond its beginning", "\u{7F}\u{7F}abc\r", is: "abc"),
        Row("a bracketed paste", "\u{1B}[200~abc\u{1B}[201~\r", is: "abc"),
        Row("arrows", "a\u{1B}[Db\u{1B}[1;5Cc\r", is: "abc"),
        Row("the escape key", "\u{1B}abc\r", is: "abc"),
        Row("an incomplete escape sequence", "abc\u{1B}[20\r", is: "abc"),
    ]

    @Test(arguments: rows) func `turns a terminal's input into the line that the user meant`(_ row: Row) {
        #expect(Self.end(of: row.typed) == .some(row.line))
    }

    @Test func `recognizes a line that is too long, and keeps no more than its limit`() {
        let longest = String(repeating: "a", count: TypedLine.maximumBytes)
        #expect(Self.end(of: longest + "\r") == longest)
        #expect(Self.end(of: longest + "bcd\r") == longest + "b")
    }

    @Test func `text that was already typed counts`() {
        var line = TypedLine(Array("http".utf8))
        _ = line.take(UInt8(ascii: ":"))
        guard case .ended(let text) = line.take(UInt8(ascii: "\r")) else {
            Issue.record("it did not end")
            return
        }
        #expect(text?.reveal() == "http:")
    }

    /// Returns the result of typing the text; nil if the line has not ended.
    private static func end(of typed: String) -> String?? {
        var line = TypedLine()
        for byte in typed.utf8 {
            if case .ended(let text) = line.take(byte) { return .some(text?.reveal()) }
        }
        return nil
    }
}
