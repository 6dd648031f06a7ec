import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Platform
import Testing

/// The modules about client registration and client authentication in the OpenID Foundation's suite for relying parties.
struct RegistrationModuleTests {
    /// The modules that the tests play.
    static let modules = Set([registration, basic].map { "oidcc-client-test" + $0 })
    private static let registration = "-dynamic-registration"
    private static let basic = "-client-secret-basic"

    struct Row: Sendable, CustomTestStringConvertible {
        let method: ClientAuthenticationMethod
        let algorithm: String

        var testDescription: String { "\(method.rawValue), \(algorithm)" }
    }

    private static let rows = [ClientAuthenticationMethod.none, .basic, .post].flatMap { method in
        ["RS256", "PS256", "ES256", "EdDSA"].map { Row(method: method, algorithm: $0) }
    }

    @Test(arguments: rows)
    func `signs in with the authentication method and the algorithms that the server registered`(row: Row) async throws {
        try await withDevelopmentServer(.init(persona: .openID, clients: [])) { server in
            server.faults.play(try FaultPersona.module(Self.registration))
            var metadata = ClientMetadata(nativeProgram: "Modules", redirectURIs: [.loopback], scope: ["openid", "profile", "email"])
            metadata.members["token_endpoint_auth_method"] = .string(row.method.rawValue)
            metadata.members["id_token_signed_response_alg"] = .string(row.algorithm)
            metadata.members["userinfo_signed_response_alg"] = .string(row.algorithm)
            let profile = try ModuleSetting(server: server).profile()
            let registration = try await AuthorizationServer(
                profile, dependencies: Dependencies(transport: NetworkTransport.shared)
            ).register(metadata)
            #expect((registration.clientSecret == nil) == (row.method == .none))
            #expect(registration.metadata.members["id_token_signed_response_alg"]?.string == row.algorithm)
            let client = try registration.client(at: profile, redirectURI: .loopback, at: .now)
            #expect(client.authentication == row.method)
            let setting = ModuleSetting(server: server, client: client) { profile in
                profile.quirks.identity.algorithms = [row.algorithm]
                profile.quirks.identity.userInfoMustBeSigned = true
            }
            let session = try setting.session()
            let problem = await ModuleSetting.problem(of: session)
            #expect(problem == nil)
            let identity = try await session.identity
            #expect(identity?.claims["aud"]?.string == registration.clientID)
            #expect(server.log.requests(path: "/register") == 1 && server.log.tokenRequests() == 1)
        }
    }

    @Test func `authenticates by HTTP Basic at a server that accepts nothing else`() async throws {
        var persona = Persona.openID
        persona.tokenRequests.clientAuthentication = [.basic]
        try await withDevelopmentServer(.init(persona: persona)) { server in
            server.faults.play(try FaultPersona.module(Self.basic))
            for (method, isGood) in [(ClientAuthenticationMethod.basic, true), (.post, false)] {
                let client = OAuthClient(id: "web-app", secret: ModuleSetting.secret, authentication: method)
                let problem = await ModuleSetting.problem(of: try ModuleSetting(server: server, client: client).session())
                #expect((problem == nil) == isGood)
            }
        }
    }
}
