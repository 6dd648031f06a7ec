#if PostgreSQL
public import CredentialStorage

extension PostgreSQLCredentialStore: CredentialChangeFeed {
    /// Returns the changes from now on. The server reports each change as soon as it is stored, whichever machine stores it.
    ///
    /// All readers of a store share one connection, which is opened for the first of them and opened again if it is lost. Each time it is
    /// opened, they get ``CredentialChange/missedSome``. So does a reader that falls behind by more than 1,024 changes.
    public func changes() -> AsyncStream<CredentialChange> {
        listener.changes()
    }
}
#endif
