public import CredentialStorage
public import AuthHubPrimitives

// Every read checks which store is current: tokens may have been moved since, and a refreshed token must not be written to the old store.
extension PlatformCredentialStore: CredentialInventory {
    /// Reads the record from the chosen store, even if the record is moved to another store during the read; nil if no store has been
    /// chosen yet.
    @concurrent
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        while true {
            guard let decision = try decision() else { return nil }
            if let record = try await store(of: decision).read(account) { return record }
            // The record may have been moved in between.
            if try self.decision() == decision { return nil }
        }
    }

    /// Stores a record. The first write chooses the store if none has been chosen yet.
    @concurrent
    public func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try StoredCredential.checkSize(of: payload)
        return try await store(of: settled(for: account)).write(payload, for: account, replacing: expected)
    }

    /// Deletes the record from the chosen store. Returns true if no store has been chosen yet.
    @concurrent @discardableResult
    public func delete(
        _ account: CredentialAccount, at expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> Bool {
        try await standing()?.delete(account, at: expected) ?? true
    }

    /// Lists the records of the chosen store. The list is empty if no store has been chosen yet.
    @concurrent
    public func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try await standing()?.inventory(includingUnlisted: includingUnlisted) ?? ([], [])
    }

    /// Removes the damaged records of the chosen store. Returns 0 if no store has been chosen yet.
    @concurrent @discardableResult
    public func removeUnreadable() async throws(CredentialStoreError) -> Int {
        try await standing()?.removeUnreadable() ?? 0
    }

    /// Checks whether the chosen store can be written. Chooses a store first if none has been chosen yet.
    @concurrent
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        try await store(of: settled(for: account)).prepareToWrite(for: account)
    }

    /// Reserves space in the chosen store. Chooses a store first if none has been chosen yet.
    @concurrent
    public func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation {
        try await store(of: settled(for: account)).reserveRoom(for: account)
    }

    /// Acquires a lease of the chosen store. Chooses a store first if none has been chosen yet, because all lease holders must use the same
    /// one.
    @concurrent
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        let deadline = ContinuousClock.now + timeout.boundedWait
        while true {
            let decision = try await settled(for: account)
            let lease = try await store(of: decision).lease(account, waitingAtMost: ContinuousClock.now.duration(to: deadline))
            // The tokens may have been moved during the wait for the lease, and other holders have the lease of the new store.
            if try self.decision() == decision { return lease }
            await lease.release()
        }
    }
}
