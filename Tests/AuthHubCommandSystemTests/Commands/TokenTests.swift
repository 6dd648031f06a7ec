@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
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

    @Test func `prints the verified ID token with --id`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let token = try await tool.run("token", "--id")
            #expect(token.status == 0 && token.errorText.isEmpty, "\(token.errorText)")
            #expect(token.text.split(separator: ".").count == 3)
            let described = try await tool.run("token", "--id", "-o", "json").json()
            #expect(described["id_token"]?.string.map { $0 + "\n" } == token.text)
            #expect(described["issuer"]?.string == tool.server.issuer)
            #expect(described["subject"] == "583231")
            #expect(described["expires_at"]?.string != nil)
            #expect(try await tool.run("token").text != token.text)
        }
    }

    @Test func `without an ID token, --id says how to get one`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let words = try tool.loginWords(as: "work").map { $0 == "openid,profile,email,offline_access" ? "user" : $0 }
            #expect(try await tool.run(words).status == 0)
            let output = try await tool.run("token", "--id", "--as", "work", "-o", "json")
            #expect(output.status == 1 && output.text.isEmpty)
            #expect(try output.errorJSON()["code"] == "not_offered")
            #expect(try output.errorJSON()["hint"] == "authhub login --as work --scope user,openid")
        }
        try await Tool.using { tool in
            let signedOut = try await tool.run("token", "--id")
            #expect(signedOut.status == 4 && signedOut.text.isEmpty)
            let both = try await tool.run("token", "--id", "--min-ttl", "60")
            #expect(both.status == 64)
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let output = try await tool.run("token", "--id", "-o", "json")
            #expect(output.status == 1 && output.text.isEmpty)
            #expect(try output.errorJSON()["hint"] == "authhub whoami", "a server without ID tokens")
        }
    }
}
