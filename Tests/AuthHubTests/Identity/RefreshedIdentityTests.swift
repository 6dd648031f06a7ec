import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Testing

@testable import AuthHub

struct RefreshedIdentityTests {
    private let store = MemoryCredentialStore()

    private func signedIn(at provider: OpenIDProvider) async throws -> OAuthSession {
        let session = provider.session(store)
        try await session.signIn()
        // OpenID Connect Core 1.0 §12.2: the ID token of a refresh should not have a nonce.
        provider.change { $0.nonce = nil }
        return session
    }

    @Test func `a refresh keeps the identity, with and without a new ID token`() async throws {
        let provider = try OpenIDProvider()
        let session = try await signedIn(at: provider)
        let first = try await session.identity
        provider.change { $0.hasIDToken = false }
        try await session.refresh()
        #expect(try await session.identity == first)
        provider.change { $0.hasIDToken = true }
        provider.advance(by: 60)
        try await session.refresh()
        let second = try #require(try await session.identity)
        #expect(second.subject == first?.subject && second != first)
        #expect(try await session.accessToken().value.reveal() == "access-3")
    }

    @Test(
        arguments: [
            ("ID50: another user", "sub", "mallory"), ("ID50: another issuer", "iss", "https://other.example"),
            ("ID51: another nonce", "nonce", "another"), ("ID57: the hash of another access token", "at_hash", "AAAAAAAAAAAAAAAAAAAAAA"),
        ] as [(String, String, JSONValue)])
    func `a refresh that brings another identity fails, its tokens are revoked, and the old ones stay`(
        description: String, claim: String, value: JSONValue
    ) async throws {
        let provider = try OpenIDProvider()
        let session = try await signedIn(at: provider)
        provider.change { $0.changes = [(claim, value)] }
        let error = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(error?.code == .securityCheckFailed)
        #expect(provider.revoked.sorted() == ["access-2", "refresh-2"])
        #expect(try await session.identity?.subject == "jane")
        #expect(try await session.accessToken().value.reveal() == "access-1")
    }

    @Test func `ID50: a refresh is compared even if the server does not list openid in the granted scope`() async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.scope = "profile" }
        let session = try await signedIn(at: provider)
        provider.change { $0.changes = [("sub", "mallory")] }
        let error = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(error?.code == .securityCheckFailed)
        #expect(try await session.identity?.subject == "jane")
    }

    @Test func `if the keys cannot be read, the refresh token is not spent`() async throws {
        let provider = try OpenIDProvider()
        _ = try await signedIn(at: provider)
        provider.change { $0.isKeySetReachable = false }
        // Another program, which has not read the keys.
        let other = provider.session(store)
        let error = await #expect(throws: SessionError.self) { try await other.refresh() }
        #expect(error?.code == .unreachable)
        #expect(provider.count(of: "/token") == 1)
    }

    @Test func `the new refresh token is kept if the replaced keys cannot be read`() async throws {
        let provider = try OpenIDProvider()
        let session = try await signedIn(at: provider)
        try provider.rotate()
        provider.change { $0.isKeySetReachable = false }
        provider.advance(by: 120)
        let error = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(error?.code == .unreachable)
        #expect(provider.revoked.isEmpty)
        #expect(try await session.identity?.subject == "jane")
        provider.change { $0.isKeySetReachable = true }
        provider.advance(by: 61)
        try await session.refresh()
        #expect(try await session.accessToken().value.reveal() == "access-3")
    }
}
