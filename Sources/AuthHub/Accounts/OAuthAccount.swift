public import CredentialStorage

/// An account as it stands in a store. Holds no secret.
public struct OAuthAccount: Sendable {
    /// What is known of it.
    public enum Content: Sendable {
        case signedIn(SessionState.SignedIn)
        /// The record is damaged, or a newer program wrote it. Signing in again replaces it.
        case unreadable(SessionError)
    }

    /// Server, client and label.
    public let account: CredentialAccount
    public let content: Content

    public var label: String { account.label }

    /// nil where the record is unreadable.
    public var signedIn: SessionState.SignedIn? {
        if case .signedIn(let facts) = content { facts } else { nil }
    }
}
