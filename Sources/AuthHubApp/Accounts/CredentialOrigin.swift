import AuthHub

/// Where a credential comes from, which decides whose it is: a refresh returns tokens of the same grant (RFC 6749 §6), so of the same user.
enum CredentialOrigin: Hashable {
    case signIn(String)
    /// The record does not name its sign-in, so each credential may be another user's.
    case credential(generation: UInt64)

    init(_ facts: SessionState.SignedIn) {
        self = facts.signInID.map(Self.signIn) ?? .credential(generation: facts.generation)
    }
}

extension SessionState {
    /// Where the credential in use comes from; nil if no one is signed in.
    var origin: CredentialOrigin? { signedIn.map(CredentialOrigin.init) }

    /// The number of the credential in use; nil if no one is signed in.
    var generation: UInt64? { signedIn?.generation }

    private var signedIn: SignedIn? {
        if case .signedIn(let facts) = self { facts } else { nil }
    }
}
