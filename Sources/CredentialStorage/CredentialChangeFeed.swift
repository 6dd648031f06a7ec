/// A store that reports changes by other processes, including those on other machines.
///
/// The reports are hints that arrive soon, not a complete history: a reader re-reads the store itself.
public protocol CredentialChangeFeed: CredentialStore {
    /// All changes from now on, by any process. Ends when the reader's task is cancelled.
    func changes() -> AsyncStream<CredentialChange>
}

/// A change to the records of a store.
public enum CredentialChange: Sendable, Hashable {
    /// The account's record was written, or deleted if nil.
    case changed(CredentialAccount.ID, to: CredentialVersion?)
    /// Changes of any account may have been missed while the store could not be reached.
    case missedSome
}
