@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// Tokens with less access than the account has: `token --scope`, `--resource` and `--audience`.
struct TokenAccessTests {
    private static let scope: JSONValue = ["openid", "profile", "email", "offline_access"]

    private func signedIn(_ body: (Tool) async throws -> Void) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let output = try await tool.run(tool.loginWords())
            #expect(output.status == 0, "\(output.errorText)")
            try await body(tool)
        }
    }

    /// The account still has all of its access, and its refresh token works.
    private func expectFullAccount(_ tool: Tool, keeping token: String?) async throws {
        if let token { #expect(try await tool.run("token").text == token, "the account keeps its access token") }
        for command in ["status", "refresh", "status"] {
            let output = try await tool.run(command, "-o", "json")
            #expect(output.status == 0, "\(output.errorText)")
            #expect(try output.json()["scope"] == Self.scope)
        }
        #expect(tool.server.log.reuseDetected == 0)
    }

    @Test func `--scope and --resource refresh for one token, and the account keeps its own`() async throws {
        try await signedIn { tool in
            let full = try await tool.run("token").text
            let output = try await tool.run("token", "--scope", "email", "--resource", "https://api.example/", "-o", "json")
            #expect(output.status == 0, "\(output.errorText)")
            let narrow = try output.json()
            #expect(narrow["scope"] == ["email"])
            #expect(narrow["access_token"]?.string.map { $0 + "\n" } != full)
            let entry = try #require(tool.server.log.entries.last)
            #expect(entry.grantType == "refresh_token" && entry.formNames.contains("scope") && entry.formNames.contains("resource"))
            // Not stored: the next one is another token.
            let next = try await tool.run("token", "--scope", "email,profile")
            #expect(next.text != full && next.text != narrow["access_token"]?.string.map { $0 + "\n" })
            #expect(tool.server.log.refreshes == 2)
            try await expectFullAccount(tool, keeping: full)
        }
    }

    @Test func `eight processes at the same time do not use a refresh token twice`() async throws {
        try await signedIn { tool in
            let processes = try (0..<8).map { _ in try tool.start(["token", "--scope", "email"]) }
            var tokens: Set<String> = []
            for process in processes {
                let output = await process.end()
                #expect(output.status == 0, "\(output.errorText)")
                tokens.insert(output.text)
            }
            #expect(tokens.count == 8)
            try await expectFullAccount(tool, keeping: nil)
        }
    }

    @Test(arguments: [
        ("more than requested", Fault.altered([.member("scope", "email profile")]), Int32(1), "“email profile” instead of “email”"),
        ("less than requested", .altered([.member("scope", "")]), 1, "instead of “email”"),
        ("a scope that was not granted", .oauthError("invalid_scope"), 3, "invalid_scope"),
        ("an invalid grant", .oauthError("invalid_grant"), 1, "invalid_grant"),
        ("a busy server", .status(503), 75, "503"),
        ("a response without a token", .altered([.member("access_token", nil)]), 1, "access_token"),
    ])
    func `anything else is an error, and the account keeps its access`(
        description: String, fault: Fault, status: Int32, told: String
    ) async throws {
        try await signedIn { tool in
            let full = try await tool.run("token").text
            tool.server.faults.next(at: .refresh, fault)
            let output = try await tool.run("token", "--scope", "email")
            #expect(output.status == status && output.text.isEmpty)
            #expect(output.errorText.contains(told), "\(output.errorText)")
            try await expectFullAccount(tool, keeping: full)
        }
    }

    @Test func `the account's own token is not taken for one with less access`() async throws {
        try await signedIn { tool in
            let full = try await tool.run("token").text
            tool.server.faults.next(
                at: .refresh, .altered([.member("access_token", .string(String(full.dropLast()))), .member("scope", "email")]))
            let output = try await tool.run("token", "--scope", "email")
            #expect(output.status == 1 && output.text.isEmpty)
            #expect(output.errorText.contains("returned the account's own access token"), "\(output.errorText)")
            #expect(!output.errorText.contains(full.dropLast()))
        }
    }

    // MARK: - Token exchange

    @Test func `--audience exchanges the account's token`() async throws {
        try await exchanging { tool in
            let full = try await tool.run("token").text
            let words = ["token", "--audience", "billing", "--scope", "email"]
            let output = try await tool.run(words + ["-o", "json"])
            #expect(output.status == 0, "\(output.errorText)")
            #expect(try output.json()["scope"] == ["email"])
            let entry = try #require(tool.server.log.entries.last)
            #expect(entry.grantType == "urn:ietf:params:oauth:grant-type:token-exchange" && entry.formNames.contains("audience"))
            #expect(tool.server.log.refreshes == 0)
            #expect(try await tool.run("token").text == full)
            for (fault, told) in [
                (Fault.altered([.member("scope", "email profile")]), "instead of “email”"),
                (.altered([.member("issued_token_type", "urn:ietf:params:oauth:token-type:id_token")]), "instead of an access token"),
                (.oauthError("invalid_target"), "invalid_target"),
            ] {
                tool.server.faults.next(at: .tokenEndpoint, fault)
                let failed = try await tool.run(words)
                #expect(failed.status != 0 && failed.text.isEmpty)
                #expect(failed.errorText.contains(told), "\(failed.errorText)")
                #expect(failed.errorText.contains("leave out --scope and --audience, or use other values; the account's own token"))
            }
            #expect(try await tool.run("token").text == full)
        }
    }

    /// Signs in with a client that has a secret, because the server lets no other exchange tokens.
    private func exchanging(_ body: (Tool) async throws -> Void) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let client = try #require(tool.server.clients.first { $0.id == "web-app" })
            let secret = try tool.folder.write(client.secret?.reveal() ?? "", to: "secret")
            let words = try tool.loginWords().map { $0 == "native-app" ? client.id : $0 }
            let output = try await tool.run(words + ["--client-secret-file", secret])
            #expect(output.status == 0, "\(output.errorText)")
            try await body(tool)
        }
    }
}
