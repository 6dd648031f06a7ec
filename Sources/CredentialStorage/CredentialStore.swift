public import AuthHubPrimitives

/// Keeps one record per account, safe against concurrent writers in this process, in others, and in later runs.
///
/// A store knows nothing of what it keeps: a record is bytes. Every write and deletion names the version it replaces, and loses
/// against a writer that was faster. `CredentialStoreContract` in `AuthHubTesting` is what every store has to pass.
public protocol CredentialStore: Sendable {
    /// The record of an account, or nil where there is none.
    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential?

    /// Stores a record durably before it returns, if the account still stands at `expected` (nil: has no record).
    ///
    /// - Returns: The new version, or what stands there instead, which is then left as it is.
    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome

    /// Removes a record if it still stands at `expected`; with nil whatever stands there.
    ///
    /// - Returns: Whether the account has no record now. False: another version stands there.
    @discardableResult
    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool

    /// All accounts that have a record and are listed (``CredentialAccount/isListed``), in no particular order.
    func accounts() async throws(CredentialStoreError) -> [CredentialAccount]

    /// Finds out whether a record could be written now, and changes none. For those who are about to spend what only a stored answer makes
    /// good. A later write may fail all the same.
    ///
    /// - Throws: ``CredentialStoreError``, as ``write(_:for:replacing:)`` would. Without an implementation it takes every write for possible.
    func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError)

    /// Does what ``prepareToWrite(for:)`` does and, if the store can, keeps the room for the account's next write, which then does not fail because
    /// something else has filled the disk. A store without an implementation keeps nothing.
    func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation

    /// Takes the account's exclusive lease, waiting for its holder at most this long.
    ///
    /// A lease excludes other holders in all processes, not readers and writers. That of a process that died is free.
    ///
    /// - Throws: ``CredentialStoreError`` with `.leaseHeld` (and who holds it, where known) when the time is over;
    ///   `CancellationError` is not thrown: a cancelled waiter gets `.cancelled`.
    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease
}

extension CredentialStore {
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {}

    public func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation {
        try await prepareToWrite(for: account)
        return RoomReservation()
    }

    /// Runs a piece of work under the account's exclusive lease.
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
