@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// The tool at protected resources with faults: how a sign-in ends, and that nothing is sent before that.
struct ResourceFaultTests {
    static let outcomes: [String: FaultOutcome] = [
        "MC01-post-only": FaultOutcome(0, "Signed in"),
        "MC02-elsewhere": FaultOutcome(0, "Signed in"),
        "MC02-no-url": FaultOutcome(0, "Signed in"),
        "MC02-root": FaultOutcome(0, "Signed in"),
        "MC02-private": FaultOutcome(7, "private network"),
        "MC03-other": FaultOutcome(7, "received metadata of https://other.example/mcp"),
        "MC03-neighbor": FaultOutcome(7, "/user"),
        "MC03-missing": FaultOutcome(1, "JSON without resource"),
        "MC04-none": FaultOutcome(1, "names no usable authorization server"),
        "MC04-private": FaultOutcome(7, "private network"),
        "MC04-other-issuer": FaultOutcome(7, "received metadata of https://other.example"),
        "MC04-private-page": FaultOutcome(7, "private network"),
        "MC04-stranger": FaultOutcome(7, "which does not know it"),
        "MC05-no-list": FaultOutcome(7, "PKCE"),
        "MC05-plain": FaultOutcome(7, "PKCE"),
        "MC06-closed": FaultOutcome(64, "the client ID is missing"),
        "MC07-refused": FaultOutcome(1, "invalid_client_metadata"),
        "MC07-other-redirect": FaultOutcome(1, "http://127.0.0.1:80/, which was not requested"),
        "MC08-no-end": FaultOutcome(0, "the server does not say when the client secret expires"),
        "MC14-endless": FaultOutcome(0, "Signed in"),
        "MC23-nothing": FaultOutcome(1, "does not name its authorization server"),
        "MC15-other-host": FaultOutcome(7, "responses do not name their issuer"),
        "MC15-other-token": FaultOutcome(7, "--issuer http://127.0.0.1"),
        "MC15-other-issuer": FaultOutcome(7, "another issuer"),
    ]

    @Test func `every fault has its outcome here`() {
        #expect(Set(FaultPersona.resources.map(\.id)) == Set(Self.outcomes.keys))
    }

    @Test(arguments: FaultPersona.resources)
    func `a sign-in at a resource with this fault ends as expected`(persona: FaultPersona) async throws {
        let outcome = try #require(Self.outcomes[persona.id])
        try await Tool.using(.init(persona: .modelContext)) { tool in
            tool.server.faults.play(persona)
            let output = try await tool.runInTurn(["login", tool.resource] + Tool.headless)
            outcome.expect(output)
            guard outcome.status != 0 else { return }
            #expect(try await tool.run("accounts", "-o", "json").json().array?.isEmpty == true)
            let sent = Set(tool.server.log.entries.map(\.path)).subtracting(["/mcp"]).filter { !$0.hasPrefix("/.well-known/") }
            let isEarly = !["MC07-refused", "MC07-other-redirect", "MC15-other-token", "MC15-other-issuer"].contains(persona.id)
            #expect(!isEarly || sent.isEmpty, "neither a registration nor a page: \(sent)")
            #expect(!sent.contains("/token"))
        }
    }
}
