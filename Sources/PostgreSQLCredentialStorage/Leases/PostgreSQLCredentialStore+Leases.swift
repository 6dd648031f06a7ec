#if PostgreSQL
public import CredentialStorage

extension PostgreSQLCredentialStore {
    /// Acquires the account's exclusive lease. It is a row with an expiry by the server's clock, renewed in the background while it is
    /// held.
    ///
    /// The lease of a holder that died is free ``Limits/lease`` after its last renewal.
    @concurrent
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await leases.lease(account, waitingAtMost: timeout)
    }
}
#endif
