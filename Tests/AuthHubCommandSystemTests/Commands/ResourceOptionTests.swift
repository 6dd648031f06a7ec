@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// Sign-ins at resources whose servers lack something that is required by default, or register a client that cannot be used.
struct ResourceOptionTests {
    @Test func `MC05: a server that does not list S256 needs an option, and gets a challenge anyway`() async throws {
        try await Tool.using(.init(persona: .modelContext)) { tool in
            tool.server.faults.play(try #require(FaultPersona.resources.first { $0.id == "MC05-no-list" }))
            let refused = try await tool.login(at: tool.resource)
            #expect(refused.status == 7 && refused.errorText.contains("--without-pkce-check"), "\(refused.errorText)")
            let withClient = try await tool.login(at: tool.resource, "--client-id", "native-app")
            let typed = "--client-id native-app --without-pkce-check"
            #expect(withClient.errorText.contains(typed), "the hint keeps what was typed: \(withClient.errorText)")
            let ended = try await tool.run(["login"] + Tool.headless + ["--client-id", "native-app", "--", tool.resource])
            #expect(!ended.errorText.contains(" -- "), "no option can follow: \(ended.errorText)")
            let login = try await tool.login(at: tool.resource, "--without-pkce-check")
            #expect(login.status == 0, "\(login.errorText)")
            #expect(tool.server.log.pages.allSatisfy { $0.contains("code_challenge") } && !tool.server.log.pages.isEmpty)
            #expect(try await tool.login(at: tool.resource).status == 0, "the account keeps the option")
        }
    }

    @Test func `MC05: no option accepts a server that lists other methods only`() async throws {
        try await Tool.using(.init(persona: .modelContext)) { tool in
            tool.server.faults.play(try #require(FaultPersona.all.first { $0.id == "AR54-no-challenge" }))
            for more in [[], ["--without-pkce-check"]] {
                let refused = try await tool.run(["login", tool.resource] + Tool.headless + more)
                #expect(
                    refused.status == 7 && refused.errorText.contains("code_challenge_methods_supported: plain"), "\(refused.errorText)")
                #expect(refused.errorText.contains("next: report this to the server's operator"), "\(refused.errorText)")
            }
        }
    }

    @Test func `MC10: a server that rejects the parameter resource needs an option`() async throws {
        try await Tool.using(.init(persona: .modelContext)) { tool in
            tool.server.faults.next(at: .tokenEndpoint, .oauthError("invalid_target"))
            let refused = try await tool.login(at: tool.resource)
            #expect(refused.status == 1 && refused.errorText.contains("--without-resource"), "\(refused.errorText)")
            let before = tool.server.log.entries.count
            let login = try await tool.login(at: tool.resource, "--without-resource")
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try await tool.run("refresh", "--as", tool.label).status == 0)
            let sent = tool.server.log.entries.dropFirst(before).flatMap { $0.queryNames + $0.formNames }
            #expect(sent.contains("code_challenge") && sent.contains("refresh_token") && !sent.contains("resource"))
        }
    }

    @Test func `MC16: does not reuse an option that the user gave for a different issuer`() async throws {
        try await Tool.using(.init(persona: .modelContext)) { tool in
            try await withDevelopmentServer(.init(persona: .modelContext)) { other in
                tool.server.faults.play(try #require(FaultPersona.resources.first { $0.id == "MC05-no-list" }))
                #expect(try await tool.login(at: tool.resource, "--without-pkce-check", "--without-resource").status == 0)
                other.faults.play(try #require(FaultPersona.resources.first { $0.id == "MC05-no-list" }))
                tool.server.faults.always(at: .resourceMetadata, .altered([.member("authorization_servers", [.string(other.issuer)])]))
                let refused = try await tool.login(at: tool.resource, "--issuer", other.issuer)
                #expect(refused.status == 7 && refused.errorText.contains("--without-pkce-check"), "\(refused.errorText)")
                #expect(!other.log.entries.contains { $0.path == "/authorize" })
                #expect(try await tool.login(at: tool.resource, "--issuer", other.issuer, "--without-pkce-check").status == 0)
                #expect(other.log.entries.contains { $0.path == "/authorize" && $0.queryNames.contains("resource") })
            }
        }
    }

    @Test func `RG14: a client that cannot be used is deleted at the server, and not kept`() async throws {
        try await Tool.using(.init(persona: .modelContext)) { tool in
            let method = AnswerChange.member("token_endpoint_auth_method", "attest_jwt_client_auth")
            tool.server.faults.next(at: .registration, .altered([method]))
            let refused = try await tool.login(at: tool.resource)
            #expect(refused.status == 1 && refused.errorText.contains("attest_jwt_client_auth"), "\(refused.errorText)")
            #expect(tool.server.log.entries.contains { $0.method == "DELETE" && $0.path.hasPrefix("/register/") })
            #expect(try await tool.run("client", "list", "-o", "json").json().array?.isEmpty == true)
            #expect(try await tool.login(at: tool.resource).status == 0)
        }
    }
}

extension RequestLog {
    /// The names of the parameters of each authorization request.
    fileprivate var pages: [[String]] {
        entries.filter { $0.path == "/authorize" && $0.queryNames.contains("client_id") }.map { $0.queryNames.sorted() }
    }
}
