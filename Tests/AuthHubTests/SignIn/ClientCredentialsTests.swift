import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Synchronization
import Testing

/// A program with its own access at the development server: no user and no sign-in page.
struct ClientCredentialsTests {
    private static func configuration(
        at server: DevelopmentAuthorizationServer, store: any CredentialStore, secret: String = "development-secret-of-the-web-app",
        target: AccessTarget = AccessTarget(), prompting: SignInPrompting = .manual,
        dependencies: Dependencies = .network
    ) throws -> OAuthSession.Configuration {
        let issuer = try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
        var configuration = OAuthSession.Configuration(
            server: .issuer(issuer), client: OAuthClient(id: "web-app", secret: Secret(secret)), scope: ["repo"], grant: .clientCredentials,
            store: store, dependencies: dependencies)
        configuration.target = target
        configuration.prompting = prompting
        return configuration
    }

    @Test func `obtains a token when a request needs one, shares it between concurrent requests, and replaces it when it expires`()
        async throws
    {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let session = OAuthSession(try Self.configuration(at: server, store: MemoryCredentialStore()))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await session.load(.get("\(server.issuer)/user")).status.code } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 20))
            #expect(server.log.tokenRequests(grant: "client_credentials") == 1)

            server.faults.expireAllAccessTokens()
            #expect(try await session.load(.get("\(server.issuer)/user")).status == .ok)
            #expect(server.log.tokenRequests(grant: "client_credentials") == 2)
            #expect(server.log.tokenRequests() == 2)

            try await session.refresh()
            #expect(server.log.tokenRequests(grant: "client_credentials") == 3)
            #expect(await session.signOut().isSignedOut)
            #expect(server.log.revocations == 1)
        }
    }

    @Test func `replaces a token that has expired by the clock before sending a request`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            server.faults.always(at: .tokenEndpoint, .answer(body: #"{"access_token":"a","token_type":"Bearer","expires_in":1e-9}"#))
            let store = MemoryCredentialStore()
            let session = OAuthSession(try Self.configuration(at: server, store: store))
            // A token that expires immediately is useless, and the program gets an error.
            let failure = await #expect(throws: SessionError.self) { _ = try await session.accessToken() }
            #expect(failure?.code == .serverMisbehaved)
            #expect(server.log.tokenRequests() == 1)
        }
    }

    @Test func `TR13: uses a token with a lifetime of 0 until the server rejects it`() async throws {
        let lifetimes = DevelopmentServerConfiguration.Lifetimes(accessToken: .seconds(0))
        try await withDevelopmentServer(.init(persona: .openID, lifetimes: lifetimes)) { server in
            let session = OAuthSession(try Self.configuration(at: server, store: MemoryCredentialStore()))
            let first = try await session.accessToken(), second = try await session.accessToken()
            #expect(first.expiresAt == nil && first.value == second.value)
            #expect(server.log.tokenRequests() == 1)
        }
    }

    @Test func `sessions that share a store share the token`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let store = MemoryCredentialStore()
            let first = OAuthSession(try Self.configuration(at: server, store: store))
            let second = OAuthSession(try Self.configuration(at: server, store: store))
            let tokens = try await [first.accessToken(), second.accessToken()]
            #expect(tokens[0].value == tokens[1].value)
            #expect(server.log.tokenRequests() == 1)
        }
    }

    @Test func `fails with the server's error for a wrong secret, and blames the program`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let session = OAuthSession(try Self.configuration(at: server, store: MemoryCredentialStore(), secret: "wrong"))
            let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(failure?.serverError?.code == .invalidClient)
            #expect(failure?.whoHasToAct == .program)
            #expect(server.log.tokenRequests() == 1)
        }
    }

    @Test func `after a failure, requests a token again after a pause or when the program says so, not with each request`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
            var dependencies = Dependencies.network
            dependencies.now = { clock.withLock { $0 } }
            let session = OAuthSession(
                try Self.configuration(at: server, store: MemoryCredentialStore(), secret: "wrong", dependencies: dependencies))
            for _ in 0..<5 {
                let failure = await #expect(throws: SessionError.self) { _ = try await session.accessToken() }
                #expect(failure?.serverError?.code == .invalidClient)
            }
            #expect(server.log.tokenRequests() == 1)
            clock.withLock { $0 += 2 }
            await #expect(throws: SessionError.self) { _ = try await session.accessToken() }
            #expect(server.log.tokenRequests() == 2)
            await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(server.log.tokenRequests() == 3)
        }
    }

    @Test func `RFC 8707: requests a token for the session's resources, as the server confirms`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let resource = try #require(ResourceIndicator("https://api.example/"))
            let details = try AuthorizationDetails(json: [["type": "account_information"]])
            let configuration = try Self.configuration(
                at: server, store: MemoryCredentialStore(), target: AccessTarget(resources: [resource], details: details))
            let token = try await OAuthSession(configuration).accessToken()
            let issuer = try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
            let told = try await AuthorizationServer(.issuer(issuer), dependencies: .network)
                .introspect(token.value, as: OAuthClient(id: "web-app", secret: Secret("development-secret-of-the-web-app")))
            #expect(told.audience == ["https://api.example/"])
            #expect(told.members["authorization_details"] == [["type": "account_information"]])
        }
    }

    @Test func `TR34: fails with invalid_target for a resource that the server does not know`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let resource = try #require(ResourceIndicator("https://nowhere.invalid/"))
            let session = OAuthSession(
                try Self.configuration(at: server, store: MemoryCredentialStore(), target: AccessTarget(resources: [resource])))
            let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(failure?.serverError?.code == .invalidTarget)
        }
    }
}
