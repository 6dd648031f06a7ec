public import AuthHubPrimitives

/// A store with one record per account, safe for concurrent writers in this process and in others.
///
/// A record is opaque bytes. Every write and deletion names the version that it replaces, and has no effect if another writer has changed
/// the record in the meantime. Every store must pass the `CredentialStoreContract` of `AuthHubTesting`.
public protocol CredentialStore: Sendable {
    /// Returns the record of an account, or nil if it has none.
    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential?

    /// Stores a record if the account's current version is `expected` (nil: no record). The record is durable when this returns.
    ///
    /// - Returns: The new version; or the current record if another writer was faster, in which case nothing was written.
    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome

    /// Deletes a record if its current version is `expected`. If `expected` is nil, deletes the record whatever its version is.
    ///
    /// - Returns: True if the account now has no record; false if the account's record has another version.
    @discardableResult
    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool

    /// Returns all accounts that have a record and are listed (``CredentialAccount/isListed``), in no particular order.
    func accounts() async throws(CredentialStoreError) -> [CredentialAccount]

    /// Checks whether a record could be written now, without changing any record. Call this before an operation whose result must be
    /// stored, such as a refresh. A later write may still fail.
    ///
    /// - Throws: ``CredentialStoreError``, as ``write(_:for:replacing:)`` would. The default implementation does nothing.
    func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError)

    /// Checks the same as ``prepareToWrite(for:)``. If the store can, it also reserves space for the account's next write, so that the
    /// write succeeds even if the disk becomes full. The default implementation reserves nothing.
    func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation

    /// Acquires the account's exclusive lease. Waits for the current holder for at most `timeout`.
    ///
    /// A lease excludes other holders in all processes, but does not affect readers and writers. If the holder's process dies, the lease
    /// becomes available.
    ///
    /// - Throws: ``CredentialStoreError``: `.leaseHeld`, with the holder if it is known, if the lease is not available in time;
    ///   `.cancelled` if the task is cancelled.
    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease
}

extension CredentialStore {
    /// Does nothing. Stores that can detect problems in advance implement this method themselves.
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {}

    /// Calls ``prepareToWrite(for:)`` and reserves nothing. Stores that can reserve space implement this method themselves.
    public func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation {
        try await prepareToWrite(for: account)
        return RoomReservation()
    }

    /// Runs an operation while holding the account's exclusive lease, and releases the lease afterwards.
    ///
    /// - Throws: ``CredentialStoreError``, as ``lease(_:waitingAtMost:)`` does.
    public func withLease<Success: Sendable>(
        on account: CredentialAccount,
        waitingAtMost timeout: Duration,
        _ work: () async -> Success
    ) async throws(CredentialStoreError) -> Success {
        let lease = try await lease(account, waitingAtMost: timeout)
        let success = await work()
        await lease.release()
        return success
    }
}
