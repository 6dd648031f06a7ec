import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

@testable import AuthHub

/// A session whose store reports changes follows the changes that others make to its account.
@Suite(.timeLimit(.minutes(15)))
struct FollowedChangesTests {
    private let store = TellingStore()
    private let setting: SessionSetting

    init() {
        setting = SessionSetting(store: store)
    }

    /// Two sessions of one account, as in two programs; both hold `access-1`.
    private func pair() async throws -> (OAuthSession, OAuthSession) {
        let first = try await setting.signedIn(.manual)
        let second = setting.session(.manual)
        try await second.restore()
        return (first, second)
    }

    /// Returns when the session has adopted this many credentials.
    private func until(_ session: OAuthSession, holds generation: UInt64) async {
        for await state in session.states {
            if case .signedIn(let facts) = state, facts.generation >= generation { return }
        }
    }

    private func untilSignedOut(_ session: OAuthSession) async {
        for await state in session.states where state.isSignedOut { return }
    }

    private func load(_ session: OAuthSession) async throws -> Int {
        try await session.load(.get("https://api.example/things")).status.code
    }

    @Test func `uses a token that another session refreshed at once, without a request to the server or store`() async throws {
        let (first, second) = try await pair()
        try await first.refresh()
        await until(second, holds: 2)
        let reads = store.reads
        #expect(try await load(second) == 200)
        #expect(try await second.accessToken().value == Secret("access-2"))
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer access-2"])
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        #expect(store.reads == reads)
    }

    @Test func `a sign-out in one session signs out the other`() async throws {
        let (first, second) = try await pair()
        await first.signOut()
        await untilSignedOut(second)
        #expect(second.state == .signedOut)
        let failure = await #expect(throws: LoadError.self) { try await load(second) }
        #expect((failure?.underlying as? SessionError)?.code == .signInNeeded)
        #expect(setting.server.apiRequests.isEmpty)
    }

    @Test func `removing an account from the list of accounts signs out its sessions`() async throws {
        let (first, second) = try await pair()
        _ = await OAuthAccounts(store: store).remove(
            of: SessionSetting.profile, client: OAuthClient(id: "client"), dependencies: Dependencies(transport: setting.server))
        await untilSignedOut(first)
        await untilSignedOut(second)
    }

    @Test func `a signed-out session finds the sign-in of another session`() async throws {
        let (first, second) = try await pair()
        await first.signOut()
        await untilSignedOut(second)
        try await first.signIn()
        await until(second, holds: 2)
        #expect(try await load(second) == 200)
        #expect(setting.server.tokenRequests.count == 2)
    }

    @Test func `a session receives its own changes and ignores them`() async throws {
        let session = try await setting.signedIn(.manual)
        try await session.refresh()
        store.tell(.changed(session.account.id, to: session.engine.snapshot.held?.version))
        store.tell(.missedSome)
        let reads = store.reads
        await store.untilRead(reads + 1)
        await session.finish()
        #expect(session.engine.snapshot.held?.credential.accessToken == Secret("access-2"))
        await session.signOut()
        #expect(session.state == .signedOut)
    }

    @Test func `reads the store when the feed reports that it missed changes`() async throws {
        let (first, second) = try await pair()
        store.keepSilent(true)
        try await first.refresh()
        #expect(try await second.accessToken().value == Secret("access-1"))
        store.tell(.missedSome)
        await until(second, holds: 2)
        #expect(try await second.accessToken().value == Secret("access-2"))
        #expect(setting.server.tokenRequests.count == 2)
    }

    @Test func `a feed that ends does not change the session, and a later caller subscribes again`() async throws {
        let (first, second) = try await pair()
        store.endFeed()
        while store.readers > 0 { await Task.yield() }
        try await first.refresh()
        #expect(try await load(second) == 200)
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer access-1"])
        #expect(store.subscriptions == 2)

        // A caller within the first minute does not subscribe again.
        setting.advance(by: 59)
        try await second.restore()
        #expect(store.subscriptions == 2)
        setting.advance(by: 1)
        try await second.restore()
        await until(second, holds: 2)
        #expect(store.subscriptions == 3)
        #expect(try await second.accessToken().value == Secret("access-2"))
    }

    @Test func `if the store fails when the session reads a change, the next caller reads it again, and the user stays signed in`()
        async throws
    {
        let (first, second) = try await pair()
        store.keepSilent(true)
        try await first.refresh()
        store.fail(with: CredentialStoreError(.locked, "Unlock it."))
        let reads = store.reads
        store.tell(.missedSome)
        await store.untilRead(reads + 2)
        await second.finish()
        #expect(try await second.accessToken().value == Secret("access-1"))
        store.fail(with: nil)
        try await second.restore()
        await until(second, holds: 2)
        #expect(!first.state.isSignedOut)
    }

    @Test func `sessions that share their configuration share one subscription, which ends with the last session`() async throws {
        let configuration = setting.configuration(.manual)
        var sessions = (0..<20).map { OAuthSession(configuration, label: "\($0)") }
        #expect(store.subscriptions == 0)
        for session in sessions { try await session.restore() }
        #expect(store.subscriptions == 1 && store.readers == 1)
        let last = sessions[19]
        sessions = []
        let other = OAuthSession(configuration, label: "19")
        try await other.signIn()
        await until(last, holds: 1)
        #expect(store.readers == 1)
    }

    @Test func `a session that is released stops listening`() async throws {
        weak var engine: SessionEngine?
        do {
            let (first, second) = try await pair()
            engine = second.engine
            try await first.refresh()
            await until(second, holds: 2)
            #expect(store.readers == 2)
        }
        // The last task may not have finished yet.
        while store.readers > 0 || engine != nil { await Task.yield() }
    }

    @Test func `a session without callers neither listens nor reads`() async throws {
        let idle = setting.session(.manual)
        _ = try await setting.signedIn(.manual)
        #expect(store.subscriptions == 1)
        #expect(idle.state == .unknown)
    }
}
