#if PostgreSQL
public import CredentialStorage

extension PostgreSQLCredentialStore: CredentialChangeFeed {
    /// Returns a stream of the changes from now on. The server reports each change as soon as it is stored, on any machine.
    ///
    /// All streams of a store share one connection, which is opened for the first stream and reopened if it is lost. Whenever the
    /// connection is opened, all streams yield ``CredentialChange/missedSome``. A stream whose reader falls behind by more than 1,024
    /// changes also yields it.
    public func changes() -> AsyncStream<CredentialChange> {
        listener.changes()
    }
}
#endif
