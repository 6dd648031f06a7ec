import CredentialStorage
import AuthHubPrimitives

/// Two stores while records are moved from one to the other. A record in the source is the current one until it is deleted there; after
/// that, the one in the target is. New records are written to the target.
struct MovingStore: CredentialInventory {
    let source: any CredentialInventory
    let target: any CredentialInventory

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        if let record = try await source.read(account) { return record }
        return try await target.read(account)
    }

    /// Writes a record. A writer without a lease fails if the record is being moved, as it would against any other writer.
    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try await holder(of: account).write(payload, for: account, replacing: expected)
    }

    @discardableResult
    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        guard expected == nil else { return try await holder(of: account).delete(account, at: expected) }
        let isGone = try await source.delete(account, at: nil)
        return try await target.delete(account, at: nil) && isGone
    }

    func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        try await holder(of: account).prepareToWrite(for: account)
    }

    func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation {
        try await holder(of: account).reserveRoom(for: account)
    }

    /// Acquires the leases of both stores in the order that a move uses; the source's lease keeps the record from being moved.
    func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        let deadline = ContinuousClock.now + timeout.boundedWait
        let first = try await source.lease(account, waitingAtMost: timeout)
        do throws(CredentialStoreError) {
            let second = try await target.lease(account, waitingAtMost: ContinuousClock.now.duration(to: deadline))
            return CredentialLease(isHeld: { first.isHeld && second.isHeld }) {
                await second.release()
                await first.release()
            }
        } catch {
            await first.release()
            throw error
        }
    }

    func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        // The source first, so that a record that is moved in between is seen twice instead of never.
        let before = try await source.inventory(includingUnlisted: includingUnlisted)
        let after = try await target.inventory(includingUnlisted: includingUnlisted)
        return (Array(Set(before.accounts + after.accounts)), before.unreadable + after.unreadable)
    }

    @discardableResult
    func removeUnreadable() async throws(CredentialStoreError) -> Int {
        let count = try await source.removeUnreadable()
        return try await target.removeUnreadable() + count
    }

    private func holder(of account: CredentialAccount) async throws(CredentialStoreError) -> any CredentialInventory {
        try await source.read(account) == nil ? target : source
    }
}
