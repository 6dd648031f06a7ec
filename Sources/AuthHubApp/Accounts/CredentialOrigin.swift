import AuthHub

/// Where a credential comes from, which decides whose it is: a refresh brings tokens of the same grant (RFC 6749 §6), and so of the same user.
enum CredentialOrigin: Hashable {
    case signIn(String)
    /// Of a record that does not name its sign-in: each credential might be another user's.
    case credential(generation: UInt64)

    init(_ facts: SessionState.SignedIn) {
        self = facts.signInID.map(Self.signIn) ?? .credential(generation: facts.generation)
    }
}

extension SessionState {
    /// Where the credential in use comes from; nil where nobody is signed in, or somebody is about to.
    var origin: CredentialOrigin? { signedIn.map(CredentialOrigin.init) }

    /// Which credential is in use; nil where nobody is signed in, or somebody is about to.
    var generation: UInt64? { signedIn?.generation }

    private var signedIn: SignedIn? {
        if case .signedIn(let facts) = self { facts } else { nil }
    }
}
