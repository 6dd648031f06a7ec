import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Testing

/// The modules about aggregated and distributed claims in the OpenID Foundation's suite for relying parties, and the faults of such claims.
struct ClaimsModuleTests {
    static let modules = Set(FaultPersona.claims.map(\.id).filter { $0.hasPrefix("oidcc") })

    @Test(arguments: FaultPersona.claims)
    func `ID53, ID54: uses the claims that a trusted issuer signed for this client, and no others`(persona: FaultPersona) async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            server.faults.play(persona)
            let session = try ModuleSetting(server: server).session()
            try await session.signIn()
            let info = try await session.userInfo()
            let issuer = try Self.claimsProvider(at: server)
            let results = (try? await session.externalClaims(in: info.claims, from: [issuer], fetching: true)) ?? []
            let used = results.compactMap { try? $0.get() }.filter { !$0.claims.members.isEmpty }
            #expect(used.isEmpty != persona.isHarmless, "\(persona): \(results)")
            for claims in used {
                #expect(claims.issuer == issuer.issuer && claims.subject == info.subject)
                #expect(claims.claims["credit_score"] == 650 || claims.claims["phone_number"] == "+1 555 0100")
            }
        }
    }

    @Test func `ID53: fetches distributed claims only if requested`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            server.faults.play(try FaultPersona.module("-distributed-claims"))
            let session = try ModuleSetting(server: server).session()
            try await session.signIn()
            let info = try await session.userInfo()
            let results = try await session.externalClaims(in: info.claims, from: [Self.claimsProvider(at: server)])
            #expect(results.count == 1 && results.allSatisfy { (try? $0.get()) == nil })
            #expect(server.log.requests(path: "/claims-provider/claims") == 0)
        }
    }

    private static func claimsProvider(at server: DevelopmentAuthorizationServer) throws -> ProviderProfile {
        .issuer(try Issuer(server.issuer + "/claims-provider", transport: .insecureHTTPOnLoopbackForDevelopment))
    }
}
