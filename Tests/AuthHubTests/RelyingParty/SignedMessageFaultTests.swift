import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import HeadlessBrowsing
import OAuthProtocol
import Testing
import WebAuthentication

/// A real session at the development server, which plays every fault of ID tokens, keys and UserInfo, and the modules of the OpenID
/// Foundation's suite for relying parties. The server shares no code with the client.
struct SignedMessageFaultTests {
    /// The faults whose outcome differs from that of the description, and why.
    private static let exceptions = [
        "JK12-withdrawn": "the keys were read before the code was sent, and a copy is used until its age",
        "UI05-signed": "a valid signature is never a reason to reject",
    ]

    /// All faults but those that change nothing unless the client registered for encryption.
    static let personas = FaultPersona.openID.filter {
        $0.isHarmless || $0.fault != .altered([]) || !$0.others.isEmpty || !$0.preparations.isEmpty && $0.preparations != [.plainTokens]
    }

    @Test(arguments: personas)
    func `a session accepts what is harmless, and nothing else`(persona: FaultPersona) async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let session = try Self.session(at: server, playing: persona)
            server.faults.play(persona)
            let problem = await Self.problem(of: persona, session)
            let isAccepted = Self.exceptions[persona.id] == nil ? persona.isHarmless : !persona.isHarmless
            #expect((problem == nil) == isAccepted, "\(persona): \(problem.map { "\($0)" } ?? "accepted")")
            if let problem { #expect(problem.code != .unreachable || persona.place == .keySet || persona.place == .userInfo) }
            if !isAccepted, ![.userInfo, .refresh].contains(persona.place) {
                #expect(server.log.userInfoRequests == 0)
                if persona.check != "ID38" { #expect(try await session.identity == nil) }
            }
            #expect(server.log.keySetRequests <= 2)
        }
    }

    @Test func `every exception is a fault`() {
        #expect(Set(Self.exceptions.keys).isSubset(of: FaultPersona.openID.map(\.id)))
    }

    private static func problem(of persona: FaultPersona, _ session: OAuthSession) async -> SessionError? {
        do throws(SessionError) {
            if persona.check == "ID40" {
                try await session.stepUp(StepUpRequirement(acrValues: ["urn:mace:incommon:iap:silver"]))
            } else {
                try await session.signIn()
            }
            if persona.check == "ID38" { try await session.signIn() }
            if persona.place == .refresh || persona.id.contains("refresh-token") { try await session.refresh() }
            if persona.place == .userInfo { _ = try await session.userInfo() }
            return nil
        } catch {
            return error
        }
    }

    private static func session(at server: DevelopmentAuthorizationServer, playing persona: FaultPersona) throws -> OAuthSession {
        var profile = ProviderProfile.issuer(try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment))
        if persona.check == "ID39" { profile.authorizationParameters = ["max_age": "600"] }
        if persona.id == "oidcc-client-test-userinfo-bearer-body" { profile.quirks.identity.userInfoReadsForm = true }
        if persona.id == "UI05-json" { profile.quirks.identity.userInfoMustBeSigned = true }
        let browser = BrowserAuthenticator(
            opener: HeadlessBrowser(
                filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared))
        return OAuthSession(
            OAuthSession.Configuration(
                server: profile, client: OAuthClient(id: "native-app"), scope: ["openid", "profile", "email", "offline_access"],
                grant: .authorizationCode(browser), store: MemoryCredentialStore(),
                dependencies: Dependencies(transport: NetworkTransport.shared)))
    }
}
