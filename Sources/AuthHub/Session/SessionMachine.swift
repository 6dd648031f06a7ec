import CredentialStorage
import OAuthProtocol
import Platform

/// The rules of a session as a value type: it receives an event and returns the next actions. It never waits.
///
/// At most one activity runs at a time, however many callers wait for it. That is how one refresh or one sign-in serves all of them.
struct SessionMachine {
    enum Knowledge {
        case unknown
        case signedOut
        case signedIn(HeldCredential)
    }

    enum Activity: Hashable {
        case none, reading, refreshing, signingIn, exchanging, signingOut
    }

    var knowledge = Knowledge.unknown
    var activity = Activity.none
    /// No caller waits for the sign-in any more. Callers that arrive before it has ended do not get that cancellation as their error.
    var isCancellingSignIn = false
    /// A sign-in has finished in the meantime, so the record being read may be older.
    var isReadOutdated = false
    var waiters: [(id: WaiterID, want: Want)] = []
    var backOff = RefreshBackOff()
    /// Whether a user decides on sign-ins. A failed sign-in without a user is repeated only after a pause.
    let needsUser: Bool
    /// The pause after sign-ins without a user that failed.
    var signInBackOff = RefreshBackOff()
    var needs = SignInNeeds()
    var signOut = SignOut()
    /// Why the last refresh or sign-in failed, or the session was ended. For display.
    var problem: SessionError?
    /// What happened while the page was shown. For display.
    var notice: SessionState.Notice?
    var generation: UInt64 = 0
    /// Counts sign-outs. The result of an activity of an earlier epoch is ignored.
    var epoch: UInt64 = 0
    /// The epochs before this one ended with the deletion of the stored credential.
    var signedOutBefore: UInt64 = 0
    /// Hints about the stored record that have not yet been compared with the session's knowledge.
    var hints: Set<Hint> = []
    /// Hints that were handled during a sign-in, to be compared again when it has ended.
    var hintsMeanwhile: Set<Hint> = []
    var look = Look.none
    /// Whether any hint was ever received.
    var hasHeard = false

    init(needsUser: Bool = true) {
        self.needsUser = needsUser
    }

    /// Whether a caller waits for a new sign-in, even if a user is signed in.
    var wantsNewSignIn: Bool { waiters.contains { $0.want.isSignIn } }

    /// Whether there is no activity.
    var isIdle: Bool { activity == .none }

    /// Whether a page is shown, or the authorization code is being exchanged.
    var isSigningIn: Bool { activity == .signingIn || activity == .exchanging }

    enum Event {
        case wanted(WaiterID, Want)
        /// A server rejected this generation of the credential (nil: there was none), and no refresh helps.
        case signInAgainWanted(WaiterID, refused: UInt64?)
        case left(WaiterID)
        case storeAnswered(Result<(Credential, CredentialVersion)?, SessionError>, epoch: UInt64)
        case refreshEnded(RefreshOutcome, epoch: UInt64)
        /// The user is done, and the flow asks whether to exchange the code. It may if the activity is `.exchanging` afterwards.
        case codeReceived(epoch: UInt64)
        case signInEnded(Result<(Credential, CredentialVersion), SessionError>, epoch: UInt64)
        /// A sign-in was finished by its callback, concurrently with any other activity.
        case signInFinished(Credential, CredentialVersion, epoch: UInt64)
        /// A caller waits for a sign-out that has begun or is about to begin; nil for a caller that is already cancelled.
        case signOutCalled(WaiterID?, wantsPage: Bool)
        case signOutLeft(WaiterID)
        case signOutWanted
        /// If there is an error, the credential may still be stored.
        case deletionEnded(SessionError?)
        /// The session's requests have ended, or their grace period is over.
        case requestsEnded
        case revocationEnded
        case signOutPageEnded
        /// The store reported a change of the account's record.
        case hinted(Hint)
        case lookedAgain(Result<(Credential, CredentialVersion)?, SessionError>, epoch: UInt64)
    }

    enum Action {
        case readStore
        /// `isRejected` is true if a server rejected the access token, so that no other credential with the same token will do.
        case refresh(HeldCredential, isRejected: Bool)
        /// A new sign-in, or otherwise any credential other than the current one.
        case signIn(isNew: Bool, for: SignInNeed)
        case cancelSignIn
        case deleteStored
        /// Ends the wait for another process that blocks the deletion of the record.
        case giveUpDeletion
        case revokeDeleted
        case showSignOutPage
        case closeSignOutPage
        /// The page is abandoned if all callers that requested it left before it was shown.
        case endSignOut(isPageAbandoned: Bool)
        case answer(WaiterID, Result<HeldCredential, SessionError>)
        /// An activity ended after a sign-out. Its result must be deleted and revoked.
        case discard(Credential, CredentialVersion)
        /// Re-reads the store, concurrently with any activity.
        case lookAgain
    }

    mutating func handle(_ event: Event, at now: Date) -> [Action] {
        let actions = follow(event, at: now)
        return hints.isEmpty && hintsMeanwhile.isEmpty ? actions : actions + lookIfDue()
    }

    private mutating func follow(_ event: Event, at now: Date) -> [Action] {
        switch event {
        case .wanted(let id, let want):
            return take(id, want, at: now)
        case .signInAgainWanted(let id, let refused):
            return takeSignInAgain(id, refused: refused, at: now)
        case .left(let id):
            return leave(id)
        case .storeAnswered(let answer, let epoch):
            guard epoch == self.epoch, activity == .reading else { return [] }
            activity = .none
            return isReadOutdated ? settle(at: now) : takeStored(answer, at: now)
        case .refreshEnded(let outcome, let epoch):
            guard epoch == self.epoch, activity == .refreshing else { return [] }
            activity = .none
            return takeRefreshed(outcome, at: now)
        case .codeReceived(let epoch):
            // A sign-in that was being cancelled serves callers that arrived since, unless its page requested too little for all of them.
            guard epoch == self.epoch, activity == .signingIn, !isCancellingSignIn || waiters.contains(where: { !$0.want.needsMore })
            else { return [] }
            activity = .exchanging
            isCancellingSignIn = false
            return []
        case .signInEnded(let result, let epoch):
            count(result, at: now)
            guard epoch == self.epoch, isSigningIn else {
                // A sign-out waits until the credential is stored, and then deletes and revokes it. The same applies to `.signInFinished`.
                if activity == .signingOut { return [] }
                if case .success(let (credential, version)) = result { return [.discard(credential, version)] }
                return []
            }
            activity = .none
            return takeSignedIn(result, at: now)
        case .signInFinished(let credential, let version, let epoch):
            if activity == .signingOut { return [] }
            guard epoch == self.epoch else { return [.discard(credential, version)] }
            return takeFinished(credential, version, at: now)
        case .signOutCalled(let id, let wantsPage):
            signOut.add(id, wantsPage: wantsPage)
            return []
        case .signOutLeft(let id):
            return signOut.remove(id)
        case .signOutWanted:
            return beginSignOut()
        case .deletionEnded(let error):
            signOut.deletionEnded(isDeleted: error == nil)
            return []
        case .requestsEnded:
            return revokeDeleted()
        case .revocationEnded:
            return signOut.stage == .revoking ? showSignOutPage() : []
        case .signOutPageEnded:
            return signOut.stage == .showingPage ? endSignOut() : []
        case .hinted(let hint):
            hear(hint)
            return []
        case .lookedAgain(let answer, let epoch):
            return takeLooked(answer, epoch: epoch, at: now)
        }
    }
}

extension SessionMachine {
    var situation: SessionSituation {
        SessionSituation(knowledge: knowledge, activity: activity, problem: problem, nextAttempt: backOff.nextAttempt, notice: notice)
    }

    var state: SessionState { situation.state }

    /// The credential that requests may use now without asking the machine.
    var held: HeldCredential? { situation.held }
}
