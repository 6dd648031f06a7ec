import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import JOSE
import OAuthProtocol
import Testing

@testable import AuthHub

/// Tokens that others present to a server.
struct TokenVerificationTests {
    private static let api = "https://api.example"

    private let provider: OpenIDProvider
    private let server: AuthorizationServer

    init() throws {
        provider = try OpenIDProvider()
        server = AuthorizationServer(OpenIDProvider.profile, dependencies: provider.dependencies)
    }

    private func accessToken(type: String = "at+jwt") async throws -> Secret<String> {
        var claims = provider.claims()
        claims["aud"] = .string(Self.api)
        claims["client_id"] = "client"
        claims["jti"] = "1"
        claims["scope"] = "read"
        return try await provider.sign(claims, type: type)
    }

    @Test func `accepts an access token for the API, with one request for the keys`() async throws {
        for _ in 0..<3 {
            let claims = try await server.verify(accessToken: accessToken(), audience: Self.api)
            #expect(claims.subject == "jane" && claims.clientID == "client" && claims.scope == ["read"])
        }
        #expect(provider.count(of: "/keys") == 1)
        let error = await #expect(throws: SessionError.self) {
            try await server.verify(accessToken: accessToken(), audience: "https://other.example")
        }
        #expect(error?.code == .securityCheckFailed)
        provider.advance(by: 3600 + 30)
        await #expect(throws: Never.self) { try await server.verify(accessToken: accessToken(), audience: Self.api) }
    }

    @Test func `VT09: the time is that of the dependencies`() async throws {
        let token = try await accessToken()
        provider.advance(by: 3600 + 29)
        await #expect(throws: Never.self) { try await server.verify(accessToken: token, audience: Self.api) }
        provider.advance(by: 1)
        let error = await #expect(throws: SessionError.self) { try await server.verify(accessToken: token, audience: Self.api) }
        #expect(error?.explanation.contains("expired") == true)
    }

    @Test func `VT15: keys that were replaced are fetched again, and invented keys cause one request a minute`() async throws {
        _ = try await server.verify(accessToken: accessToken(), audience: Self.api)
        try provider.rotate()
        _ = try await server.verify(accessToken: accessToken(), audience: Self.api)
        #expect(provider.count(of: "/keys") == 2)
        let forger = try OpenIDProvider()
        for _ in 0..<100 {
            var claims = provider.claims()
            claims["aud"] = .string(Self.api)
            let forged = try await forger.sign(claims, type: "at+jwt")
            let error = await #expect(throws: SessionError.self) { try await server.verify(accessToken: forged, audience: Self.api) }
            #expect(error?.code == .securityCheckFailed)
        }
        #expect(provider.count(of: "/keys") == 2, "they were read a moment ago")
    }

    @Test func `VT15: tokens of strangers do not keep a sign-in from fetching the keys`() async throws {
        let dependencies = provider.dependencies
        let server = AuthorizationServer(OpenIDProvider.profile, dependencies: dependencies)
        let browser = ScriptedBrowser { [provider] url in
            provider.change { $0.nonce = parameter("nonce", of: url) }
            return await consenting(url)
        }
        let session = OAuthSession(
            OAuthSession.Configuration(
                server: OpenIDProvider.profile, client: OAuthClient(id: "client"), scope: ["openid"], grant: .authorizationCode(browser),
                store: MemoryCredentialStore(), dependencies: dependencies))
        try await session.signIn()
        let forged = try await OpenIDProvider().sign(provider.claims(), type: "at+jwt")
        for _ in 0..<2 {
            await #expect(throws: SessionError.self) { try await server.verify(accessToken: forged, audience: Self.api) }
        }
        let count = provider.count(of: "/keys")
        try provider.rotate()
        try await session.signIn()
        #expect(try await session.identity?.subject == "jane")
        #expect(provider.count(of: "/keys") == count + 1)
    }

    @Test func `keys that cannot be fetched are an outage, not an invalid token`() async throws {
        provider.change { $0.isKeySetReachable = false }
        let error = await #expect(throws: SessionError.self) {
            try await server.verify(accessToken: accessToken(), audience: Self.api)
        }
        #expect(error?.code == .unreachable)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var sent: String?
        var changes: [(String, JSONValue?)] = []
        var type: String?
        var isAccepted = false
    }

    @Test(arguments: [
        Row(testDescription: "no nonce", isAccepted: true),
        Row(testDescription: "the nonce that was sent", sent: "n", changes: [("nonce", "n")], isAccepted: true),
        Row(testDescription: "ID36: no nonce, although one was sent", sent: "n"),
        Row(testDescription: "ID36: another nonce", sent: "n", changes: [("nonce", "o")]),
        Row(testDescription: "ID37: a nonce, although none was sent", changes: [("nonce", "n")]),
        Row(testDescription: "ID26: another client", changes: [("aud", "other")]),
        Row(testDescription: "ID27: several clients", changes: [("aud", ["client", "other"])]),
        Row(testDescription: "ID22: another issuer", changes: [("iss", "https://other.example")]),
        Row(testDescription: "ID31: expired", changes: [("exp", 1_799_999_970)]),
        Row(testDescription: "ID34: issued two hours ago", changes: [("iat", 1_799_992_800)]),
        Row(testDescription: "ID17, VT04: an access token", type: "at+jwt"),
        Row(testDescription: "ID17: a logout token", type: "logout+jwt"),
    ])
    func `checks an ID token as a sign-in does`(row: Row) async throws {
        var claims = provider.claims()
        for (name, value) in row.changes { claims[name] = value }
        let token = try await provider.sign(claims, type: row.type)
        do throws(SessionError) {
            let verified = try await server.verify(idToken: token, for: OAuthClient(id: "client"), nonce: row.sent.map(Secret.init))
            #expect(row.isAccepted && verified.subject == "jane")
        } catch {
            #expect(!row.isAccepted && error.code == .securityCheckFailed, "\(error)")
        }
    }

    @Test func `ID08: a client secret verifies an ID token only if the client registered that, and never an access token`() async throws {
        let secret = Secret(String(repeating: "s", count: 32))
        let key = try SoftwareSigningKey(clientSecret: secret)
        var client = OAuthClient(id: "client", secret: secret)
        let token = try await JSONWebSignature.sign(provider.claims(), with: key, type: nil)
        await #expect(throws: SessionError.self) { try await server.verify(idToken: token, for: client) }
        client.registered.idTokenSignature = .hs256
        await #expect(throws: Never.self) { try await server.verify(idToken: token, for: client) }
        var profile = OpenIDProvider.profile
        profile.quirks.identity.algorithms = ["HS256"]
        let other = AuthorizationServer(profile, dependencies: provider.dependencies)
        await #expect(throws: Never.self) { try await other.verify(accessToken: accessToken(), audience: Self.api) }
    }

    @Test func `a provider without a key set or an issuer is a mistake in the configuration`() async throws {
        var profile = OpenIDProvider.profile
        profile.endpoints?.jwks = nil
        let keyless = AuthorizationServer(profile, dependencies: provider.dependencies)
        var errors = [await #expect(throws: SessionError.self) { try await keyless.verify(accessToken: Secret("a.b.c"), audience: "a") }]
        errors.append(
            await #expect(throws: SessionError.self) { try await keyless.verify(idToken: Secret("a.b.c"), for: OAuthClient(id: "client")) })
        profile = OpenIDProvider.profile
        profile.issuer = nil
        let nameless = AuthorizationServer(profile, dependencies: provider.dependencies)
        errors.append(
            await #expect(throws: SessionError.self) { try await nameless.verify(accessToken: accessToken(), audience: Self.api) })
        #expect(errors.map(\.?.code) == [.misconfigured, .misconfigured, .misconfigured])
    }
}
