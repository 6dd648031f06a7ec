#if PostgreSQL
public import CredentialStorage

extension PostgreSQLCredentialStore {
    /// Acquires the account's exclusive lease: a database row that expires by the server's clock. The lease is renewed in the background
    /// until it is released.
    ///
    /// If the holder's process dies, the lease expires ``Limits/lease`` after its last renewal.
    @concurrent
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await leases.lease(account, waitingAtMost: timeout)
    }
}
#endif
