import AuthHubPrimitives
import JOSE
@testable import OAuthProtocol
import Testing

struct IDTokenSignatureTests {
    @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .rs256, .ps256, .edDSA])
    func `ID41, ID43: at_hash is checked with the hash of the algorithm`(algorithm: SignatureAlgorithm) async throws {
        var fixture = try IDTokenFixture(signingWith: algorithm)
        await #expect(throws: Never.self) { try fixture.validate(await fixture.token()).get() }
        fixture.claims["at_hash"] = try .string(#require(algorithm.leftHalfHash(of: IDTokenFixture.accessToken)))
        await #expect(throws: Never.self) { try fixture.validate(await fixture.token()).get() }
        fixture.claims["at_hash"] = try .string(#require(algorithm.leftHalfHash(of: Secret("another token"))))
        let error = await #expect(throws: OAuthError.self) { try fixture.validate(await fixture.token()).get() }
        #expect(error?.explanation.contains("at_hash") == true)
    }

    @Test func `ID43: the hash of another strength is not accepted`() async throws {
        var fixture = try IDTokenFixture(signingWith: .es384)
        fixture.claims["at_hash"] = try .string(#require(SignatureAlgorithm.es256.leftHalfHash(of: IDTokenFixture.accessToken)))
        await #expect(throws: OAuthError.self) { try fixture.validate(await fixture.token()).get() }
    }

    @Test func `ID06: only RS256 is accepted if neither the profile nor the metadata names an algorithm`() async throws {
        var server = openIDServer
        server.quirks.identity.algorithms = nil
        let refused = try IDTokenFixture(signingWith: .es256, at: server)
        let error = await #expect(throws: OAuthError.self) { try refused.validate(await refused.token()).get() }
        #expect((error?.underlying as? JOSEError)?.code == .notAllowed)
        let accepted = try IDTokenFixture(signingWith: .rs256, at: server)
        await #expect(throws: Never.self) { try accepted.validate(await accepted.token()).get() }
    }

    @Test func `ID56: a token signed with another server's key is rejected, and reports that the keys may be out of date`() async throws {
        let fixture = try IDTokenFixture()
        var stranger = try IDTokenFixture()
        stranger.claims = fixture.claims
        let error = await #expect(throws: OAuthError.self) { try fixture.validate(await stranger.token()).get() }
        #expect(error?.code == .securityCheckFailed)
        #expect((error?.underlying as? JOSEError)?.code == .noKey)
    }

    @Test(arguments: ["at+jwt", "logout+jwt", "dpop+jwt", "application/at+jwt", "secevent+jwt"])
    func `ID17, ID55: another kind of token is not accepted as an ID token`(type: String) async throws {
        let fixture = try IDTokenFixture()
        let error = await #expect(throws: OAuthError.self) { try fixture.validate(await fixture.token(type: type)).get() }
        #expect(error?.explanation.contains("typ") == true)
    }

    @Test(arguments: [nil, "JWT", "jwt", "application/jwt"])
    func `the type may be missing or have any spelling`(type: String?) async throws {
        let fixture = try IDTokenFixture()
        await #expect(throws: Never.self) { try fixture.validate(await fixture.token(type: type)).get() }
    }

    @Test func `no ID token is expected without openid, an issuer or a key set`() {
        func expectation(_ scope: Scope, at server: ProviderProfile) -> IDTokenExpectation? {
            IDTokenExpectation(scope: scope, client: client, at: server)
        }
        #expect(expectation(["openid"], at: openIDServer) != nil)
        #expect(expectation(["profile"], at: openIDServer) == nil)
        var server = openIDServer
        server.issuer = nil
        #expect(expectation(["openid"], at: server) == nil)
        server = openIDServer
        server.endpoints?.jwks = nil
        #expect(expectation(["openid"], at: server) == nil)
    }

    @Test func `ID08: the client secret verifies a token only if the profile says so`() async throws {
        var server = openIDServer
        server.quirks.identity.algorithms = ["HS256"]
        server.endpoints?.jwks = nil
        let secret = Secret(String(repeating: "s", count: 32))
        let expectation = try #require(
            IDTokenExpectation(scope: ["openid"], nonce: Secret(IDTokenFixture.nonce), client: client, at: server))
        let keys = try #require(try server.clientSecretKeys(of: OAuthClient(id: client.id, secret: secret), for: .idToken))
        let key = try SoftwareSigningKey(clientSecret: secret)
        let text = try await JSONWebSignature.sign(IDTokenFixture(at: server).claims, with: key, type: "JWT")
        #expect(throws: Never.self) {
            try expectation.validate(text, keys: keys, accessToken: IDTokenFixture.accessToken, on: .signIn, at: now)
        }
        #expect(throws: OAuthError.self) { try server.clientSecretKeys(of: OAuthClient(id: client.id), for: .idToken) }
        let fixture = try IDTokenFixture()
        let error = #expect(throws: OAuthError.self) { try fixture.validate(text).get() }
        #expect((error?.underlying as? JOSEError)?.code == .notAllowed)
    }
}
