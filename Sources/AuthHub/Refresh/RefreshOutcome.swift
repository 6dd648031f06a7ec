import CredentialStorage

/// How an attempt to renew an access token ended.
enum RefreshOutcome: Sendable {
    /// A newer credential stands in the store: made here, or by someone who was faster.
    case renewed(Credential, CredentialVersion)
    /// There is no credential any more: the server ended the grant, or someone signed out.
    case signedOut(SessionError)
    /// It could not be done now; what is stored is as it was.
    case failed(SessionError)
}
