import AuthHubPrimitives
import CredentialStorage

/// A store whose writes wait at a gate.
final class SlowStore: CredentialStore {
    let writing = Gate()
    private let store = MemoryCredentialStore()

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await store.read(account)
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        if account.isListed { await writing.pass() }
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
