/// Leases between all processes of this machine that use one folder, for stores whose own service has no leases.
///
/// Each lease is the lock of a file that has no other purpose: the system frees it when the process that holds it ends for any reason.
public struct LeaseFolder: Sendable {
    private let locks: LockFolder

    /// Creates leases in a folder.
    ///
    /// - Parameter path: An absolute path. The folder is created, with its parents, when it is first needed, and only its owner may use it.
    public init(path: String) {
        locks = LockFolder(path: path)
    }

    /// Acquires the account's lease, as ``CredentialStore/lease(_:waitingAtMost:)`` does.
    ///
    /// - Throws: ``CredentialStoreError`` with `.leaseHeld`, and the process if it is one of this system, when the time is over; with
    ///   `.cancelled` if the waiter is cancelled; with `.refused` if the folder belongs to another user, or has permissions for others.
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await locks.lease(account.id, waitingAtMost: timeout)
    }
}
