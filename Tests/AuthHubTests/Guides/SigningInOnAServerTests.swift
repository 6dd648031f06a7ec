import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import Crypto
import DevelopmentServer
import OAuthProtocol
import Platform
import Testing
import WebAuthentication

/// Runs the code of the guide "Sign users in on a server" unchanged.
struct SigningInOnAServerTests {
    // snippet: server-sealing
    /// Encrypts and authenticates values for cookies. All machines of the program have the same key.
    struct Sealer {
        let key: SymmetricKey

        func seal(_ value: some Encodable) throws -> String {
            try ChaChaPoly.seal(JSONEncoder().encode(value), using: key).combined.base64EncodedString()
        }

        func open<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
            let box = try ChaChaPoly.SealedBox(combined: Data(base64Encoded: text) ?? Data())
            return try JSONDecoder().decode(type, from: ChaChaPoly.open(box, using: key))
        }
    }
    // end

    @Test func `a web server signs a user in with a sealed cookie, and a session keeps the tokens fresh`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { development in
            let provider = ProviderProfile.issuer(try Issuer(development.issuer, transport: .insecureHTTPOnLoopbackForDevelopment))
            let client = OAuthClient(id: "web-app", secret: Secret("development-secret-of-the-web-app"))
            let sealer = Sealer(key: SymmetricKey(size: .bits256))
            let store = MemoryCredentialStore()
            let attempt = try await BrowserAuthenticator.octocat.prepare(.loopback())
            let redirectURI = try #require(RedirectURI(attempt.redirectURI))

            // snippet: server-begin
            let server = AuthorizationServer(provider, dependencies: .network)
            let (url, pending) = try await server.beginSignIn(
                as: client, scope: ["openid", "profile", "user", "offline_access"], redirectURI: redirectURI)
            let cookie = "__Host-sign-in=\(try sealer.seal(pending)); Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600"
            // end
            #expect(cookie.utf8.count < 4096)

            let received = try await attempt.authenticate(WebAuthenticationRequest(url: url) { _ in true })
            let query = received.callback.url.reveal().split(separator: "?")[1]
            let value = String(cookie.dropFirst("__Host-sign-in=".count).prefix { $0 != ";" })

            // snippet: server-finish
            var waiting = try sealer.open(value, as: PendingSignIn.self)
            let result = try await server.finishSignIn(&waiting, as: client, callback: "\(redirectURI)?\(query)")
            guard let user = result.idToken else { return }  // the key of your user: the issuer and the subject
            // end
            #expect(user.issuer == development.issuer && user.subject == "583231")

            // snippet: server-adopt
            let configuration = OAuthSession.Configuration(
                server: provider, client: client, scope: ["openid", "profile", "user", "offline_access"], grant: .refreshToken,
                store: store, dependencies: .network)
            try await OAuthSession(configuration, label: user.subject).adopt(result)
            // end
            // snippet: server-use
            let session = OAuthSession(configuration, label: user.subject)
            let response = try await session.load(.get(development.issuer + "/user"))
            // end
            #expect(response.status == .ok)
            #expect(throws: (any Error).self) { try Sealer(key: SymmetricKey(size: .bits256)).open(value, as: PendingSignIn.self) }
            let error = await #expect(throws: SessionError.self) {
                try await server.finishSignIn(&waiting, as: client, callback: "\(redirectURI)?\(query)")
            }
            #expect(error?.code == .securityCheckFailed)
            await received.conclude(.signedIn)
        }
    }

    // snippet: server-api
    /// Returns the status of a response to a request, whose access token has to be for this API.
    func status(of authorization: String?, at server: AuthorizationServer) async -> Int {
        guard let authorization, authorization.lowercased().hasPrefix("bearer ") else { return 401 }
        do throws(SessionError) {
            let token = Secret(String(authorization.dropFirst("bearer ".count)))
            let claims = try await server.verify(accessToken: token, audience: "https://api.example.com")
            return claims.scope.contains("repo") ? 200 : 403
        } catch {
            return error.code == .securityCheckFailed ? 401 : 503
        }
    }
    // end

    @Test func `an API accepts the access tokens that were issued for it`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { development in
            let provider = ProviderProfile.issuer(try Issuer(development.issuer, transport: .insecureHTTPOnLoopbackForDevelopment))
            let server = AuthorizationServer(provider, dependencies: .network)
            func token(_ scope: Scope, for resource: String?) async throws -> String {
                var configuration = OAuthSession.Configuration(
                    server: provider, client: OAuthClient(id: "web-app", secret: Secret("development-secret-of-the-web-app")), scope: scope,
                    grant: .clientCredentials, store: MemoryCredentialStore(), dependencies: .network)
                configuration.target.resources = [resource.flatMap(ResourceIndicator.init)].compactMap(\.self)
                return try await OAuthSession(configuration).accessToken().value.reveal()
            }
            let rows: [(Scope, String?, Int)] = [
                (["repo"], "https://api.example.com", 200), (["user"], "https://api.example.com", 403),
                (["repo"], "https://other.example.com", 401), (["repo"], nil, 401),
            ]
            for (scope, resource, expected) in rows {
                let text = try await token(scope, for: resource)
                #expect(await status(of: "Bearer \(text)", at: server) == expected, "\(scope) for \(resource ?? "nothing")")
            }
            #expect(await status(of: nil, at: server) == 401)
            let good = try await token(["repo"], for: "https://api.example.com")
            development.rotateKeys()
            development.withdrawKeys()
            let afterwards = try await token(["repo"], for: "https://api.example.com")
            #expect(await status(of: "Bearer \(afterwards)", at: server) == 200, "the new key is fetched")
            #expect(await status(of: "Bearer \(good)", at: server) == 401, "the old key was withdrawn")
        }
    }

    @Test func `a server verifies the ID token of its app`() async throws {
        let openID = try OpenIDProvider()
        let (provider, dependencies) = (OpenIDProvider.profile, openID.dependencies)
        let client = OAuthClient(id: "client")
        openID.change { $0.nonce = "nonce of the app" }
        let (idToken, nonce) = (try await openID.sign(openID.claims()), Secret("nonce of the app"))
        // snippet: server-id-token
        let server = AuthorizationServer(provider, dependencies: dependencies)
        let user = try await server.verify(idToken: idToken, for: client, nonce: nonce)
        // end
        #expect(user.subject == "jane")
    }
}
