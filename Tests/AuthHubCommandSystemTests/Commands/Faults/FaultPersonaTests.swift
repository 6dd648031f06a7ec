@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// The tool at servers with faults: its output and its exit status. It must store nothing, and send no further requests.
struct FaultPersonaTests {
    /// A callback that does not belong to the sign-in is ignored, and the sign-in keeps waiting. When it times out, the error names that
    /// callback as the reason.
    static let outcomes: [String: FaultOutcome] = [
        "AR02-no-state": FaultOutcome(7, "does not belong to this sign-in", waits: true),
        "AR03-wrong-state": FaultOutcome(7, "does not belong to this sign-in", waits: true),
        "AR07-two-codes": FaultOutcome(7, "does not belong to this sign-in", waits: true),
        "AR07-two-states": FaultOutcome(7, "does not belong to this sign-in", waits: true),
        "AR07-two-issuers": FaultOutcome(7, "does not belong to this sign-in", waits: true),
        "AR14-strange-error": FaultOutcome(7, "does not belong to this sign-in", waits: true),
        "AR28-fragment": FaultOutcome(7, "does not belong to this sign-in", waits: true),
        "AR43-long": FaultOutcome(5, "timed out", waits: true),
        "AR43-many": FaultOutcome(5, "timed out", waits: true),
        "AR08-both": FaultOutcome(3, "access_denied"),
        "AR09-neither": FaultOutcome(1, "neither a code nor an error"),
        "AR10-empty-code": FaultOutcome(1, "neither a code nor an error"),
        "AR11-unknown-error": FaultOutcome(1, "out_of_cheese"),
        "AR12-escape": FaultOutcome(6, "gone"),
        "AR13-script": FaultOutcome(6, "server_error"),
        "AR14-strange-issuer": FaultOutcome(7, "another issuer"),
        "AR16-other-issuer": FaultOutcome(7, "another issuer"),
        "AR15-no-issuer": FaultOutcome(7, "has no iss"),
        "AR20-response": FaultOutcome(7, "response, which was not requested"),
        "AR29-token": FaultOutcome(7, "access_token, which was not requested"),
        "AR35-escape": FaultOutcome(1, "redirects to an invalid URL"),
        "AR67-description": FaultOutcome(3, "access_denied"),
        "AR54-no-challenge": FaultOutcome(1, "PKCE with S256"),
        "AR55-fragment": FaultOutcome(1, "authorization_endpoint"),
        "DD09-script": FaultOutcome(1, "authorization_endpoint"),
        "DD10-no-authorization-endpoint": FaultOutcome(1, "authorization_endpoint"),
        "TR01-error": FaultOutcome(1, "invalid_grant"),
        "TR02-error-in-200": FaultOutcome(1, "invalid_grant"),
        "TR03-no-token": FaultOutcome(1, "access_token"),
        "TR04-empty": FaultOutcome(1, "access_token"),
        "TR04-null": FaultOutcome(1, "access_token"),
        "TR04-number": FaultOutcome(1, "access_token"),
        "TR04-array": FaultOutcome(1, "access_token"),
        "TR04-object": FaultOutcome(1, "access_token"),
        "TR05-line-feed": FaultOutcome(1, "characters that are not allowed in tokens"),
        "TR05-space": FaultOutcome(1, "characters that are not allowed in tokens"),
        "TR05-not-ascii": FaultOutcome(1, "characters that are not allowed in tokens"),
        "TR06-no-type": FaultOutcome(1, "no token_type"),
        "TR07-mac": FaultOutcome(1, "token_type mac"),
        "TR20-scalar": FaultOutcome(1, "not an object"),
        "TR20-array": FaultOutcome(1, "not an object"),
        "TR20-empty": FaultOutcome(1, "not valid JSON"),
        "TR20-broken": FaultOutcome(1, "not valid JSON"),
        "TR20-trailing": FaultOutcome(1, "not valid JSON"),
        "TR21-twice": FaultOutcome(1, "not valid JSON"),
        "TR22-deep": FaultOutcome(1, "not valid JSON"),
        "TR20-cut-off": FaultOutcome(6, "connection"),
        "TR29-lost": FaultOutcome(6, "connection"),
        "TR22-large": FaultOutcome(1, "too large"),
        "DD08-large": FaultOutcome(1, "too large"),
        "TR23-page": FaultOutcome(1, "web page"),
        "TR23-firewall": FaultOutcome(1, "403"),
        "TR26-moved": FaultOutcome(1, "elsewhere.example"),
        "TR26-found": FaultOutcome(1, "elsewhere.example"),
        "TR26-see-other": FaultOutcome(1, "elsewhere.example"),
        "TR26-temporary": FaultOutcome(1, "elsewhere.example"),
        "TR26-permanent": FaultOutcome(1, "elsewhere.example"),
        "TR27-challenge": FaultOutcome(1, "invalid_client"),
        "TR33-client": FaultOutcome(1, "invalid_client"),
        "TR31-busy": FaultOutcome(75, "busy"),
        "TR33-failing": FaultOutcome(6, "server_error"),
        "TR34-scope": FaultOutcome(3, "invalid_scope"),
        "TR34-target": FaultOutcome(1, "invalid_target"),
        "TR35-number": FaultOutcome(1, "unnamed_error"),
        "TR35-long": FaultOutcome(1, "invalid_request"),
        "TR46-error": FaultOutcome(3, "invalid_scope"),
        "TR52-words": FaultOutcome(1, "not valid JSON"),
        "TR46-member-twice": FaultOutcome(1, "not valid JSON"),
        "TR48-grant-in-500": FaultOutcome(6, "invalid_grant"),
        "TR48-client-in-429": FaultOutcome(75, "busy"),
        "ER03-echo": FaultOutcome(1, "<redacted>"),
        "ER03-echo-in-500": FaultOutcome(6, "<redacted>"),
        "ER03-echo-page": FaultOutcome(6, "<redacted>"),
        "DD01-no-issuer": FaultOutcome(1, "JSON without issuer"),
        "DD01-number": FaultOutcome(1, "JSON without issuer"),
        "DD02-other": FaultOutcome(7, "received metadata of"),
        "DD02-path": FaultOutcome(7, "received metadata of"),
        "DD06-nothing": FaultOutcome(1, "nothing was found"),
        "DD06-denied": FaultOutcome(1, "oauth-authorization-server: 401"),
        "DD11-no-known-way": FaultOutcome(1, "only supports client authentication by private_key_jwt"),
        "DD25-two-origins": FaultOutcome(7, "nothing shows that both belong to the server"),
        "DD06-failing": FaultOutcome(6, "500"),
        "DD07-moved": FaultOutcome(1, "302"),
        "DD08-array": FaultOutcome(1, "200, not a JSON object"),
        "DD08-page": FaultOutcome(1, "200, a web page"),
        "DD08-twice": FaultOutcome(1, "not valid JSON"),
        "DD09-relative": FaultOutcome(1, "token_endpoint"),
        "DD09-http": FaultOutcome(1, "token_endpoint"),
        "DD09-person": FaultOutcome(1, "token_endpoint"),
        "DD10-no-token-endpoint": FaultOutcome(1, "token_endpoint"),
    ]

    @Test func `every fault that ends a sign-in has its outcome here`() {
        #expect(Set(FaultPersona.signIn.filter { !$0.isHarmless }.map(\.id)) == Set(Self.outcomes.keys))
        #expect(Set(FaultPersona.signIn.map(\.id)).count == FaultPersona.signIn.count)
    }

    @Test(arguments: FaultPersona.signIn.filter { !$0.isHarmless })
    func `a sign-in at a server with this fault ends as expected and stores nothing`(persona: FaultPersona) async throws {
        let outcome = try #require(Self.outcomes[persona.id])
        try await Tool.using(.init(persona: .openID)) { tool in
            tool.server.faults.play(persona)
            var timeout = outcome.waits ? 8 : 300
            var login = try await tool.runInTurn(tool.loginWords() + ["--timeout", String(timeout)])
            // On a busy machine, the sign-in may time out before the callback arrives.
            while outcome.waits, outcome.status == 7, login.status == 5, timeout < 128 {
                timeout *= 2
                login = try await tool.runInTurn(tool.loginWords() + ["--timeout", String(timeout)])
            }
            let lines = login.errorText.split(separator: "\n")
            outcome.expect(login)
            #expect(login.text.isEmpty)
            #expect(lines.count { $0.hasPrefix("authhub: ") } == 1, "\(login.errorText)")
            #expect(lines.last?.hasPrefix("  next: ") == true, "\(login.errorText)")
            #expect(try await tool.records().isEmpty)
            Self.expectNothingMore(of: tool.server.log, after: persona.place)
        }
    }

    @Test(arguments: FaultPersona.signIn.filter(\.isHarmless))
    func `tolerates a harmless fault`(persona: FaultPersona) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            tool.server.faults.play(persona)
            let login = try await tool.runInTurn(tool.loginWords())
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try await tool.runInTurn(["token"]).status == 0)
        }
    }

    /// Checks that no request follows the rejected response.
    private static func expectNothingMore(of log: RequestLog, after place: Faults.Place) {
        switch place {
        case .metadata:
            // The URL itself is requested, because it might be a resource.
            #expect(log.entries.allSatisfy { $0.path == "/" || $0.path.hasPrefix("/.well-known/") })
        case .authorization: #expect(log.tokenRequests() == 0)
        default:
            #expect(log.tokenRequests() == 1)
            // TR47: the tokens in the response are revoked.
            #expect(log.entries.last { $0.path != "/revoke" }?.path == "/token")
        }
    }
}
