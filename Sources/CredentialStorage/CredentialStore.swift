public import AuthHubPrimitives

/// A store with one record per account, safe against concurrent writers in this process, in other processes, and in later runs.
///
/// The store does not interpret records: a record is bytes. Every write and deletion names the version that it replaces, and fails if
/// another writer was faster. `CredentialStoreContract` in `AuthHubTesting` has the checks that every store must pass.
public protocol CredentialStore: Sendable {
    /// Returns the record of an account, or nil if it has none.
    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential?

    /// Stores a record durably before it returns, if the account's record still has the version `expected` (nil: no record exists).
    ///
    /// - Returns: The new version, or the current record, which is left unchanged.
    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome

    /// Removes a record if it still has the version `expected`; if that is nil, removes any version.
    ///
    /// - Returns: Whether the account has no record now. False if another version is stored.
    @discardableResult
    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool

    /// Returns all accounts that have a record and are listed (``CredentialAccount/isListed``), in no particular order.
    func accounts() async throws(CredentialStoreError) -> [CredentialAccount]

    /// Checks whether a record could be written now, without changing any. It is for callers that are about to use up something, such as a
    /// refresh token, whose replacement must be stored. A later write may still fail.
    ///
    /// - Throws: ``CredentialStoreError``, as ``write(_:for:replacing:)`` would. The default implementation assumes that every write is
    ///   possible.
    func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError)

    /// Does the same as ``prepareToWrite(for:)`` and, if the store can, reserves room for the account's next write, so that it does not
    /// fail if something else fills the disk. The default implementation reserves nothing.
    func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation

    /// Acquires the account's exclusive lease, and waits for its holder for at most `timeout`.
    ///
    /// A lease excludes other holders in all processes, but not readers and writers. The lease of a process that died is free.
    ///
    /// - Throws: ``CredentialStoreError`` with `.leaseHeld` (and the holder, if known) when the time is over. A cancelled waiter gets
    ///   `.cancelled`; `CancellationError` is not thrown.
    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease
}

extension CredentialStore {
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {}

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
