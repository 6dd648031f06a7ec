import AuthHubPrimitives
import DevelopmentServer
import Testing

/// The tool at servers that make mistakes: what it says, how it ends, that it keeps nothing, and asks for nothing more.
struct FaultPersonaTests {
    struct Outcome: Sendable {
        let status: Int32
        let says: String

        init(_ status: Int32, _ says: String) {
            self.status = status
            self.says = says
        }
    }

    /// A callback that is not this sign-in's is passed over, and the sign-in goes on waiting.
    static let outcomes: [String: Outcome] = [
        "AR02-no-state": Outcome(5, "not done in time"),
        "AR03-wrong-state": Outcome(5, "not done in time"),
        "AR07-two-codes": Outcome(5, "not done in time"),
        "AR07-two-states": Outcome(5, "not done in time"),
        "AR07-two-issuers": Outcome(5, "not done in time"),
        "AR14-strange-error": Outcome(5, "not done in time"),
        "AR28-fragment": Outcome(5, "not done in time"),
        "AR35-overlong": Outcome(5, "not done in time"),
        "AR35-null": Outcome(5, "not done in time"),
        "AR43-long": Outcome(5, "not done in time"),
        "AR43-many": Outcome(5, "not done in time"),
        "AR08-both": Outcome(3, "access_denied"),
        "AR09-neither": Outcome(1, "neither a code nor an error"),
        "AR10-empty-code": Outcome(1, "neither a code nor an error"),
        "AR11-unknown-error": Outcome(1, "out_of_cheese"),
        "AR12-escape": Outcome(6, "gone"),
        "AR13-script": Outcome(6, "server_error"),
        "AR14-strange-issuer": Outcome(7, "another issuer"),
        "AR16-other-issuer": Outcome(7, "another issuer"),
        "AR15-no-issuer": Outcome(7, "lacks the iss"),
        "AR20-response": Outcome(7, "response, which was not asked for"),
        "AR29-token": Outcome(7, "access_token, which was not asked for"),
        "AR35-escape": Outcome(1, "redirects to an address that is none"),
        "AR54-no-challenge": Outcome(1, "PKCE with S256"),
        "AR55-fragment": Outcome(1, "authorization_endpoint"),
        "DD09-script": Outcome(1, "authorization_endpoint"),
        "DD10-no-authorization-endpoint": Outcome(1, "authorization_endpoint"),
        "TR01-error": Outcome(1, "invalid_grant"),
        "TR02-error-in-200": Outcome(1, "invalid_grant"),
        "TR03-no-token": Outcome(1, "access_token"),
        "TR04-empty": Outcome(1, "access_token"),
        "TR04-null": Outcome(1, "access_token"),
        "TR04-number": Outcome(1, "access_token"),
        "TR04-array": Outcome(1, "access_token"),
        "TR04-object": Outcome(1, "access_token"),
        "TR05-line-feed": Outcome(1, "characters that no token may have"),
        "TR05-space": Outcome(1, "characters that no token may have"),
        "TR05-not-ascii": Outcome(1, "characters that no token may have"),
        "TR06-no-type": Outcome(1, "no token_type"),
        "TR07-mac": Outcome(1, "token_type mac"),
        "TR12-negative": Outcome(1, "expires_in"),
        "TR12-boolean": Outcome(1, "expires_in"),
        "TR15-empty": Outcome(1, "refresh_token"),
        "TR15-number": Outcome(1, "refresh_token"),
        "TR17-array": Outcome(1, "scope"),
        "TR20-scalar": Outcome(1, "not an object"),
        "TR20-array": Outcome(1, "not an object"),
        "TR20-empty": Outcome(1, "not one JSON text"),
        "TR20-broken": Outcome(1, "not one JSON text"),
        "TR20-byte-order-mark": Outcome(1, "not one JSON text"),
        "TR20-trailing": Outcome(1, "not one JSON text"),
        "TR21-twice": Outcome(1, "not one JSON text"),
        "TR22-deep": Outcome(1, "not one JSON text"),
        "TR20-cut-off": Outcome(6, "connection"),
        "TR29-lost": Outcome(6, "connection"),
        "TR22-large": Outcome(1, "too large"),
        "DD08-large": Outcome(1, "too large"),
        "TR23-page": Outcome(1, "web page"),
        "TR23-firewall": Outcome(1, "403"),
        "TR26-moved": Outcome(1, "elsewhere.example"),
        "TR26-found": Outcome(1, "elsewhere.example"),
        "TR26-see-other": Outcome(1, "elsewhere.example"),
        "TR26-temporary": Outcome(1, "elsewhere.example"),
        "TR26-permanent": Outcome(1, "elsewhere.example"),
        "TR27-challenge": Outcome(1, "invalid_client"),
        "TR33-client": Outcome(1, "invalid_client"),
        "TR31-busy": Outcome(75, "busy"),
        "TR33-failing": Outcome(6, "server_error"),
        "TR34-scope": Outcome(3, "invalid_scope"),
        "TR34-target": Outcome(1, "invalid_target"),
        "TR35-number": Outcome(1, "unnamed_error"),
        "TR35-long": Outcome(1, "invalid_request"),
        "DD01-no-issuer": Outcome(1, "names no issuer"),
        "DD01-number": Outcome(1, "names no issuer"),
        "DD02-other": Outcome(7, "got that of"),
        "DD02-path": Outcome(7, "got that of"),
        "DD06-nothing": Outcome(1, "publishes no metadata"),
        "DD06-failing": Outcome(6, "500"),
        "DD07-moved": Outcome(1, "302"),
        "DD08-array": Outcome(1, "not an object"),
        "DD08-page": Outcome(1, "not one JSON text"),
        "DD08-twice": Outcome(1, "not one JSON text"),
        "DD09-relative": Outcome(1, "token_endpoint"),
        "DD09-http": Outcome(1, "token_endpoint"),
        "DD09-person": Outcome(1, "token_endpoint"),
        "DD10-no-token-endpoint": Outcome(1, "token_endpoint"),
    ]

    @Test func `every mistake that ends a sign-in has its outcome here`() {
        #expect(Set(FaultPersona.signIn.filter { !$0.isHarmless }.map(\.id)) == Set(Self.outcomes.keys))
        #expect(Set(FaultPersona.signIn.map(\.id)).count == FaultPersona.signIn.count)
    }

    @Test(arguments: FaultPersona.signIn.filter { !$0.isHarmless })
    func `a sign-in at a server that makes this mistake ends as it should, and leaves nothing`(persona: FaultPersona) async throws {
        let outcome = try #require(Self.outcomes[persona.id])
        try await Tool.using(.init(persona: .openID)) { tool in
            tool.server.faults.play(persona)
            let timeout = outcome.status == 5 ? "8" : "300"
            let login = try await tool.runInTurn(tool.loginWords() + ["--timeout", timeout])
            let lines = login.errorText.split(separator: "\n")
            #expect(login.status == outcome.status, "\(login.errorText)")
            #expect(login.text.isEmpty)
            #expect(lines.count { $0.hasPrefix("authhub: ") && $0.contains(outcome.says) } == 1, "\(login.errorText)")
            #expect(lines.last?.hasPrefix("  next: ") == true, "\(login.errorText)")
            #expect(login.errorText.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 })
            #expect(try await tool.records().isEmpty)
            Self.expectNothingMore(of: tool.server.log, after: persona.place)
        }
    }

    @Test(arguments: FaultPersona.signIn.filter(\.isHarmless))
    func `a mistake that harms nobody is put up with`(persona: FaultPersona) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            tool.server.faults.play(persona)
            let login = try await tool.runInTurn(tool.loginWords())
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try await tool.runInTurn(["token"]).status == 0)
        }
    }

    /// No request may follow the answer that was refused.
    private static func expectNothingMore(of log: RequestLog, after place: Faults.Place) {
        switch place {
        case .metadata: #expect(log.entries.allSatisfy { $0.path.hasPrefix("/.well-known/") })
        case .authorization: #expect(log.tokenRequests() == 0)
        default:
            #expect(log.tokenRequests() == 1)
            #expect(log.entries.last?.path == "/token")
        }
    }
}
