import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import JOSE
import OAuthProtocol
import Platform
import Testing

/// Sessions at the development server, which has its own code to encrypt ID tokens and UserInfo responses.
struct EncryptionModuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let algorithm: KeyManagementAlgorithm
        var content = ContentEncryption.a128CBCHS256

        var testDescription: String { "\(algorithm.rawValue), \(content.rawValue)" }
    }

    @Test(arguments: [
        Row(algorithm: .rsaOAEP), Row(algorithm: .rsaOAEP256, content: .a256GCM), Row(algorithm: .ecdhES, content: .a128GCM),
        Row(algorithm: .ecdhESA128KW, content: .a192CBCHS384), Row(algorithm: .ecdhESA256KW, content: .a256CBCHS512),
        Row(algorithm: .a128KW), Row(algorithm: .a128GCMKW, content: .a128GCM), Row(algorithm: .direct, content: .a128GCM),
    ])
    func `UI13: decrypts ID tokens and UserInfo responses as registered`(row: Row) async throws {
        try await withDevelopmentServer(.init(persona: .openID, clients: [])) { server in
            let session = try await Self.session(at: server, row)
            let problem = await ModuleSetting.problem(of: session)
            #expect(problem == nil)
            #expect(try await session.identity?.subject.isEmpty == false)
        }
    }

    @Test(arguments: FaultPersona.encryption)
    func `ID58: rejects an encrypted ID token with a fault`(persona: FaultPersona) async throws {
        try await withDevelopmentServer(.init(persona: .openID, clients: [])) { server in
            let session = try await Self.session(at: server, Row(algorithm: .ecdhESA128KW))
            server.faults.play(persona)
            let problem = await ModuleSetting.problem(of: session)
            #expect(problem?.code == .securityCheckFailed, "\(persona)")
            #expect(try await session.identity == nil)
            #expect(server.log.userInfoRequests == 0)
        }
    }

    /// Registers a client, and returns its session.
    private static func session(at server: DevelopmentAuthorizationServer, _ row: Row) async throws -> OAuthSession {
        let keys = (try? DecryptionKey.generate(row.algorithm)).map { ClientKeys(decryption: [$0]) }
        var metadata = ClientMetadata(nativeProgram: "Encrypted", redirectURIs: [.loopback], scope: ["openid", "profile", "email"])
        metadata.members["token_endpoint_auth_method"] = "client_secret_basic"
        metadata.openID.idTokenSignature = .es256
        metadata.openID.idTokenEncryption = .init(row.algorithm, content: row.content)
        metadata.openID.userInfoSignature = .es256
        metadata.openID.userInfoEncryption = .init(row.algorithm, content: row.content)
        metadata.keySet = keys?.publicKeys(at: .now)
        let profile = try ModuleSetting(server: server).profile()
        let registration = try await AuthorizationServer(
            profile, dependencies: Dependencies(transport: NetworkTransport.shared)
        ).register(metadata)
        let client = try registration.client(at: profile, redirectURI: .loopback, keys: keys, at: .now)
        return try ModuleSetting(server: server, client: client).session()
    }
}
