import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import HeadlessBrowsing
import JOSE
import OAuthProtocol
import Synchronization
import Testing
import WebAuthentication

/// Runs the code of the guide "Verify who signed in" unchanged.
struct VerifyingWhoSignedInTests {
    private let store = MemoryCredentialStore()
    private let screen = Screen()
    private let database = Database()
    private let browser = BrowserAuthenticator(
        opener: HeadlessBrowser(
            filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared))

    @Test func `a session knows who signed in, and reads more claims`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            // snippet: identity-sign-in
            let session = OAuthSession(
                OAuthSession.Configuration(
                    server: .issuer(try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)),
                    client: OAuthClient(id: "native-app"),
                    scope: ["openid", "profile", "email"],
                    grant: .authorizationCode(browser),
                    store: store,
                    dependencies: .network))
            try await session.signIn()

            if let user = try await session.identity {
                screen.show("Hello, \(user.displayName)")
                database.remember(issuer: user.issuer, subject: user.subject)
            }
            // end
            #expect(database.users == ["\(server.issuer) \(try await session.identity?.subject ?? "")"])

            // snippet: identity-user-info
            let info = try await session.userInfo()
            screen.show(info.claims["email"]?.string ?? "no email address")
            // end
            #expect(try await info.subject == session.identity?.subject)
            #expect(screen.texts.count == 2 && screen.texts.last?.contains("@") == true)
            await session.signOut()
            #expect(try await session.identity == nil)
        }
    }

    @Test func `a client describes its registration, and requests claims`() throws {
        let server = ProviderProfile(name: "as", displayName: "AS", issuer: "https://as.example")
        // snippet: identity-encryption
        let keys = ClientKeys(decryption: [try .generate(.ecdhES)])
        var client = OAuthClient(id: "client-of-the-registration")
        client.keys = keys
        client.registered.idTokenSignature = .es256
        client.registered.idTokenEncryption = OpenIDRegistration.Encryption(.ecdhES, content: .a256GCM)
        // end
        #expect(client.keys == keys)
        var configuration = OAuthSession.Configuration(
            server: server, client: client, grant: .authorizationCode(browser), store: store, dependencies: .network)
        // snippet: identity-claims
        var claims = ClaimsRequest()
        claims.request("email", in: .userInfo, isEssential: true)
        claims.request("acr", in: .idToken, isEssential: true, values: ["urn:mace:incommon:iap:silver"])
        configuration.claims = claims
        // end
        #expect(configuration.claims == claims)
    }

    private final class Database: Sendable {
        private let known = Mutex<[String]>([])

        var users: [String] { known.withLock { $0 } }

        func remember(issuer: String, subject: String) { known.withLock { $0.append("\(issuer) \(subject)") } }
    }
}
