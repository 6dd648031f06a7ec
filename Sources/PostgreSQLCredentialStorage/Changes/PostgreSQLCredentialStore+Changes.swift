#if PostgreSQL
public import CredentialStorage

extension PostgreSQLCredentialStore: CredentialChangeFeed {
    /// The changes from now on, reported by the server as soon as they are stored, on any machine.
    ///
    /// All readers of a store share one connection. It is opened for the first of them and reopened if it is lost. Whenever it is opened,
    /// the readers receive ``CredentialChange/missedSome``. A reader that falls behind by more than 1,024 changes receives it, too.
    public func changes() -> AsyncStream<CredentialChange> {
        listener.changes()
    }
}
#endif
