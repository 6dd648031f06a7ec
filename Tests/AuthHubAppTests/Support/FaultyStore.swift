import AuthHubPrimitives
import CredentialStorage
import Synchronization

/// A store in memory that reports changes. The test can slow it down or make it fail.
final class FaultyStore: CredentialChangeFeed {
    private struct State {
        var readDoor: Door?
        var readFailure: CredentialStoreError?
        var deleteFailure: CredentialStoreError?
    }

    private let state = Mutex(State())
    private let store = MemoryCredentialStore()

    func holdReads(at door: Door?) { state.withLock { $0.readDoor = door } }
    func failReads(with error: CredentialStoreError?) { state.withLock { $0.readFailure = error } }
    func failDeletions(with error: CredentialStoreError?) { state.withLock { $0.deleteFailure = error } }

    func changes() -> AsyncStream<CredentialChange> { store.changes() }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        let (door, failure) = state.withLock { ($0.readDoor, $0.readFailure) }
        if account.isListed { await door?.pass() }
        if let failure { throw failure }
        return try await store.read(account)
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try await store.write(payload, for: account, replacing: expected)
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        if account.isListed, let failure = state.withLock(\.deleteFailure) { throw failure }
        return try await store.delete(account, at: expected)
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { try await store.accounts() }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        try await store.lease(account, waitingAtMost: timeout)
    }
}
