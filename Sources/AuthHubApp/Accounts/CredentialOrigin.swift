import AuthHub

/// The sign-in that a credential comes from, which determines its user: a refresh returns tokens of the same grant (RFC 6749 §6), and thus
/// of the same user.
enum CredentialOrigin: Hashable {
    case signIn(String)
    /// A credential whose record does not name its sign-in, so that each one may belong to another user.
    case credential(generation: UInt64)

    init(_ facts: SessionState.SignedIn) {
        self = facts.signInID.map(Self.signIn) ?? .credential(generation: facts.generation)
    }
}

extension SessionState {
    /// The origin of the current credential; nil if no one is signed in.
    var origin: CredentialOrigin? { signedIn.map(CredentialOrigin.init) }

    /// The generation of the current credential; nil if no one is signed in.
    var generation: UInt64? { signedIn?.generation }

    private var signedIn: SignedIn? {
        if case .signedIn(let facts) = self { facts } else { nil }
    }
}
