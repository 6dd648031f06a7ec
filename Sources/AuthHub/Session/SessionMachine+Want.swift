import AuthHubPrimitives
import OAuthProtocol
import Platform

extension SessionMachine {
    typealias WaiterID = UInt64

    /// What a caller waits for.
    enum Want: Hashable {
        /// A credential that is valid for at least this many seconds and is not the one that a server rejected.
        case credential(minimumLifetime: Double = 0, refused: UInt64? = nil, mayInteract: Bool)
        /// A newer credential, even if the current one is still valid. The program requested it, so it is attempted immediately.
        case renewal
        /// A credential with another access token than this one, which a server rejected. `mayInteract` allows a sign-in without a user.
        case replacement(of: Secret<String>, mayInteract: Bool)
        /// A new sign-in, even if a user is signed in.
        case signIn
        /// A new sign-in that requests all of this. `isAskedFor` is true if the page that is shown already requests it.
        case signInWith(SignInNeed, isAskedFor: Bool = false)
        /// The stored credential, as it is.
        case knowledge
    }
}

extension SessionMachine.Want {
    /// A new sign-in that meets the requirement of a resource.
    static func stepUp(_ requirement: StepUpRequirement) -> Self { .signInWith(SignInNeed(requirement)) }

    var isSignIn: Bool {
        switch self {
        case .signIn, .signInWith: true
        case .credential, .renewal, .replacement, .knowledge: false
        }
    }

    /// Whether the current sign-in, if there is one, requests too little.
    var needsMore: Bool {
        if case .signInWith(_, isAskedFor: false) = self { true } else { false }
    }

    /// The requirements of a sign-in beyond the defaults.
    var need: SignInNeed? {
        if case .signInWith(let need, _) = self { need } else { nil }
    }

    /// Whether the user must not be asked anything.
    var isSilent: Bool { need?.isSilent ?? false }

    var allowsSignIn: Bool {
        switch self {
        case .credential(_, _, let mayInteract), .replacement(_, let mayInteract): mayInteract
        case .signIn, .signInWith: true
        case .renewal, .knowledge: false
        }
    }

    /// Whether the program called for it explicitly, so that the pause after an earlier failure does not apply.
    var isExplicit: Bool { self == .renewal || isSignIn }

    /// Whether a server has rejected this credential. That can happen before the session gets the result of the refresh or sign-in that
    /// stored it.
    func reports(_ held: HeldCredential) -> Bool {
        switch self {
        case .credential(_, let refused, _): refused == held.generation
        case .replacement(let rejected, _): rejected == held.credential.accessToken
        case .renewal, .signIn, .signInWith, .knowledge: false
        }
    }

    func refuses(_ held: HeldCredential) -> Bool { self == .renewal || reports(held) }

    /// Whether the current credential may be older than the one that a server rejected.
    func mayBeNewer(than held: HeldCredential) -> Bool {
        if case .replacement = self { !reports(held) } else { false }
    }
}

extension HeldCredential {
    func satisfies(_ want: SessionMachine.Want, at now: Date) -> Bool {
        switch want {
        case .signIn, .signInWith, .renewal: return false
        case .knowledge: return true
        case .credential(let minimumLifetime, let refused, _):
            return refused != generation && isFresh(at: now, for: minimumLifetime)
        case .replacement:
            return !want.reports(self) && isFresh(at: now)
        }
    }

    func isRenewable(at now: Date) -> Bool {
        credential.refreshToken != nil && credential.refreshTokenExpiresAt.map { now < $0 } ?? true
    }
}
