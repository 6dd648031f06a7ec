import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When a sign-in begins, and what it asks for.
extension SessionMachine {
    /// Begins a sign-in that asks for what everyone who waits needs.
    ///
    /// A sign-in without a user that failed is not repeated at once by the next request: a wrong secret would be sent as often as requests
    /// come. The program's own ``OAuthSession/signIn()`` does not wait for the pause.
    mutating func beginSignIn(at now: Date) -> [Action] {
        if !wantsNewSignIn, let error = signInBackOff.problem(at: now) {
            if held == nil { problem = error }
            needs.signInFailed(error, holding: held)
            return answer(.failure(error)) { $0.allowsSignIn }
        }
        needs.ask(for: waiters.compactMap(\.want.need), granted: held?.credential.scope)
        for index in waiters.indices { waiters[index].want = asking(waiters[index].want, forAll: true) }
        return begin(.signingIn, .signIn(isNew: wantsNewSignIn, for: needs.asked))
    }

    /// Counts the failures of sign-ins without a user, those of an earlier epoch, too: it is the same server.
    mutating func count(_ result: Result<(Credential, CredentialVersion), SessionError>, at now: Date) {
        guard !needsUser else { return }
        switch result {
        case .success: signInBackOff = RefreshBackOff()
        case .failure(let error) where error.isCancelledByProgram: break
        case .failure(let error): signInBackOff.failed(error, at: now)
        }
    }

    /// A request whose token was rejected wants another credential, if need be by asking the user; but not twice for the same token.
    mutating func takeSignInAgain(_ id: WaiterID, refused: UInt64?, at now: Date) -> [Action] {
        let isHeld = refused != nil && held?.generation == refused
        if let refused, needs.declined == refused, isHeld || held == nil {
            return [.answer(id, .failure(SessionError(.signInNeeded, "the user declined to sign in again")))]
        }
        needs.refused = refused
        return take(id, isHeld ? .signIn : .credential(refused: refused, mayInteract: true), at: now)
    }

    /// Notes in a want whether the sign-in under way asks for all that it needs.
    func asking(_ want: Want, forAll: Bool = false) -> Want {
        guard case .stepUp(let need, _) = want else { return want }
        return .stepUp(need, isAskedFor: forAll || (isSigningIn && needs.asked.covers(need)))
    }
}
