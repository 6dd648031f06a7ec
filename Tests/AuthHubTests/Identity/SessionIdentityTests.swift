import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Testing

@testable import AuthHub

struct SessionIdentityTests {
    private let store = MemoryCredentialStore()

    @Test func `a sign-in stores who signed in, for all sessions of the account`() async throws {
        let provider = try OpenIDProvider()
        let session = provider.session(store)
        #expect(try await session.identity == nil)
        try await session.signIn()
        #expect(try await session.identity?.subject == "jane")
        #expect(try await provider.session(store).identity?.issuer == OpenIDProvider.issuer)
        #expect(provider.count(of: "/keys") == 1)
        await session.signOut()
        #expect(try await session.identity == nil)
    }

    @Test func `without openid, ID tokens are neither required nor used, and the keys are not read`() async throws {
        let provider = try OpenIDProvider()
        let session = provider.session(store, scope: ["read"])
        try await session.signIn()
        #expect(try await session.identity == nil)
        #expect(provider.count(of: "/keys") == 0)
    }

    @Test func `if openid is in the provider's default scope, the keys are found and the ID token is verified`() async throws {
        let provider = try OpenIDProvider()
        var profile = ProviderProfile.issuer(try Issuer(OpenIDProvider.issuer))
        profile.quirks.identity.algorithms = ["ES256"]
        profile.defaultScope = ["openid"]
        let session = provider.session(store, scope: nil, profile: profile)
        try await session.signIn()
        #expect(try await session.identity?.subject == "jane")
    }

    @Test(arguments: [
        ("RQ13: no key set", "jwks_uri"), ("RQ13: no issuer", "issuer"), ("RQ13: no supported algorithm", "algorithms"),
    ])
    func `a sign-in whose ID token could not be verified fails before a page is shown, unless the profile says that there may be none`(
        description: String, problem: String
    ) async throws {
        let provider = try OpenIDProvider()
        var profile = OpenIDProvider.profile
        switch problem {
        case "jwks_uri": profile.endpoints?.jwks = nil
        case "issuer": profile.issuer = nil
        default: profile.quirks.identity.algorithms = ["none", "ES256K"]
        }
        let error = await #expect(throws: SessionError.self) { try await provider.session(store, profile: profile).signIn() }
        #expect(error?.code == .misconfigured)
        #expect(error?.explanation.contains(problem) == true, "\(String(describing: error))")
        #expect(provider.count(of: "/token") == 0)
        profile.quirks.identity.idTokenMayBeMissing = true
        let session = provider.session(store, profile: profile)
        try await session.signIn()
        #expect(try await session.identity == nil)
        try await provider.session(store, label: "other", scope: ["read"], profile: profile).signIn()
    }

    @Test func `ID40: a sign-in fails without the required value of a claim, and its tokens are revoked`() async throws {
        let provider = try OpenIDProvider()
        var claims = ClaimsRequest()
        claims.request("acr", in: .idToken, isEssential: true, values: ["gold"])
        let session = provider.session(store, claims: claims)
        let error = await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(error?.code == .securityCheckFailed)
        #expect(provider.revoked.sorted() == ["access-1", "refresh-1"])
        provider.change { $0.changes = [("acr", "gold")] }
        try await session.signIn()
        #expect(try await session.identity?.authenticationContextClass == "gold")
    }

    @Test func `claims cannot be requested without a sign-in page`() async throws {
        let provider = try OpenIDProvider()
        var claims = ClaimsRequest()
        claims.request("email", in: .userInfo)
        for grant in [AuthorizationGrant.clientCredentials, .deviceCode { _ in }] {
            let session = provider.session(store, grant: grant, claims: claims)
            let error = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(error?.code == .misconfigured)
        }
        #expect(provider.count(of: "/token") == 0)
    }

    @Test func `RQ13: a sign-in also needs a key set if openid is in the provider's default scope`() async throws {
        let provider = try OpenIDProvider()
        var profile = OpenIDProvider.profile
        profile.defaultScope = ["openid"]
        profile.endpoints?.jwks = nil
        let session = provider.session(store, scope: nil, profile: profile)
        let error = await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(error?.explanation.contains("jwks_uri") == true)
    }

    @Test func `TR18: a sign-in fails if openid was requested and there is no ID token, and its tokens are revoked`() async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.hasIDToken = false }
        let session = provider.session(store)
        let error = await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(error?.code == .securityCheckFailed)
        #expect(error?.explanation.contains("no ID token") == true)
        #expect(provider.revoked.sorted() == ["access-1", "refresh-1"])
        #expect(try await session.restore().isSignedOut)
    }

    @Test func `ID36, ID38: a sign-in with the nonce of another sign-in fails, and its tokens are revoked`() async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.changes = [("nonce", "of-another-sign-in")] }
        let error = await #expect(throws: SessionError.self) { try await provider.session(store).signIn() }
        #expect(error?.code == .securityCheckFailed)
        #expect(provider.revoked.sorted() == ["access-1", "refresh-1"])
        #expect(try await store.read(provider.session(store).account) == nil)
    }

    @Test func `JK09, ID44: keys that were replaced after they were read are read again once`() async throws {
        let provider = try OpenIDProvider()
        let session = provider.session(store)
        try await session.signIn()
        try provider.rotate()
        provider.advance(by: 61)
        try await session.signIn()
        #expect(provider.count(of: "/keys") == 2)
    }

    @Test func `JK10, ID44: a token whose key is not published is rejected after one more request`() async throws {
        let provider = try OpenIDProvider()
        let session = provider.session(store)
        try await session.signIn()
        let published = provider.published
        try provider.rotate()
        provider.change { $0.published = published }
        provider.advance(by: 61)
        let error = await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(error?.code == .securityCheckFailed)
        #expect(provider.count(of: "/keys") == 2)
        await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(provider.count(of: "/keys") == 2)
        #expect(try await session.identity?.subject == "jane", "the earlier sign-in stays")
    }

    @Test func `JK11: a key set without a usable key does not replace the keys`() async throws {
        let provider = try OpenIDProvider()
        let session = provider.session(store)
        try await session.signIn()
        provider.change { $0.published = [] }
        provider.advance(by: 700)
        try await session.signIn()
        #expect(provider.count(of: "/keys") == 2)
    }

    @Test func `if the keys cannot be read, the code is not spent`() async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.isKeySetReachable = false }
        let error = await #expect(throws: SessionError.self) { try await provider.session(store).signIn() }
        #expect(error?.code == .unreachable)
        #expect(provider.count(of: "/token") == 0)
    }

    @Test func `a record with an ID token has its own format, and its session does not keep the token in memory`() async throws {
        let provider = try OpenIDProvider()
        let session = provider.session(store)
        try await session.signIn()
        let record = try #require(try await store.read(session.account)).payload.reveal()
        #expect(try JSONValue(strict: record)["format"] == 2)
        #expect(try await session.engine.wait(for: .knowledge).get().credential.idToken == nil)
    }
}
