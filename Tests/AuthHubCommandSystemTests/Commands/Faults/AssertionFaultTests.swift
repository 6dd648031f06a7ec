@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// The tool as a program without a user, at servers with faults.
struct AssertionFaultTests {
    static let outcomes: [String: FaultOutcome] = [
        // This server is only stricter than others with clients that name the token endpoint.
        "CA02-issuer": FaultOutcome(0, "Signed in as “machine”"),
        "CA02-token-endpoint": FaultOutcome(1, "the server knows the public key"),
        "CA03-no-type": FaultOutcome(1, "the server knows the public key"),
        "CA04-echo": FaultOutcome(1, "invalid_request"),
        "CA05-other-algorithm": FaultOutcome(1, "does not support signatures with ES256; it lists ES384"),
        "IJ02-other-type": FaultOutcome(1, "another type of token"),
        "IJ02-bearer": FaultOutcome(1, "another type of token"),
        "IJ03-other-audience": FaultOutcome(7, "is not for"),
        "IJ03-several-audiences": FaultOutcome(7, "is not for"),
        "IJ03-other-client": FaultOutcome(7, "a different client"),
        "IJ03-other-header": FaultOutcome(1, "oauth-id-jag+jwt"),
        "IJ03-expired": FaultOutcome(1, "expired"),
        "IJ07-interaction": FaultOutcome(1, "insufficient_user_authentication"),
    ]

    @Test func `every fault has its outcome here`() {
        #expect(Set(FaultPersona.assertions.map(\.id)) == Set(Self.outcomes.keys))
    }

    @Test(arguments: FaultPersona.assertions)
    func `a sign-in without a page at a server with this fault ends as expected`(persona: FaultPersona) async throws {
        let outcome = try #require(Self.outcomes[persona.id])
        try await Tool.using(.init(persona: .modelContext)) { tool in
            let isIdentity = persona.id.hasPrefix("IJ")
            let words =
                isIdentity ? try await tool.identityWords() : try await tool.registerMachine().words + ["--flow", "client-credentials"]
            tool.server.faults.play(persona)
            let output = try await tool.runInTurn(["login", tool.resource, "--as", "machine"] + words)
            outcome.expect(output)
            #expect(!output.errorText.contains("eyJ"), "neither an assertion nor an ID token is shown: \(output.errorText)")
            let accounts = try await tool.run("accounts", "-o", "json").json().array ?? []
            #expect(accounts.contains { $0["account"] == "machine" } == (output.status == 0))
            #expect(!isIdentity || tool.server.log.tokenRequests(grant: Tool.jwtBearer) == 0)
        }
    }

    @Test(arguments: [
        ("CA02-token-endpoint", #""assertion_audience":"token_endpoint""#), ("CA03-no-type", #""omits_assertion_type":true"#),
    ])
    func `CA02, CA03: a word in the provider's description adapts to the server`(fault: String, word: String) async throws {
        try await Tool.using(.init(persona: .modelContext)) { tool in
            let (words, _, _) = try await tool.registerMachine()
            tool.server.faults.play(try #require(FaultPersona.assertions.first { $0.id == fault }))
            let settings = """
                {"provider":{"name":"odd","issuer":"\(tool.server.issuer)","requests":{\(word)}},"client_id":"any","scopes":["mcp"],
                "client_authentication":"private_key_jwt","allow_insecure_loopback_for_development":true}
                """
            let file = try tool.folder.write(settings, to: "odd.json")
            let login = try await tool.run(["login", "--settings", file, "--flow", "client-credentials"] + words)
            #expect(login.status == 0, "\(login.errorText)")
        }
    }
}
