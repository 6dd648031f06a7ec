/// A store that reports changes by others, including changes from other machines.
///
/// Changes are hints that arrive soon, not a complete history: a reader re-reads the store itself.
public protocol CredentialChangeFeed: CredentialStore {
    /// Returns the changes from now on, by any writer. The stream ends when the reader's task is cancelled.
    func changes() -> AsyncStream<CredentialChange>
}

public enum CredentialChange: Sendable, Hashable {
    /// The account's record was written, or deleted if the version is nil.
    case changed(CredentialAccount.ID, to: CredentialVersion?)
    /// Changes of any account may have been missed while the store could not be reached.
    case missedSome
}
