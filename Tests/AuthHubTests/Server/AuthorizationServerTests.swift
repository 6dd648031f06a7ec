import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import OAuthProtocol
import Platform
import Testing

/// Single requests to the development server.
struct AuthorizationServerTests {
    private static let webApp = OAuthClient(id: "web-app", secret: Secret("development-secret-of-the-web-app"))

    private static func server(_ server: DevelopmentAuthorizationServer) throws -> AuthorizationServer {
        AuthorizationServer(
            .issuer(try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)), dependencies: .network)
    }

    /// An access token issued to the client itself.
    private static func token(at server: DevelopmentAuthorizationServer) async throws -> Secret<String> {
        let issuer = try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
        let configuration = OAuthSession.Configuration(
            server: .issuer(issuer), client: webApp, scope: ["repo", "user"], grant: .clientCredentials, store: MemoryCredentialStore(),
            dependencies: .network)
        return try await OAuthSession(configuration).accessToken().value
    }

    @Test func `introspects a token, revokes it, and introspects it again`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { development in
            let server = try Self.server(development)
            let token = try await Self.token(at: development)
            let told = try await server.introspect(token, as: Self.webApp)
            #expect(told.isActive && told.clientID == "web-app" && told.scope == ["repo", "user"])
            #expect(try await server.revoke(token, hint: .accessToken, as: Self.webApp))
            #expect(try await !server.introspect(token, as: Self.webApp).isActive)
            // RV01: an unknown token counts as revoked.
            #expect(try await server.revoke(Secret("never-issued"), as: Self.webApp))
        }
    }

    @Test func `does not let a client without a secret introspect tokens`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { development in
            let failure = await #expect(throws: SessionError.self) {
                _ = try await Self.server(development).introspect(Secret("a"), as: OAuthClient(id: "native-app"))
            }
            #expect(failure?.serverError?.code == .invalidClient)
        }
    }

    @Test func `RFC 8693: exchanges a token for one with less access, and for one that is not an access token`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { development in
            let server = try Self.server(development)
            let subject = TokenExchange.TypedToken(try await Self.token(at: development))
            let lesser = try await server.exchange(
                TokenExchange(of: subject, actor: subject, audiences: ["https://api.example"], scope: ["repo"]), as: Self.webApp)
            #expect(lesser.tokenType == .bearer && lesser.issuedTokenType == .accessToken && lesser.scope == ["repo"])
            #expect(try await server.introspect(lesser.issuedToken, as: Self.webApp).audience == ["https://api.example"])
            let identity = try await server.exchange(TokenExchange(of: subject, for: .idToken), as: Self.webApp)
            #expect(identity.tokenType == nil && identity.issuedTokenType == .idToken)
            let failure = await #expect(throws: SessionError.self) {
                _ = try await server.exchange(TokenExchange(of: subject, scope: ["repo", "email"]), as: Self.webApp)
            }
            #expect(failure?.serverError?.code == .invalidScope)
        }
    }

    @Test func `reports the server's error code for an unknown grant type`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { development in
            let grant = try ExtensionGrant(type: "urn:example:grant", parameters: Secret(["a": "b"]))
            let failure = await #expect(throws: SessionError.self) {
                _ = try await Self.server(development).tokens(by: grant, as: Self.webApp)
            }
            #expect(failure?.serverError?.code == .unsupportedGrantType)
        }
    }

    @Test func `registers a client, signs in with it, updates it and deletes it`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { development in
            let server = try Self.server(development)
            var metadata = ClientMetadata()
            metadata.clientName = "Registered"
            metadata.grantTypes = ["client_credentials"]
            metadata.responseTypes = []
            metadata.tokenEndpointAuthenticationMethod = .basic
            metadata.scope = ["repo", "no-such-scope"]
            let registration = try await server.register(metadata)
            #expect(registration.differences.map(\.name) == ["scope"])
            #expect(registration.isManageable && registration.clientSecret != nil && registration.clientSecretExpiresAt == nil)

            let profile = try await server.provider()
            let client = try registration.client(at: profile, redirectURI: .loopback, at: .now)
            let configuration = OAuthSession.Configuration(
                server: profile, client: client, scope: ["repo"], grant: .clientCredentials, store: MemoryCredentialStore(),
                dependencies: .network)
            let token = try await OAuthSession(configuration).accessToken().value

            metadata.clientName = "Renamed"
            let changed = try await server.update(registration, to: metadata)
            #expect(changed.metadata.clientName == "Renamed")
            // The server has issued a new registration access token, so the first one is invalid.
            await #expect(throws: SessionError.self) { _ = try await server.registration(registration) }
            #expect(try await server.registration(changed).metadata.clientName == "Renamed")

            try await server.delete(changed)
            await #expect(throws: SessionError.self) { _ = try await server.registration(changed) }
            #expect(try await !server.introspect(token, as: Self.webApp).isActive)
        }
    }

    @Test func `needs an initial access token if the server demands one`() async throws {
        var persona = Persona.openID
        persona.messages.registration = .holders(of: Secret("initial"))
        try await withDevelopmentServer(.init(persona: persona)) { development in
            let server = try Self.server(development)
            let metadata = ClientMetadata(nativeProgram: "Native", redirectURIs: [.loopback])
            await #expect(throws: SessionError.self) { _ = try await server.register(metadata) }
            #expect(try await server.register(metadata, initialAccessToken: Secret("initial")).clientSecret == nil)
        }
    }

    @Test func `RG05: reports the server's error code for a rejected registration`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { development in
            var metadata = ClientMetadata(nativeProgram: "Native", redirectURIs: [.loopback])
            metadata.softwareStatement = "a.b.c"
            let failure = await #expect(throws: SessionError.self) { _ = try await Self.server(development).register(metadata) }
            #expect(failure?.serverError?.code == .unapprovedSoftwareStatement)
            #expect(failure?.whoHasToAct == .program)
        }
    }
}

struct AccountRevocationTests {
    @Test func `notifies the server first, and deletes the stored registration after the server confirms`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { development in
            let issuer = try Issuer(development.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)
            let client = OAuthClient(id: "web-app", secret: Secret("development-secret-of-the-web-app"))
            let store = MemoryCredentialStore()
            let profile = ProviderProfile.issuer(issuer)
            let configuration = OAuthSession.Configuration(
                server: profile, client: client, scope: ["repo"], grant: .clientCredentials, store: store, dependencies: .network)
            _ = try await OAuthSession(configuration).accessToken()
            let accounts = OAuthAccounts(store: store)
            #expect(try await accounts.introspect(of: profile, client: client, dependencies: .network)?.isActive == true)

            development.faults.next(at: .revocation, .status(503, retryAfter: .seconds(7)))
            let failure = await #expect(throws: SessionError.self) {
                _ = try await accounts.revoke(of: profile, client: client, dependencies: .network)
            }
            #expect(failure?.serverError?.retryAfter == 7, "RV02")
            #expect(try await store.accounts().count == 1)

            #expect(try await accounts.revoke(of: profile, client: client, dependencies: .network) == .revoked)
            #expect(try await store.accounts().isEmpty)
            #expect(try await accounts.revoke(of: profile, client: client, dependencies: .network) == .nobody)
            #expect(try await accounts.introspect(of: profile, client: client, dependencies: .network) == nil)
        }
    }
}
