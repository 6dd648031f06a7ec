@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// The tool at a server that rotates refresh tokens and responds to a refresh with a fault: no issued token is lost.
struct RefreshFaultTests {
    /// The faults in responses that contain a refresh token.
    private static let personas = FaultPersona.signIn.filter { persona in
        if case .altered = persona.fault { persona.place == .tokenEndpoint && !lacksToken.contains(persona.id) } else { false }
    }
    private static let lacksToken: Set<String> = ["TR14-null", "TR15-empty", "TR15-number"]

    @Test(arguments: personas)
    func `TR46, TR47, TR52: after an odd response to a refresh the next refresh succeeds, or the sign-in has ended properly`(
        persona: FaultPersona
    ) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.runInTurn(tool.loginWords()).status == 0)
            tool.server.faults.play(persona)
            let odd = try await tool.runInTurn(["refresh"])
            tool.server.faults.clear()
            let next = try await tool.runInTurn(["refresh"])
            if persona.check == "TR52" {
                #expect(odd.status == 1 && next.status == 4, "\(odd.errorText)\(next.errorText)")
                return
            }
            #expect(
                odd.status == (persona.isHarmless || persona.check == "TR06" ? 0 : persona.id == "TR46-error" ? 3 : 1), "\(odd.errorText)")
            #expect(next.status == 0, "\(next.errorText)")
        }
    }

    @Test(arguments: ["TR48-grant-in-500", "TR48-client-in-429"])
    func `TR48: a 5xx response does not sign the user out`(id: String) async throws {
        let persona = try #require(FaultPersona.signIn.first { $0.id == id })
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.runInTurn(tool.loginWords()).status == 0)
            tool.server.faults.play(persona)
            let refused = try await tool.runInTurn(["refresh"])
            #expect(refused.status == (persona.id == "TR48-client-in-429" ? 75 : 6), "\(refused.errorText)")
            tool.server.faults.clear()
            #expect(try await tool.runInTurn(["refresh"]).status == 0)
        }
    }
}
