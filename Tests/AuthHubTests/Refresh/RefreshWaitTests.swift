import AuthHub
import CredentialStorage
import Testing

/// A refresh that waits for another process.
struct RefreshWaitTests {
    @Test(arguments: SharedStore.allCases)
    func `a program that is about to exit stops waiting for another process's refresh, and one that continues can refresh`(
        kind: SharedStore
    ) async throws {
        try await kind.using { handle in
            let store = LeaseWatchingStore(handle())
            let setting = SessionSetting(store: store)
            let session = try await setting.signedIn()
            setting.advance(by: 3600)
            let other = try await handle().lease(session.account, waitingAtMost: .zero)
            let caller = Task { try await session.accessToken() }
            await store.untilWaitedFor()
            await session.finish()
            let failure = await #expect(throws: SessionError.self) { try await caller.value }
            #expect(failure?.code == .cancelledByProgram)
            #expect(setting.server.tokenRequests == ["authorization_code"])
            await other.release()
            try await session.refresh()
            #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        }
    }

    @Test func `a lease that expires before the request is sent spends no token, and the next attempt succeeds`() async throws {
        let store = HookedStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        setting.advance(by: 3600)
        store.configure { $0.leasesLast = false }
        let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(failure?.code == .storeFailed)
        #expect(setting.server.tokenRequests == ["authorization_code"])
        store.configure { $0.leasesLast = true }
        try await session.refresh()
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }
}
