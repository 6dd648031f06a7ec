import AuthHubPrimitives
import CredentialStorage
import Synchronization

/// A store that a test can slow down or make fail. Only operations on credentials have hooks; those on pending sign-ins do not.
final class HookedStore: CredentialInventory {
    struct Hooks: Sendable {
        /// Called when a record was read, before the result is returned.
        var afterRead: (@Sendable () async -> Void)?
        var beforeWrite: (@Sendable () async throws(CredentialStoreError) -> Void)?
        var beforeDelete: (@Sendable () async throws(CredentialStoreError) -> Void)?
        /// Called when a lease was acquired for a sign-in, before it is returned.
        var afterSignInLease: (@Sendable () async -> Void)?
        /// Whether leases report that they are still held.
        var leasesLast = true
    }

    private let hooks = Mutex(Hooks())
    private let store = MemoryCredentialStore()

    func configure(_ change: (inout Hooks) -> Void) { hooks.withLock { change(&$0) } }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        let hook = hooks.withLock(\.afterRead)
        let stored = try await store.read(account)
        if account.isListed { await hook?() }
        return stored
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        if account.isListed, let hook = hooks.withLock(\.beforeWrite) { try await hook() }
        return try await store.write(payload, for: account, replacing: expected)
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        if account.isListed, let hook = hooks.withLock(\.beforeDelete) { try await hook() }
        return try await store.delete(account, at: expected)
    }

    func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try await store.inventory(includingUnlisted: includingUnlisted)
    }

    func removeUnreadable() async throws(CredentialStoreError) -> Int { try await store.removeUnreadable() }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        let hook = hooks.withLock(\.afterSignInLease)
        let lease = try await store.lease(account, waitingAtMost: timeout)
        if !account.isListed { await hook?() }
        return CredentialLease(isHeld: { self.hooks.withLock(\.leasesLast) }) { await lease.release() }
    }
}
