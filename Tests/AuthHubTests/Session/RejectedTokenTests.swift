import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPTypes
import Synchronization
import Testing

/// Programs that report the same rejected token cause one refresh, however their steps interleave.
struct RejectedTokenTests {
    /// Another session of the account, which refreshes once at the given read of the reporting session.
    private static func refreshing(_ setting: SessionSetting, _ store: HookedStore, atRead number: Int) -> OAuthSession {
        let other = setting.session(.manual)
        let reads = Mutex(0)
        store.configure {
            $0.afterRead = {
                guard
                    reads.withLock({ reads in
                        reads += 1
                        return reads == number
                    })
                else { return }
                try? await other.refresh()
            }
        }
        return other
    }

    @Test(arguments: [
        ("before the reporting session reads the store", 0), ("between the comparison and the lease", 1),
    ])
    func `another process refreshes the token that is reported`(moment: String, read: Int) async throws {
        let store = HookedStore()
        let setting = SessionSetting(store: store)
        let rejected = try await setting.signedIn().accessToken().value
        let reporting = setting.session(.manual)
        // Looked at before: the stored token is the rejected one.
        if read == 0 { try await setting.session(.manual).refresh() }
        let other = Self.refreshing(setting, store, atRead: read)
        #expect(try await reporting.accessToken(insteadOf: rejected).value == Secret("access-2"), "\(moment)")
        #expect(setting.server.tokenRequests.count == 2)
        withExtendedLifetime(other) {}
    }

    @Test func `ten sessions that report the same token cause one refresh`() async throws {
        let setting = SessionSetting(store: HookedStore())
        let rejected = try await setting.signedIn().accessToken().value
        let tokens = try await withThrowingTaskGroup(of: Secret<String>.self) { group in
            for _ in 0..<10 { group.addTask { try await setting.session(.manual).accessToken(insteadOf: rejected).value } }
            return try await group.reduce(into: Set<Secret<String>>()) { $0.insert($1) }
        }
        #expect(tokens == [Secret("access-2")] && setting.server.tokenRequests.count == 2)
    }

    @Test func `a token that is not the stored one causes no request, even if the session holds an older one`() async throws {
        let setting = SessionSetting(store: HookedStore())
        let session = try await setting.signedIn()
        #expect(try await session.accessToken(insteadOf: Secret("another")).value == Secret("access-1"))
        try await setting.session(.manual).refresh()
        #expect(try await session.accessToken(insteadOf: Secret("another")).value == Secret("access-2"))
        #expect(setting.server.tokenRequests.count == 2)
        // The session does not know the rejected token yet.
        try await setting.session(.manual).refresh()
        #expect(try await session.accessToken(insteadOf: Secret("access-3")).value == Secret("access-4"))
    }

    @Test func `a newer record with the rejected access token is refreshed`() async throws {
        let store = HookedStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        let rejected = try await session.accessToken().value
        let reads = Mutex(0)
        store.configure {
            $0.afterRead = {
                guard
                    reads.withLock({ reads in
                        reads += 1
                        return reads == 1
                    }), let stored = try? await store.read(session.account)
                else { return }
                _ = try? await store.write(stored.payload, for: session.account, replacing: stored.version)
            }
        }
        #expect(try await setting.session(.manual).accessToken(insteadOf: rejected).value == Secret("access-2"))
        #expect(setting.server.tokenRequests.count == 2)
    }
}
