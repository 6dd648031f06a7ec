import CredentialStorage
import OAuthProtocol
import Platform

/// When a sign-in begins, and what it requests.
extension SessionMachine {
    /// Begins a sign-in that requests what the first waiter needs, and what all others need that can share its page.
    ///
    /// If a sign-in without a user has failed, the next request does not repeat it immediately: otherwise every request would send a wrong
    /// secret again. The program's own call of ``OAuthSession/signIn(_:)`` does not wait for the pause.
    mutating func beginSignIn(at now: Date) -> [Action] {
        if !wantsNewSignIn, let error = signInBackOff.problem(at: now) {
            if held == nil { problem = error }
            needs.signInFailed(error, holding: held)
            return answer(.failure(error)) { $0.allowsSignIn }
        }
        needs.ask(for: waiters.filter(\.want.allowsSignIn).map { $0.want.need ?? SignInNeed() }, granted: held?.credential.scope)
        for index in waiters.indices { waiters[index].want = asking(waiters[index].want, if: { $0.canShareAPage(with: $1) }) }
        return begin(.signingIn, .signIn(isNew: wantsNewSignIn, for: needs.asked))
    }

    /// Counts the failures of sign-ins without a user. Those of an earlier epoch count as well, because the server is the same.
    mutating func count(_ result: Result<(Credential, CredentialVersion), SessionError>, at now: Date) {
        guard !needsUser else { return }
        switch result {
        case .success: signInBackOff = RefreshBackOff()
        case .failure(let error) where error.isCancelledByProgram: break
        case .failure(let error): signInBackOff.failed(error, at: now)
        }
    }

    /// Handles a request whose token was rejected and that needs another credential, if necessary by asking the user, but not twice for the
    /// same token.
    mutating func takeSignInAgain(_ id: WaiterID, refused: UInt64?, at now: Date) -> [Action] {
        let isHeld = refused != nil && held?.generation == refused
        if let refused, needs.declined == refused, isHeld || held == nil {
            return [.answer(id, .failure(SessionError(.signInNeeded, "the user declined to sign in again")))]
        }
        needs.refused = refused
        return take(id, isHeld ? .signIn : .credential(refused: refused, mayInteract: true), at: now)
    }

    /// Records in a want whether the current sign-in requests everything the want needs.
    func asking(_ want: Want) -> Want {
        asking(want, if: { isSigningIn && $0.covers($1) })
    }

    private func asking(_ want: Want, if isMet: (_ page: SignInNeed, _ need: SignInNeed) -> Bool) -> Want {
        guard case .signInWith(let need, _) = want else { return want }
        return .signInWith(need, isAskedFor: isMet(needs.asked, need))
    }
}
