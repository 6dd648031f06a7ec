import CredentialStorage

/// How an attempt to renew an access token ended.
enum RefreshOutcome: Sendable {
    /// The server was asked, and a newer credential stands in the store: the one it gave, or that of someone who was faster.
    case renewed(Credential, CredentialVersion)
    /// Someone else had renewed it before: nothing was sent.
    case adopted(Credential, CredentialVersion)
    /// There is no credential any more: the server ended the grant, or someone signed out.
    case signedOut(SessionError)
    /// The refresh failed for now. The stored credential is unchanged, or it has the same access token and the new refresh token of a
    /// response that could not be used otherwise.
    case failed(SessionError, keeping: (Credential, CredentialVersion)? = nil)

    var isAdopted: Bool { if case .adopted = self { true } else { false } }
}
