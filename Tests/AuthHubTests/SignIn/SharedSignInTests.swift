import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Platform
import Synchronization
import Testing
import WebAuthentication

/// Two sessions that share a store simulate two processes. Each has its own browser.
struct SharedSignInTests {
    /// Two sessions: the page of one is shown and held back by a gate, and the other waits.
    private struct Pair {
        let gate = Gate()
        let first: SessionSetting
        let second: SessionSetting
        private let watched: LeaseWatchingStore

        init(_ handle: () -> any CredentialStore, ending: @escaping @Sendable (String) async -> ScriptedBrowser.Visit = consenting) {
            watched = LeaseWatchingStore(handle())
            first = SessionSetting(store: handle()) { [gate] url in
                await gate.pass()
                return await ending(url)
            }
            second = SessionSetting(store: watched)
        }

        func untilSecondWaits() async { await watched.untilWaitedFor() }
    }

    @Test(arguments: SharedStore.allCases)
    func `a sign-in on demand waits for the other session's page and uses its tokens`(kind: SharedStore) async throws {
        try await kind.using { handle in
            let pair = Pair(handle)
            let first = Task { [session = pair.first.session()] in try await session.accessToken().value }
            await pair.gate.untilReached()
            let second = Task { [session = pair.second.session()] in try await session.accessToken().value }
            await pair.untilSecondWaits()
            pair.gate.open()
            let tokens = [try await first.value, try await second.value]
            #expect(tokens == [Secret("access-1"), Secret("access-1")])
            #expect(pair.second.browser.visitedURLs.isEmpty)
            #expect(pair.second.server.tokenRequests.isEmpty)
        }
    }

    @Test(arguments: SharedStore.allCases)
    func `an explicit sign-in joins another session's sign-in that finishes while it waits, even if the user was signed in before`(
        kind: SharedStore
    ) async throws {
        try await kind.using { handle in
            _ = try await SessionSetting(store: handle()).signedIn()
            let pair = Pair(handle)
            let first = Task { [session = pair.first.session()] in try await session.signIn() }
            await pair.gate.untilReached()
            let session = pair.second.session()
            let second = Task { try await session.signIn() }
            await pair.untilSecondWaits()
            pair.gate.open()
            try await first.value
            try await second.value
            #expect(pair.second.browser.visitedURLs.isEmpty)
            #expect(try await session.accessToken().value == Secret("access-1"))
        }
    }

    @Test func `a session that requires certain claims shows its own page, because the other session's user may lack them`() async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.changes = [("acr", "silver")] }
        let (store, gate) = (MemoryCredentialStore(), Gate())
        let pages = Mutex(0)
        let watched = LeaseWatchingStore(store)
        let first = provider.session(store) { url in
            await gate.pass()
            return await consenting(url)
        }
        var claims = ClaimsRequest()
        claims.request("acr", in: .idToken, isEssential: true, values: ["silver"])
        let second = provider.session(watched, claims: claims) { url in
            pages.withLock { $0 += 1 }
            return await consenting(url)
        }
        let showing = Task { try await first.signIn() }
        await gate.untilReached()
        let waiting = Task { try await second.signIn() }
        await watched.untilWaitedFor()
        gate.open()
        try await showing.value
        try await waiting.value
        #expect(pages.withLock { $0 } == 1)
    }

    @Test(arguments: SharedStore.allCases)
    func `a waiting session shows its own page if the other session's sign-in fails`(kind: SharedStore) async throws {
        try await kind.using { handle in
            let pair = Pair(handle) { _ in .cancelled }
            let first = Task { [session = pair.first.session()] in try await session.signIn() }
            await pair.gate.untilReached()
            let session = pair.second.session()
            let second = Task { try await session.signIn() }
            await pair.untilSecondWaits()
            pair.gate.open()
            await #expect(throws: SessionError.self) { try await first.value }
            try await second.value
            #expect(pair.second.browser.visitedURLs.count == 1)
            #expect(pair.second.browser.pages == [.signedIn])
        }
    }

    @Test(arguments: SharedStore.allCases)
    func `a token that is refreshed during the wait does not count as a new sign-in`(kind: SharedStore) async throws {
        try await kind.using { handle in
            let pair = Pair(handle) { _ in .cancelled }
            let third = try await SessionSetting(store: handle()).signedIn()
            let first = Task { [session = pair.first.session()] in try await session.signIn() }
            await pair.gate.untilReached()
            let second = Task { [session = pair.second.session()] in try await session.signIn() }
            await pair.untilSecondWaits()
            try await third.refresh()
            pair.gate.open()
            await #expect(throws: SessionError.self) { try await first.value }
            try await second.value
            #expect(pair.second.browser.visitedURLs.count == 1)
        }
    }

    @Test(arguments: SharedStore.allCases)
    func `a caller that waits for another session's page can be cancelled, without affecting the other session`(kind: SharedStore)
        async throws
    {
        try await kind.using { handle in
            let pair = Pair(handle)
            let first = Task { [session = pair.first.session()] in try await session.signIn() }
            await pair.gate.untilReached()
            let session = pair.second.session()
            let second = Task { try await session.signIn() }
            await pair.untilSecondWaits()
            second.cancel()
            let failure = await #expect(throws: SessionError.self) { try await second.value }
            #expect(failure?.code == .cancelledByProgram)
            await session.finish()
            pair.gate.open()
            try await first.value
            #expect(pair.second.browser.visitedURLs.isEmpty)
        }
    }

    @Test func `the wait for another session's page ends with that sign-in's timeout, by the store's clock`() async throws {
        let clock = TestClock()
        let store = MemoryCredentialStore(clock: clock)
        let pair = Pair { store }
        let first = Task { [session = pair.first.session()] in try await session.signIn() }
        await pair.gate.untilReached()
        let second = Task { [session = pair.second.session()] in try await session.signIn() }
        await pair.untilSecondWaits()
        await clock.untilAsleep()
        clock.advance(by: .seconds(300))
        let failure = await #expect(throws: SessionError.self) { try await second.value }
        #expect(failure?.code == .timedOut)
        #expect((failure?.underlying as? CredentialStoreError)?.code == .leaseHeld)
        pair.gate.open()
        try await first.value
    }

    @Test func `a wait that times out reports which process shows the page`() async throws {
        try await withStoreFolder { folder in
            let pair = Pair { fileStore(below: folder) }
            let first = Task { [session = pair.first.session()] in try await session.signIn() }
            await pair.gate.untilReached()
            var configuration = OAuthSession.Configuration(
                server: SessionSetting.profile, client: OAuthClient(id: "client"), grant: .authorizationCode(pair.second.browser),
                store: fileStore(below: folder), dependencies: Dependencies(transport: pair.second.server) { start })
            configuration.signInTimeout = .milliseconds(20)
            let impatient = OAuthSession(configuration)
            let failure = await #expect(throws: SessionError.self) { try await impatient.signIn() }
            #expect(failure?.code == .timedOut)
            #expect(failure?.explanation.contains("process \(getpid()) ") == true)
            #expect((failure?.underlying as? CredentialStoreError)?.leaseHolder == getpid())
            pair.gate.open()
            try await first.value
        }
    }

    @Test(arguments: SharedStore.allCases)
    func `accounts do not wait for each other's pages`(kind: SharedStore) async throws {
        try await kind.using { handle in
            let pair = Pair(handle)
            let first = Task { [session = pair.first.session()] in try await session.signIn() }
            await pair.gate.untilReached()
            try await pair.second.session(label: "other").signIn()
            #expect(pair.second.browser.visitedURLs.count == 1)
            pair.gate.open()
            try await first.value
        }
    }
}
