public import AuthHubPrimitives

/// Stores one record per account, safe against concurrent writers in this process and in others.
///
/// A record is opaque bytes. Every write and deletion names the version it replaces, and is superseded if another writer was faster. Every
/// store must pass `CredentialStoreContract` of `AuthHubTesting`.
public protocol CredentialStore: Sendable {
    /// Returns the record of an account, or nil if it has none.
    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential?

    /// Stores a record durably before it returns, if the account's current version is `expected` (nil: no record).
    ///
    /// - Returns: The new version, or the current record if another writer was faster; that one is not changed.
    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome

    /// Deletes a record if its current version is `expected`, or any version if nil.
    ///
    /// - Returns: Whether the account has no record now. False if it has another version.
    @discardableResult
    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool

    /// Returns all accounts that have a record and are listed (``CredentialAccount/isListed``), in no particular order.
    func accounts() async throws(CredentialStoreError) -> [CredentialAccount]

    /// Checks whether a record could be written now, without changing one. Call it before an operation whose result must be stored, such
    /// as a refresh. A later write may still fail.
    ///
    /// - Throws: ``CredentialStoreError``, as ``write(_:for:replacing:)`` would. The default implementation does nothing.
    func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError)

    /// Does what ``prepareToWrite(for:)`` does and, if the store can, reserves the space for the account's next write, so that it does not
    /// fail if the disk becomes full. The default implementation reserves nothing.
    func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation

    /// Acquires the account's exclusive lease. Waits for the current holder at most this long.
    ///
    /// A lease excludes other holders in all processes, but not readers and writers. If its holder's process dies, the lease becomes free.
    ///
    /// - Throws: ``CredentialStoreError`` with `.leaseHeld` (and the holder, if known) if the time is over. Never throws
    ///   `CancellationError`: a cancelled caller gets `.cancelled`.
    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease
}

extension CredentialStore {
    /// Checks nothing. Stores that can detect problems in advance replace this implementation.
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {}

    /// Calls ``prepareToWrite(for:)`` and reserves nothing. Stores that can reserve space replace this implementation.
    public func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation {
        try await prepareToWrite(for: account)
        return RoomReservation()
    }

    /// Runs an operation under the account's exclusive lease.
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
