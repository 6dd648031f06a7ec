@testable import AuthHubCommandTests
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import Testing

/// The tool at servers with faults in pushed requests, revocation, introspection and registration.
struct MessageFaultTests {
    static let outcomes: [String: FaultOutcome] = [
        "PA01-ok": FaultOutcome(0, "Signed in"),
        "PA01-moved": FaultOutcome(1, "elsewhere.example"),
        "PA02-missing": FaultOutcome(1, "no usable request_uri"),
        "PA02-empty": FaultOutcome(1, "no usable request_uri"),
        "PA02-number": FaultOutcome(1, "no usable request_uri"),
        "PA03-missing": FaultOutcome(1, "no positive expires_in"),
        "PA03-zero": FaultOutcome(1, "no positive expires_in"),
        "PA03-text": FaultOutcome(1, "no positive expires_in"),
        "PA04-refused": FaultOutcome(1, "invalid_request"),
        "PA04-client": FaultOutcome(1, "invalid_client"),
        "PA04-busy": FaultOutcome(75, "busy"),
        "PA11-busy": FaultOutcome(75, "busy"),
        "ER03-pushed-echo": FaultOutcome(1, "<redacted>"),
        "PA08-no-endpoint": FaultOutcome(1, "pushed authorization requests"),
        "RV01-page": FaultOutcome(0, "revoked"),
        "RV02-busy": FaultOutcome(75, "nothing was changed"),
        "RV02-kind": FaultOutcome(1, "unsupported_token_type"),
        "RV04-busy": FaultOutcome(75, "nothing was changed"),
        "ER03-revocation-echo": FaultOutcome(1, "<redacted>"),
        "RV03-lost": FaultOutcome(6, "nothing was changed"),
        "RS14-elsewhere": FaultOutcome(1, "leads to another origin"),
        "IN03-busy": FaultOutcome(75, "busy"),
        "ER03-introspection-echo": FaultOutcome(1, "<redacted>"),
        "IN01-missing": FaultOutcome(1, "whether the token is active"),
        "IN01-text": FaultOutcome(1, "whether the token is active"),
        "IN01-inactive": FaultOutcome(1, "not active"),
        "RG08-busy": FaultOutcome(75, "busy"),
        "RG01-ok": FaultOutcome(0, "200 instead of 201"),
        "RG01-no-id": FaultOutcome(1, "no client_id"),
        "RG02-no-end": FaultOutcome(0, "the server does not say when the client secret expires"),
        "RG02-text": FaultOutcome(1, "client_secret_expires_at"),
        "RG03-redirect": FaultOutcome(0, "If you cannot use these redirect URIs: authhub client delete"),
        "RG04-elsewhere": FaultOutcome(0, "is not used"),
        "RG05-redirect": FaultOutcome(1, "invalid_redirect_uri"),
        "RG05-metadata": FaultOutcome(1, "invalid_client_metadata"),
        "RG05-token": FaultOutcome(3, "--initial-access-token-file"),
        "RG05-statement": FaultOutcome(3, "unapproved_software_statement"),
    ]

    @Test func `every fault has its outcome here`() {
        #expect(Set(FaultPersona.messages.map(\.id)) == Set(Self.outcomes.keys))
    }

    @Test(arguments: FaultPersona.messages)
    func `a request to a server with this fault ends as expected`(persona: FaultPersona) async throws {
        let outcome = try #require(Self.outcomes[persona.id])
        var quirks = Persona.openID
        quirks.messages.requiresPushedRequests = Self.isAboutPushing(persona)
        try await Tool.using(.init(persona: quirks)) { tool in
            let words = try await Self.prepared(tool, for: persona)
            tool.server.faults.play(persona)
            let before = try await tool.records().count
            let run = try await tool.runInTurn(words)
            outcome.expect(run)
            try await Self.expectStore(tool, after: persona, before: before)
        }
    }

    /// Signs in first if the test requires it.
    private static func prepared(_ tool: Tool, for persona: FaultPersona) async throws -> [String] {
        switch persona.place {
        case .revocation, .introspection:
            let secret = try tool.folder.write("development-secret-of-the-web-app", to: "secret")
            let login = try await tool.runInTurn([
                "login", tool.server.issuer, "--allow-insecure-loopback", "--client-id", "web-app", "--client-secret-file", secret,
                "--flow", "client-credentials",
            ])
            #expect(login.status == 0, "\(login.errorText)")
            return [persona.place == .revocation ? "revoke" : "introspect"]
        case .api:
            let login = try await tool.runInTurn(tool.loginWords())
            #expect(login.status == 0, "\(login.errorText)")
            return ["whoami"]
        case .registration:
            return ["client", "register", tool.server.issuer, "--allow-insecure-loopback", "--client-auth", "basic"]
        default: return try tool.loginWords()
        }
    }

    private static func isAboutPushing(_ persona: FaultPersona) -> Bool {
        persona.place == .pushedAuthorization || persona.check == "PA08"
    }

    /// Checks that a rejected response stores nothing and deletes nothing, and that no sign-in continues after it.
    private static func expectStore(_ tool: Tool, after persona: FaultPersona, before: Int) async throws {
        switch persona.id {
        case "RV01-page": #expect(try await tool.records().count == before - 1)
        case "PA01-ok":
            #expect(try await tool.records().count > before)
            return
        case "RG01-ok", "RG02-no-end", "RG03-redirect", "RG04-elsewhere": #expect(try await tool.records().count == 1)
        default: #expect(try await tool.records().count == before)
        }
        if isAboutPushing(persona) {
            #expect(tool.server.log.tokenRequests() == 0)
            #expect(tool.server.log.requests(path: "/authorize") == 0)
        }
    }

    @Test func `RV03: a sign-out whose revocation fails signs out locally, says what may still be valid, and can be repeated`() async throws
    {
        try await Tool.using(.init(persona: .openID)) { tool in
            try await tool.runInTurn(tool.loginWords())
            tool.server.faults.always(at: .revocation, .status(500))
            let logout = try await tool.runInTurn(["logout"])
            #expect(logout.status == 6, "\(logout.errorText)")
            #expect(logout.errorText.contains("may stay valid at the server"))
            #expect(try await tool.records().allSatisfy { !$0.isListed })
            #expect(
                try await tool.runInTurn(["accounts", "list", "-o", "json"]).json().array?.map { $0["state"] } == ["revocation_pending"])
            tool.server.faults.clear()
            let again = try await tool.runInTurn(["logout"])
            #expect(again.errorText.contains("the server confirmed the revocation"), "\(again.errorText)")
            #expect(try await tool.records().isEmpty)
        }
    }
}
