@testable import AuthHubCommand
@testable import AuthHubCommandTests
import Testing

struct QuotedTextTests {
    @Test func `RS16: text from elsewhere keeps no colours, not even the tool's own`() async throws {
        let imitation = Style(isColored: true)("Signed in", .green, .bold)
        #expect(TerminalText.quoted(imitation) == "\\u001b[32;1mSigned in\\u001b[0m")
        try await Tool.using { tool in
            for words in [["--\(imitation)"], ["login", "--browser=\(imitation)", "--headless"], ["login", "--\(imitation)=x"]] {
                let run = try await tool.run(words)
                #expect(run.status == 64)
                #expect(!run.errorText.contains("\u{1B}"), "\(run.errorText)")
            }
        }
    }
}
