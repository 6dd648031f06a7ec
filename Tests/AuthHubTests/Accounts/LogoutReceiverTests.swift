import AuthHubPrimitives
import CredentialStorage
import HTTPTypes
import OAuthProtocol
import Synchronization
import Testing

@testable import AuthHub

struct LogoutReceiverTests {
    private let store = MemoryCredentialStore()

    private func receiver(
        of provider: OpenIDProvider, profile: ProviderProfile = OpenIDProvider.profile, in other: (any CredentialStore)? = nil
    ) -> LogoutReceiver {
        LogoutReceiver(server: profile, client: OAuthClient(id: "client"), store: other ?? store, dependencies: provider.dependencies)
    }

    private func post(_ text: Secret<String>, to receiver: LogoutReceiver) async -> LogoutReceiver.Outcome {
        let request = HTTPRequest(
            method: .post, scheme: "https", authority: "client.example", path: "/logout",
            headerFields: [.contentType: "application/x-www-form-urlencoded"])
        return await receiver.backChannelLogout(request, body: Array("logout_token=\(text.reveal())".utf8))
    }

    @Test func `LO07: signs out the session that a valid message names, and no other`() async throws {
        let provider = try OpenIDProvider()
        let first = provider.session(store, label: "first")
        try await first.signIn()
        provider.change { $0.changes = [("sid", "session-2")] }
        let second = provider.session(store, label: "second")
        try await second.signIn()
        provider.change { $0.changes = [] }
        let outcome = await post(try await provider.sign(provider.logoutClaims(), type: "logout+jwt"), to: receiver(of: provider))
        #expect(outcome.response.status == .ok)
        #expect(outcome.response.headerFields[.cacheControl] == "no-store")
        #expect(outcome.signedOut.map(\.label) == ["first"])
        #expect(try await first.identity == nil)
        #expect(try await second.identity != nil)
        #expect(provider.revoked.sorted() == ["access-1", "refresh-1"])
    }

    @Test func `LO07: a user who signs in again while the message is processed stays signed in`() async throws {
        let provider = try OpenIDProvider()
        let hooked = HookedStore()
        let receiver = receiver(of: provider, in: hooked)
        let session = provider.session(hooked, label: "first")
        try await session.signIn()
        let message = try await provider.sign(provider.logoutClaims(), type: "logout+jwt")
        provider.change { $0.changes = [("sid", "session-2")] }
        let reads = Mutex(0)
        hooked.configure {
            $0.afterRead = {
                guard
                    reads.withLock({ reads in
                        reads += 1
                        return reads == 1
                    })
                else { return }
                try? await provider.session(hooked, label: "first").signIn()
            }
        }
        let outcome = await post(message, to: receiver)
        #expect(outcome.response.status == .ok && outcome.signedOut.isEmpty)
        #expect(try await provider.session(hooked, label: "first").identity?.sessionID == "session-2")
        #expect(provider.revoked.isEmpty)
    }

    @Test func `LO07: a message that loses to one refresh after another is to be sent again, and deletes nothing`() async throws {
        let provider = try OpenIDProvider()
        let hooked = HookedStore()
        let receiver = receiver(of: provider, in: hooked)
        let session = provider.session(hooked, label: "first")
        try await session.signIn()
        let account = session.account
        hooked.configure {
            $0.beforeDelete = { () async throws(CredentialStoreError) in
                guard let stored = try await hooked.read(account) else { return }
                _ = try await hooked.write(stored.payload, for: account, replacing: stored.version)
            }
        }
        let message = try await provider.sign(provider.logoutClaims(), type: "logout+jwt")
        let outcome = await post(message, to: receiver)
        #expect(outcome.response.status == .serviceUnavailable && outcome.signedOut.isEmpty)
        #expect(provider.revoked.isEmpty)
        #expect(try await session.identity != nil)
        hooked.configure { $0.beforeDelete = nil }
        #expect(await post(message, to: receiver).signedOut.map(\.label) == ["first"])
    }

    @Test func `LO07: a message without a session signs out all accounts of the user`() async throws {
        let provider = try OpenIDProvider()
        for label in ["first", "second"] { try await provider.session(store, label: label).signIn() }
        provider.change { $0.changes = [("sub", "other")] }
        try await provider.session(store, label: "third").signIn()
        provider.change { $0.changes = [] }
        var claims = provider.logoutClaims()
        claims["sid"] = nil
        let outcome = await post(try await provider.sign(claims), to: receiver(of: provider))
        #expect(outcome.signedOut.map(\.label) == ["first", "second"])
        #expect(try await provider.session(store, label: "third").identity != nil)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let value: JSONValue?
    }

    @Test(arguments: [
        Row(testDescription: "LO03: another issuer", name: "iss", value: "https://other.example"),
        Row(testDescription: "LO03: another client", name: "aud", value: "other"),
        Row(testDescription: "LO03: no iat", name: "iat", value: nil),
        Row(testDescription: "LO03: no exp", name: "exp", value: nil),
        Row(testDescription: "LO03: expired", name: "exp", value: 1_799_999_000),
        Row(testDescription: "LO03: issued long ago", name: "iat", value: 1_799_996_000),
        Row(testDescription: "LO04: no events", name: "events", value: nil),
        Row(testDescription: "LO04: another event", name: "events", value: ["http://schemas.openid.net/event/other": [:]]),
        Row(
            testDescription: "LO04: the event is not an object", name: "events",
            value: ["http://schemas.openid.net/event/backchannel-logout": 1]),
        Row(testDescription: "LO05: a nonce", name: "nonce", value: "n"),
        Row(testDescription: "LO06: no jti", name: "jti", value: nil),
    ])
    func `rejects a message that is not valid with 400`(row: Row) async throws {
        let provider = try OpenIDProvider()
        let session = provider.session(store)
        try await session.signIn()
        var claims = provider.logoutClaims()
        claims[row.name] = row.value
        let outcome = await post(try await provider.sign(claims), to: receiver(of: provider))
        #expect(outcome.response.status == .badRequest)
        #expect(outcome.response.headerFields[.cacheControl] == "no-store")
        #expect(outcome.problem?.code == .securityCheckFailed)
        #expect(try await session.identity != nil)
    }

    @Test(arguments: [("its issuer", OpenIDProvider.issuer, true), ("another issuer", "https://other.example", false)])
    func `a key that names an issuer signs only the messages of this issuer`(
        description: String, keyIssuer: String, isAccepted: Bool
    ) async throws {
        let provider = try OpenIDProvider()
        try await provider.session(store).signIn()
        provider.change { $0.keyIssuer = keyIssuer }
        var profile = OpenIDProvider.profile
        profile.quirks.identity.keysHaveIssuers = true
        let outcome = await post(try await provider.sign(provider.logoutClaims()), to: receiver(of: provider, profile: profile))
        #expect(outcome.signedOut.isEmpty == !isAccepted, "\(outcome)")
    }

    @Test func `LO06: rejects a message without a user and a session, and one that was already used`() async throws {
        let provider = try OpenIDProvider()
        try await provider.session(store).signIn()
        var claims = provider.logoutClaims()
        (claims["sub"], claims["sid"]) = (nil, nil)
        #expect(await post(try await provider.sign(claims), to: receiver(of: provider)).response.status == .badRequest)
        let text = try await provider.sign(provider.logoutClaims())
        #expect(await post(text, to: receiver(of: provider)).signedOut.count == 1)
        try await provider.session(store).signIn()
        #expect(await post(text, to: receiver(of: provider)).response.status == .badRequest)
        #expect(try await provider.session(store).identity != nil)
    }

    @Test func `LO02: rejects a message that is signed with another key, and an ID token`() async throws {
        let provider = try OpenIDProvider()
        try await provider.session(store).signIn()
        let stranger = try OpenIDProvider()
        #expect(await post(try await stranger.sign(provider.logoutClaims()), to: receiver(of: provider)).response.status == .badRequest)
        #expect(await post(try await provider.sign(provider.claims()), to: receiver(of: provider)).response.status == .badRequest)
        #expect(try await provider.session(store).identity != nil)
    }

    @Test func `LO10: accepts a message about someone who is not signed in`() async throws {
        let provider = try OpenIDProvider()
        let outcome = await post(try await provider.sign(provider.logoutClaims()), to: receiver(of: provider))
        #expect(outcome.response.status == .ok && outcome.signedOut.isEmpty)
    }

    @Test func `if the keys cannot be read, the provider may try again`() async throws {
        let provider = try OpenIDProvider()
        let text = try await provider.sign(provider.logoutClaims())
        provider.change { $0.isKeySetReachable = false }
        #expect(await post(text, to: receiver(of: provider)).response.status == .serviceUnavailable)
        provider.change { $0.isKeySetReachable = true }
        #expect(await post(text, to: receiver(of: provider)).response.status == .ok)
    }

    @Test(arguments: [
        ("LO08: the issuer and the session", "?iss=https%3A%2F%2Fas.example&sid=session-1", true),
        ("LO08: another session", "?iss=https%3A%2F%2Fas.example&sid=session-2", false),
        ("LO08: another issuer", "?iss=https%3A%2F%2Fother.example&sid=session-1", false),
        ("LO08: only the issuer", "?iss=https%3A%2F%2Fas.example", false), ("LO08: only the session", "?sid=session-1", false),
        ("LO08: nothing", "", false), ("LO08: the session twice", "?iss=https%3A%2F%2Fas.example&sid=session-1&sid=session-1", false),
    ])
    func `a front-channel request signs out only the session that it names`(
        description: String, query: String, isSignedOut: Bool
    ) async throws {
        let provider = try OpenIDProvider()
        let session = provider.session(store)
        try await session.signIn()
        let request = HTTPRequest(method: .get, scheme: "https", authority: "client.example", path: "/logout" + query)
        let outcome = await receiver(of: provider).frontChannelLogout(request)
        #expect(outcome.response.status == .ok)
        #expect(outcome.response.headerFields[.cacheControl] == "no-store")
        #expect(outcome.signedOut.count == (isSignedOut ? 1 : 0))
        #expect(try await (session.identity == nil) == isSignedOut)
    }

    @Test(arguments: [
        ("LO08: another issuer", "?iss=https%3A%2F%2Fother.example&sid=session-1", 0, 0),
        ("LO08: another session", "?iss=https%3A%2F%2Fas.example&sid=session-9", 1, 2),
    ])
    func `a front-channel request reads each account at most once, and no account if the issuer is another one`(
        description: String, query: String, listings: Int, reads: Int
    ) async throws {
        let provider = try OpenIDProvider()
        for label in ["first", "second"] { try await provider.session(store, label: label).signIn() }
        let counting = CountingStore(store)
        let receiver = receiver(of: provider, in: counting)
        let request = HTTPRequest(method: .get, scheme: "https", authority: "client.example", path: "/logout" + query)
        #expect(await receiver.frontChannelLogout(request).signedOut.isEmpty)
        #expect(counting.listings.withLock { $0 } == listings)
        #expect(counting.reads.withLock { $0 } == reads)
    }
}

/// Counts how often records are listed and read.
private final class CountingStore: CredentialStore {
    let listings = Mutex(0)
    let reads = Mutex(0)
    private let store: any CredentialStore

    init(_ store: any CredentialStore) {
        self.store = store
    }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        reads.withLock { $0 += 1 }
        return try await store.read(account)
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try await store.write(payload, for: account, replacing: expected)
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        try await store.delete(account, at: expected)
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] {
        listings.withLock { $0 += 1 }
        return try await store.accounts()
    }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        try await store.lease(account, waitingAtMost: timeout)
    }
}
