import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

/// The server has rotated the refresh token, and the store does not take the new one.
struct FullStoreTests {
    @Test func `nothing is handed out that is not stored, and the next try stores it without asking the server again`() async throws {
        let store = FillableStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        store.isFull = true
        setting.advance(by: 3600)
        for _ in 0..<3 {
            let failure = await #expect(throws: LoadError.self) { try await session.load(.get("https://api.example/")) }
            #expect((failure?.underlying as? SessionError)?.code == .storeFailed)
        }
        #expect(setting.server.apiRequests.isEmpty)
        store.isFull = false
        #expect(try await session.load(.get("https://api.example/")).status == .ok)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        #expect(!setting.server.familyIsRevoked)
    }

    @Test func `a sign-out revokes what was never stored`() async throws {
        let store = FillableStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        store.isFull = true
        setting.advance(by: 3600)
        await #expect(throws: LoadError.self) { try await session.load(.get("https://api.example/")) }
        #expect(await session.signOut().isSignedOut)
        #expect(setting.server.revoked.contains("refresh-2"))
        #expect(setting.server.revoked.contains("access-2"))
    }
}

/// A store on a disk that can be full: nothing can be written, and deleting still works.
private final class FillableStore: CredentialStore {
    private let store = MemoryCredentialStore()
    private let full = Mutex(false)

    var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await store.read(account)
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        guard !isFull else { throw CredentialStoreError(.full, "no space is left") }
        return try await store.write(payload, for: account, replacing: expected)
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        try await store.delete(account, at: expected)
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { try await store.accounts() }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        try await store.lease(account, waitingAtMost: timeout)
    }
}
