import AuthHubPrimitives
import CredentialStorage
import Synchronization

/// A store that reports each operation on an account's record, and can be full.
final class ObservedStore: CredentialStore {
    private let store = MemoryCredentialStore()
    private let isFullNow = Mutex(false)
    private let observe: @Sendable (String) -> Void

    init(_ observe: @escaping @Sendable (String) -> Void = { _ in }) {
        self.observe = observe
    }

    var isFull: Bool {
        get { isFullNow.withLock { $0 } }
        set { isFullNow.withLock { $0 = newValue } }
    }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        if account.isListed { observe("load") }
        return try await store.read(account)
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        if account.isListed { observe("store") }
        guard !isFull else { throw CredentialStoreError(.full, "no space is left") }
        return try await store.write(payload, for: account, replacing: expected)
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        if account.isListed { observe("clear") }
        return try await store.delete(account, at: expected)
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { try await store.accounts() }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        try await store.lease(account, waitingAtMost: timeout)
    }
}
