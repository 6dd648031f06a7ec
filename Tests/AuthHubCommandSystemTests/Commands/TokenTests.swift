@testable import AuthHubCommandTests
import Testing

struct TokenTests {
    @Test func `prints a token with a shorter lifetime than requested with a warning`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let long = try await tool.run("token", "--min-ttl", "60")
            #expect(long.status == 0 && long.errorText.isEmpty, "\(long.errorText)")
            let short = try await tool.run("token", "--min-ttl", "31536000")
            #expect(short.status == 0 && !short.text.isEmpty)
            #expect(short.errorText.contains("warning: the token expires in"), "\(short.errorText)")
            #expect(!short.errorText.contains(short.text.dropLast()))
        }
    }
}
