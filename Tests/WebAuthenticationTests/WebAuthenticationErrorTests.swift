import Testing
import WebAuthentication

struct WebAuthenticationErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let explanation: String
    }

    @Test(arguments: [
        Row(testDescription: "plain words", words: "not associated with domain", explanation: "not associated with domain"),
        Row(testDescription: "line breaks and escapes", words: "a\r\n\u{1B}[31mb\u{2028}", explanation: "a[31mb"),
        Row(testDescription: "text in the other direction", words: "safe\u{202E}live", explanation: "safelive"),
        Row(
            testDescription: "text that is too long", words: String(repeating: "x", count: 401),
            explanation: String(repeating: "x", count: 400)),
    ])
    func `quotes a system's message safely for a window`(row: Row) {
        #expect(WebAuthenticationError(.refused, quoting: row.words).explanation == row.explanation)
    }
}
