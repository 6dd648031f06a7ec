/// Leases between all processes of this machine that use one folder, for stores whose own service has none.
///
/// Each is the lock of a file that serves nothing else: the system frees it with the process that held it, however that ended.
public struct LeaseFolder: Sendable {
    private let locks: LockFolder

    /// - Parameter path: An absolute path. The folder is made, with its parents, when it is first needed, and only its owner may use it.
    public init(path: String) {
        locks = LockFolder(path: path)
    }

    /// Takes the account's lease, as ``CredentialStore/lease(_:waitingAtMost:)`` does.
    ///
    /// - Throws: ``CredentialStoreError`` with `.leaseHeld`, and the process where it is one of this system's, when the time is over; with
    ///   `.cancelled` for a cancelled waiter; with `.refused` for a folder that is another's, or open to others.
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await locks.lease(account.id, waitingAtMost: timeout)
    }
}
