import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionMachine {
    typealias WaiterID = UInt64

    /// What a caller waits for.
    enum Want: Hashable {
        /// A credential that lives this much longer, and is not the one that a server refused.
        case credential(minimumLifetime: Double = 0, refused: UInt64? = nil, mayInteract: Bool)
        /// A credential newer than the one there is, however long that would live; asked for by the program, so tried at once.
        case renewal
        /// A new sign-in, whatever is known.
        case signIn
        /// A new sign-in that asks for all of this. It is asked for if the page that is shown does so.
        case stepUp(StepUpRequirement, isAskedFor: Bool = false)
        /// What is stored, as it is.
        case knowledge
    }
}

extension SessionMachine.Want {
    var isSignIn: Bool {
        switch self {
        case .signIn, .stepUp: true
        case .credential, .renewal, .knowledge: false
        }
    }

    /// Whether the sign-in under way, if there is one, asks for too little.
    var needsMore: Bool {
        if case .stepUp(_, isAskedFor: false) = self { true } else { false }
    }

    /// What a sign-in has to ask for beyond the usual.
    var need: StepUpRequirement? {
        if case .stepUp(let need, _) = self { need } else { nil }
    }

    var allowsSignIn: Bool {
        switch self {
        case .credential(_, _, let mayInteract): mayInteract
        case .signIn, .stepUp: true
        case .renewal, .knowledge: false
        }
    }

    /// Whether the program itself asks, so that no earlier failure holds it back.
    var isExplicit: Bool { self == .renewal || isSignIn }

    /// Whether a server has refused this one, which it can have before those who brought it into the store have told of it.
    func reports(_ held: HeldCredential) -> Bool {
        if case .credential(_, held.generation?, _) = self { true } else { false }
    }

    func refuses(_ held: HeldCredential) -> Bool {
        switch self {
        case .credential(_, let refused, _): refused == held.generation
        case .renewal: true
        case .signIn, .stepUp, .knowledge: false
        }
    }
}

extension HeldCredential {
    func satisfies(_ want: SessionMachine.Want, at now: Date) -> Bool {
        switch want {
        case .signIn, .stepUp, .renewal: return false
        case .knowledge: return true
        case .credential(let minimumLifetime, let refused, _):
            return refused != generation && isFresh(at: now, for: minimumLifetime)
        }
    }

    func isRenewable(at now: Date) -> Bool {
        credential.refreshToken != nil && credential.refreshTokenExpiresAt.map { now < $0 } ?? true
    }
}
