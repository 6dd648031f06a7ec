/// A store that tells of the changes that others make, on other machines, too.
///
/// What it tells is a hint that comes soon, not a record of all that happened: a reader looks into the store itself.
public protocol CredentialChangeFeed: CredentialStore {
    /// What changes from now on, whoever changes it. Ends when the reader's task is cancelled.
    func changes() -> AsyncStream<CredentialChange>
}

public enum CredentialChange: Sendable, Hashable {
    /// The account's record was written; nil: deleted.
    case changed(CredentialAccount.ID, to: CredentialVersion?)
    /// Changes may have been missed, of any account, while the store could not be reached.
    case missedSome
}
