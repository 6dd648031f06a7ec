import CredentialStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of a session as a value: an event in, the next actions out. Nothing in it waits.
///
/// At most one activity runs at a time, whatever number of callers waits for it; that is how one refresh or one sign-in serves all.
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
    /// Nobody waits for the sign-in any more: whoever comes before it has ended is not told of that cancellation.
    var isCancellingSignIn = false
    /// A sign-in was finished meanwhile: what is being read may be older than that.
    var isReadOutdated = false
    var waiters: [(id: WaiterID, want: Want)] = []
    var backOff = RefreshBackOff()
    /// Why the last refresh or sign-in failed, or the session was ended, for people.
    var problem: SessionError?
    /// What happened while the page was shown, for people.
    var notice: SessionState.Notice?
    var generation: UInt64 = 0
    /// Counts sign-outs: what an activity of an earlier epoch brings is not taken.
    var epoch: UInt64 = 0
    /// The epochs before this one have ended with the deletion of what was stored.
    var signedOutBefore: UInt64 = 0
    /// What was heard of the stored record, and is to be compared with what is known of it.
    var hints: Set<Hint> = []
    /// What was looked for beside a sign-in, and is to be compared again when that has ended.
    var hintsMeanwhile: Set<Hint> = []
    var look = Look.none
    /// Whether there are hints at all.
    var hasHeard = false

    /// Whether someone waits for a sign-in of their own making, whatever is stored.
    var wantsNewSignIn: Bool { waiters.contains { $0.want == .signIn } }

    /// Whether nothing is under way.
    var isIdle: Bool { activity == .none }

    /// Whether a page is shown, or the code it brought is on its way.
    var isSigningIn: Bool { activity == .signingIn || activity == .exchanging }

    enum Event {
        case wanted(WaiterID, Want)
        case left(WaiterID)
        case storeAnswered(Result<(Credential, CredentialVersion)?, SessionError>, epoch: UInt64)
        case refreshEnded(RefreshOutcome, epoch: UInt64)
        /// The person is done, and the flow asks whether to send the code: it may where the activity is `.exchanging` afterwards.
        case codeReceived(epoch: UInt64)
        case signInEnded(Result<(Credential, CredentialVersion), SessionError>, epoch: UInt64)
        /// A sign-in was finished by its callback, beside whatever is under way.
        case signInFinished(Credential, CredentialVersion, epoch: UInt64)
        case signOutWanted
        case signOutEnded(SessionError?)
        /// The store told of the account's record.
        case hinted(Hint)
        case lookedAgain(Result<(Credential, CredentialVersion)?, SessionError>, epoch: UInt64)
    }

    enum Action {
        case readStore
        case refresh(HeldCredential)
        case signIn
        case cancelSignIn
        case signOut
        case answer(WaiterID, Result<HeldCredential, SessionError>)
        /// An activity ended after a sign-out: what it brought has to go.
        case discard(Credential, CredentialVersion)
        /// Reads the store beside whatever is under way.
        case lookAgain
    }

    mutating func handle(_ event: Event, at now: Date) -> [Action] {
        let actions = follow(event, at: now)
        return hints.isEmpty && hintsMeanwhile.isEmpty ? actions : actions + lookIfDue()
    }

    private mutating func follow(_ event: Event, at now: Date) -> [Action] {
        switch event {
        case .wanted(let id, let want):
            if look == .failed { look = .none }
            if activity == .signingOut { return [.answer(id, .failure(.signedOutMeanwhile))] }
            waiters.append((id, want))
            return activity == .none ? consider(want, at: now) : []
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
            // Whoever came after the cancellation of an abandoned sign-in is served by it all the same.
            guard epoch == self.epoch, activity == .signingIn, !isCancellingSignIn || !waiters.isEmpty else { return [] }
            activity = .exchanging
            isCancellingSignIn = false
            return []
        case .signInEnded(let result, let epoch):
            guard epoch == self.epoch, isSigningIn else {
                // A sign-out waits for the storing, and then deletes and revokes what stands there. So it does for the next case.
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
        case .signOutWanted:
            return beginSignOut()
        case .signOutEnded(let error):
            guard activity == .signingOut else { return [] }
            activity = .none
            knowledge = error == nil ? .signedOut : .unknown
            if error == nil { signedOutBefore = epoch }
            return []
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
        SessionSituation(knowledge: knowledge, activity: activity, problem: problem, nextTry: backOff.nextTry, notice: notice)
    }

    var state: SessionState { situation.state }

    /// The credential that requests may use now without asking the machine.
    var held: HeldCredential? { situation.held }
}
