import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import HeadlessBrowsing
import JOSE
import OAuthProtocol
import Platform
import Synchronization
import Testing
import WebAuthentication

/// Programs that authenticate or act with signed tokens, at the development server.
struct AssertionSignInTests {
    private static let loopback = TransportPolicy.insecureHTTPOnLoopbackForDevelopment
    private static let webApp = OAuthClient(id: "web-app", secret: Secret("development-secret-of-the-web-app"))
    private static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let exchange = "urn:ietf:params:oauth:grant-type:token-exchange"

    private static func profile(of server: DevelopmentAuthorizationServer) throws -> ProviderProfile {
        .issuer(try Issuer(server.issuer, transport: loopback))
    }

    private static func session(
        at server: DevelopmentAuthorizationServer, as client: OAuthClient, grant: AuthorizationGrant, scope: Scope = ["repo"],
        store: any CredentialStore = MemoryCredentialStore()
    ) throws -> OAuthSession {
        var configuration = OAuthSession.Configuration(
            server: try profile(of: server), client: client, scope: scope, grant: grant, store: store, dependencies: .network)
        configuration.target.resources = [try #require(ResourceIndicator(server.issuer + "/user"))]
        return OAuthSession(configuration)
    }

    /// A client with a key that is registered at the server.
    private static func machine(at server: DevelopmentAuthorizationServer, grants: [String]) async throws -> OAuthClient {
        let keys = ClientKeys(signing: try .generate())
        var metadata = ClientMetadata()
        metadata.grantTypes = grants
        metadata.responseTypes = grants.contains("authorization_code") ? ["code"] : []
        metadata.redirectURIs = ["http://127.0.0.1/callback"]
        metadata.applicationType = "native"
        metadata.tokenEndpointAuthenticationMethod = .privateKeyJWT
        metadata.keySet = keys.publicKeys(at: .now)
        let registration = try await AuthorizationServer(profile(of: server), dependencies: .network).register(metadata)
        return try registration.client(at: profile(of: server), redirectURI: .loopback, keys: keys, at: .now)
    }

    /// A workload's token: signed with the client's own key, for the server.
    private static func token(for server: DevelopmentAuthorizationServer, by client: OAuthClient) async throws -> Secret<String> {
        var claims = JSONObject()
        claims["iss"] = .string(client.id)
        claims["sub"] = "workload"
        claims["aud"] = .string(server.issuer)
        claims["exp"] = .number(JSONNumber(Int64(Date.now.timeIntervalSince1970) + 600))
        return try await JSONWebSignature.sign(claims, with: try #require(client.keys?.signingKey(at: .now)))
    }

    // MARK: - Client authentication

    @Test func `CA08, MC19: token, introspection and revocation requests each have an assertion of their own`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let client = try await Self.machine(at: server, grants: ["client_credentials"])
            let session = try Self.session(at: server, as: client, grant: .clientCredentials)
            let token = try await session.accessToken().value
            try await session.refresh()
            let direct = AuthorizationServer(try Self.profile(of: server), dependencies: .network)
            #expect(try await direct.introspect(token, as: client).isActive)
            #expect(try await direct.revoke(token, as: client))
            #expect(try await !direct.introspect(token, as: client).isActive)
            #expect(await session.signOut().isSignedOut)
            let signed = server.log.entries.filter { $0.formNames.contains("client_assertion") }
            #expect(Set(signed.map(\.path)) == ["/token", "/introspect", "/revoke"])
            #expect(signed.allSatisfy { $0.status == 200 }, "the server rejects an assertion that it has seen")
            #expect(signed.filter { $0.path == "/token" }.allSatisfy { $0.formNames.contains("resource") })
        }
    }

    @Test func `CA08: pushed requests, code exchanges and refreshes each have an assertion of their own`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let client = try await Self.machine(at: server, grants: ["authorization_code", "refresh_token"])
            var profile = try Self.profile(of: server)
            profile.pushedAuthorization = .always
            let session = OAuthSession(
                OAuthSession.Configuration(
                    server: profile, client: client, scope: ["openid", "offline_access"],
                    grant: .authorizationCode(BrowserAuthenticator.octocat),
                    store: MemoryCredentialStore(), dependencies: .network))
            try await session.signIn()
            try await session.refresh()
            let signed = server.log.entries.filter { $0.formNames.contains("client_assertion") }
            #expect(signed.map(\.path) == ["/par", "/token", "/token"])
            #expect(signed.allSatisfy { $0.status == 200 || $0.status == 201 }, "the server rejects an assertion that it has seen")
        }
    }

    @Test func `CA07: a client secret that signs is never sent`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            var client = Self.webApp
            client.authentication = .clientSecretJWT
            _ = try await Self.session(at: server, as: client, grant: .clientCredentials).accessToken()
            let request = try #require(server.log.entries.first { $0.path == "/token" })
            #expect(request.formNames.contains("client_assertion") && !request.formNames.contains("client_secret"))
        }
    }

    @Test func `CA01: the server accepts no assertion by another key`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            var client = try await Self.machine(at: server, grants: ["client_credentials"])
            client.keys = ClientKeys(signing: try .generate())
            let session = try Self.session(at: server, as: client, grant: .clientCredentials)
            let failure = await #expect(throws: SessionError.self) { _ = try await session.accessToken() }
            #expect(failure?.serverError?.code == .invalidClient)
        }
    }

    // MARK: - Workloads

    @Test func `MC21: each access token needs an assertion that is read again, and refresh tokens are not used`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            server.faults.always(at: .tokenEndpoint, .altered([.member("refresh_token", "unwanted")]))
            let client = try await Self.machine(at: server, grants: [Self.jwtBearer])
            let reads = Mutex(0)
            let grant = AuthorizationGrant.jwtBearer {
                reads.withLock { $0 += 1 }
                return try await Self.token(for: server, by: client)
            }
            let store = MemoryCredentialStore()
            let session = try Self.session(at: server, as: client, grant: grant, store: store)
            #expect(try await session.load(.get("\(server.issuer)/user")).status == .ok)
            server.faults.expireAllAccessTokens()
            #expect(try await session.load(.get("\(server.issuer)/user")).status == .ok)
            try await session.refresh()
            #expect(reads.withLock { $0 } == 3)
            #expect(server.log.tokenRequests(grant: Self.jwtBearer) == 3 && server.log.tokenRequests() == 3)
            let sent = server.log.entries.filter { $0.path == "/token" }
            #expect(sent.allSatisfy { Set(["assertion", "client_id", "resource", "scope"]).isSubset(of: $0.formNames) })
        }
    }

    @Test(arguments: ["invalid_grant", "invalid_scope", "unauthorized_client"])
    func `MC21: an assertion that the server rejects is neither sent again nor replaced by another grant`(code: String) async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let client = try await Self.machine(at: server, grants: [Self.jwtBearer])
            server.faults.always(at: .tokenEndpoint, .oauthError(code))
            let grant = AuthorizationGrant.jwtBearer { try await Self.token(for: server, by: client) }
            let session = try Self.session(at: server, as: client, grant: grant)
            for _ in 0..<2 {
                let failure = await #expect(throws: SessionError.self) { _ = try await session.accessToken() }
                #expect(failure?.serverError?.code == ServerErrorCode(rawValue: code))
            }
            #expect(server.log.tokenRequests() == 1)
        }
    }

    @Test func `MC21: an assertion that cannot be read, or is not a signed token, sends nothing`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            struct Gone: Error {}
            for grant in [
                AuthorizationGrant.jwtBearer { throw Gone() }, .jwtBearer { Secret("not a token") }, .jwtBearer { Secret("a..b") },
            ] {
                let session = try Self.session(at: server, as: Self.webApp, grant: grant)
                await #expect(throws: SessionError.self) { _ = try await session.accessToken() }
            }
            #expect(server.log.tokenRequests() == 0)
        }
    }

    // MARK: - Identity providers

    /// Runs a test with an identity provider, a server that trusts it, and a session there for a user of the identity provider.
    private static func withProvider(
        store: any CredentialStore = MemoryCredentialStore(),
        _ work: (
            _ provider: DevelopmentAuthorizationServer, _ server: DevelopmentAuthorizationServer, _ session: OAuthSession
        ) async throws -> Void
    ) async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { provider in
            let first = OAuthSession(
                OAuthSession.Configuration(
                    server: try profile(of: provider), client: webApp, scope: ["openid"],
                    grant: .authorizationCode(BrowserAuthenticator.octocat),
                    store: MemoryCredentialStore(), dependencies: .network))
            try await first.signIn()
            let idToken = try #require(try await first.identity).text
            var configuration = DevelopmentServerConfiguration(persona: .openID)
            // The key that signs assertions exists once the provider has signed an ID token with it.
            let keys = try await JSONValue(strict: first.load(.get("\(provider.issuer)/jwks")).body.collect(upTo: 65_536))
            configuration.trustedIssuers = [provider.issuer: keys["keys"]?.array?.compactMap(\.object) ?? []]
            try await withDevelopmentServer(configuration) { server in
                let source = IdentityAssertionSource(at: try profile(of: provider), as: webApp, dependencies: .network) {
                    TokenExchange.TypedToken(idToken, .idToken)
                }
                try await work(
                    provider, server, try session(at: server, as: webApp, grant: .identityAssertion(from: source), store: store))
            }
        }
    }

    @Test func `IJ01, IJ04, IJ05, MC20: a user of the identity provider is let in, twice, without a page and without a refresh token`()
        async throws
    {
        try await Self.withProvider { provider, server, session in
            let response = try await session.load(.get("\(server.issuer)/user"))
            #expect(response.status == .ok)
            server.faults.expireAllAccessTokens()
            #expect(try await session.load(.get("\(server.issuer)/user")).status == .ok)
            #expect(provider.log.tokenRequests(grant: Self.exchange) == 2 && server.log.tokenRequests(grant: Self.jwtBearer) == 2)
            let asked = try #require(provider.log.entries.last { $0.path == "/token" })
            #expect(
                Set(["subject_token", "subject_token_type", "requested_token_type", "audience", "resource", "scope"]).isSubset(
                    of: asked.formNames))
            #expect(!server.log.entries.contains { $0.path == "/authorize" })
        }
    }

    @Test func `IJ05: uses a refresh token from the response, and if it is rejected, both steps are repeated`() async throws {
        try await Self.withProvider { provider, server, session in
            server.faults.next(at: .tokenEndpoint, .altered([.member("refresh_token", "unknown-later")]))
            let first = try await session.load(.get("\(server.issuer)/user"))
            #expect(first.status == .ok)
            server.faults.expireAllAccessTokens()
            let second = try await session.load(.get("\(server.issuer)/user"))
            #expect(second.status == .ok)
            #expect(server.log.tokenRequests(grant: "refresh_token") == 1)
            #expect(provider.log.tokenRequests(grant: Self.exchange) == 2)
        }
    }

    @Test(arguments: FaultPersona.assertions.filter { $0.id.hasPrefix("IJ") })
    func `an identity provider with this fault lets no one in, and nothing is sent to the other server`(persona: FaultPersona)
        async throws
    {
        try await Self.withProvider { provider, server, session in
            provider.faults.play(persona)
            let failure = await #expect(throws: SessionError.self) { _ = try await session.accessToken() }
            let codes: [String: SessionError.Code] = [
                "IJ02-other-type": .serverMisbehaved, "IJ02-bearer": .serverMisbehaved, "IJ03-other-audience": .securityCheckFailed,
                "IJ03-several-audiences": .securityCheckFailed, "IJ03-other-client": .securityCheckFailed,
                "IJ03-other-header": .serverMisbehaved, "IJ03-expired": .serverMisbehaved, "IJ07-interaction": .serverRejected,
            ]
            #expect(failure?.code == codes[persona.id], "\(persona.id)")
            #expect(server.log.tokenRequests() == 0)
        }
    }

    @Test func `IJ02: the identity assertion is not in the store`() async throws {
        let store = MemoryCredentialStore()
        try await Self.withProvider(store: store) { _, server, session in
            let accessToken = try await session.accessToken().value.reveal()
            for account in try await store.inventory(includingUnlisted: true).accounts {
                let record = try await store.read(account)?.payload.reveal() ?? []
                #expect(!String(decoding: record, as: UTF8.self).replacing(accessToken, with: "").contains("eyJ"))
            }
        }
    }

    @Test func `IJ06: at a server without an issuer, no assertion is requested`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { provider in
            let source = IdentityAssertionSource(at: try Self.profile(of: provider), as: Self.webApp, dependencies: .network) {
                TokenExchange.TypedToken(Secret("a.b.c"), .idToken)
            }
            let server = ProviderProfile(
                name: "plain", displayName: "Plain", endpoints: Endpoints(token: "https://as.example/token"))
            let session = OAuthSession(
                OAuthSession.Configuration(
                    server: server, client: Self.webApp, grant: .identityAssertion(from: source), store: MemoryCredentialStore(),
                    dependencies: .network))
            let failure = await #expect(throws: SessionError.self) { _ = try await session.accessToken() }
            #expect(failure?.code == .misconfigured)
            #expect(provider.log.tokenRequests() == 0)
        }
    }
}
