/// A store that reports changes to its records by all processes, including those on other machines.
///
/// A report is a hint that arrives soon after a change. Reports are not a complete history: read the record again when you receive one.
public protocol CredentialChangeFeed: CredentialStore {
    /// Returns a stream of all changes from now on, by any process. The stream ends when the reading task is cancelled.
    func changes() -> AsyncStream<CredentialChange>
}

/// A change to the records of a store.
public enum CredentialChange: Sendable, Hashable {
    /// The account's record was written; if the version is nil, the record was deleted.
    case changed(CredentialAccount.ID, to: CredentialVersion?)
    /// Changes to any account may have been missed, for example because the store could not be reached.
    case missedSome
}
