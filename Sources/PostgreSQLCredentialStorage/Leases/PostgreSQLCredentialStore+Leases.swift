#if PostgreSQL
public import CredentialStorage

extension PostgreSQLCredentialStore {
    /// Acquires the account's exclusive lease: a row that expires by the server's clock, and is renewed in the background while it is
    /// held.
    ///
    /// If the holder dies, the lease expires ``Limits/lease`` after its last renewal.
    @concurrent
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await leases.lease(account, waitingAtMost: timeout)
    }
}
#endif
