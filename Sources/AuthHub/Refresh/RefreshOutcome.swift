import CredentialStorage

/// The result of an attempt to refresh an access token.
enum RefreshOutcome: Sendable {
    /// A request was sent, and the store holds a newer credential: the one the server returned, or one that another process stored first.
    case renewed(Credential, CredentialVersion)
    /// Another process had already refreshed the token. No request was sent.
    case adopted(Credential, CredentialVersion)
    /// There is no credential any more: the server revoked the grant, or another process signed out.
    case signedOut(SessionError)
    /// The refresh failed for now. The stored credential is unchanged, or it has the same access token and the new refresh token of a
    /// response that could not be used otherwise.
    case failed(SessionError, keeping: (Credential, CredentialVersion)? = nil)

    var isAdopted: Bool { if case .adopted = self { true } else { false } }
}
