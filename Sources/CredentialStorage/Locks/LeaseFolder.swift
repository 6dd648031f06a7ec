/// Leases between all processes of this machine that use one folder, for stores whose service has no leases.
///
/// Each lease is the lock of a file that has no other use. The system frees it when the process that held it exits for any reason.
public struct LeaseFolder: Sendable {
    private let locks: LockFolder

    /// - Parameter path: An absolute path. The folder and its parents are created when needed, accessible only by their owner.
    public init(path: String) {
        locks = LockFolder(path: path)
    }

    /// Acquires the account's lease, as ``CredentialStore/lease(_:waitingAtMost:)`` does.
    ///
    /// - Throws: ``CredentialStoreError`` with `.leaseHeld` if the time is over, with the holder if it is a process of this system; with
    ///   `.cancelled` if the task is cancelled; with `.refused` if the folder belongs to another user or is open to others.
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await locks.lease(account.id, waitingAtMost: timeout)
    }
}
