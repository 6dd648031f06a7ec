#if PostgreSQL
public import CredentialStorage

extension PostgreSQLCredentialStore: CredentialChangeFeed {
    /// What changes from now on, told by the server as soon as it is stored, whichever machine stores it.
    ///
    /// All readers of a store share one connection, which is made for the first of them and made again where it is lost. Each time it has been made,
    /// they get ``CredentialChange/missedSome``. So does one that falls behind by more than 1,024 changes.
    public func changes() -> AsyncStream<CredentialChange> {
        listener.changes()
    }
}
#endif
