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

    private(set) var knowledge = Knowledge.unknown
    private(set) var activity = Activity.none
    /// Nobody waits for the sign-in any more: whoever comes before it has ended is not told of that cancellation.
    private(set) var isCancellingSignIn = false
    private(set) var waiters: [(id: WaiterID, want: Want)] = []
    private(set) var backOff = RefreshBackOff()
    /// Why the last refresh or sign-in failed, or the session was ended, for people.
    private(set) var problem: SessionError?
    private var generation: UInt64 = 0
    /// Counts sign-outs: what an activity of an earlier epoch brings is not taken.
    private(set) var epoch: UInt64 = 0

    /// Whether someone waits for a sign-in of their own making, whatever is stored.
    var wantsNewSignIn: Bool { waiters.contains { $0.want == .signIn } }

    /// Whether nothing is under way.
    var isIdle: Bool { activity == .none }

    /// Whether a page is shown, or the code it brought is on its way.
    var isSigningIn: Bool { activity == .signingIn || activity == .exchanging }

    typealias WaiterID = UInt64

    /// What a caller waits for.
    enum Want: Hashable {
        /// A credential that lives this much longer, and is not the one that a server refused.
        case credential(minimumLifetime: Double = 0, refused: UInt64? = nil, mayInteract: Bool)
        /// A credential newer than the one there is, however long that would live; asked for by the program, so tried at once.
        case renewal
        /// A new sign-in, whatever is known.
        case signIn
        /// What is stored, as it is.
        case knowledge
    }

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
    }

    mutating func handle(_ event: Event, at now: Date) -> [Action] {
        switch event {
        case .wanted(let id, let want):
            if activity == .signingOut { return [.answer(id, .failure(Self.signedOutMeanwhile))] }
            waiters.append((id, want))
            return activity == .none ? consider(want, at: now) : []
        case .left(let id):
            return leave(id)
        case .storeAnswered(let answer, let epoch):
            guard epoch == self.epoch, activity == .reading else { return [] }
            activity = .none
            return take(answer, at: now)
        case .refreshEnded(let outcome, let epoch):
            guard epoch == self.epoch, activity == .refreshing else { return [] }
            activity = .none
            return take(outcome, at: now)
        case .codeReceived(let epoch):
            // Whoever came after the cancellation of an abandoned sign-in is served by it all the same.
            guard epoch == self.epoch, activity == .signingIn, !isCancellingSignIn || !waiters.isEmpty else { return [] }
            activity = .exchanging
            isCancellingSignIn = false
            return []
        case .signInEnded(let result, let epoch):
            guard epoch == self.epoch, isSigningIn else {
                // A sign-out waits for the storing, and then deletes and revokes what stands there.
                if activity == .signingOut { return [] }
                if case .success(let (credential, version)) = result { return [.discard(credential, version)] }
                return []
            }
            activity = .none
            return take(result, at: now)
        case .signInFinished(let credential, let version, let epoch):
            guard epoch == self.epoch, activity != .signingOut else { return [.discard(credential, version)] }
            return takeFinished(credential, version, at: now)
        case .signOutWanted:
            return beginSignOut()
        case .signOutEnded(let error):
            guard activity == .signingOut else { return [] }
            activity = .none
            knowledge = error == nil ? .signedOut : .unknown
            return []
        }
    }
}

extension SessionMachine {
    var situation: SessionSituation {
        SessionSituation(knowledge: knowledge, activity: activity, problem: problem, nextTry: backOff.nextTry)
    }

    var state: SessionState { situation.state }

    /// The credential that requests may use now without asking the machine.
    var held: HeldCredential? { situation.held }
}

extension SessionMachine {
    /// Where no credential is held, or it cannot be renewed yet, the store is asked each time: another process may have done more.
    private mutating func consider(_ want: Want, at now: Date) -> [Action] {
        guard case .signedIn(let held) = knowledge else {
            return want == .signIn ? begin(.signingIn, .signIn) : begin(.reading, .readStore)
        }
        let isHeldBack = held.isRenewable(at: now) && backOff.problem(at: now) != nil
        let isSettled = waiters.allSatisfy { held.satisfies($0.want, at: now) } || waiters.contains { $0.want.isExplicit }
        return isHeldBack && !isSettled ? begin(.reading, .readStore) : settle(at: now)
    }

    /// Answers the waiters that can be answered by what is known, and begins one activity for the others.
    private mutating func settle(at now: Date) -> [Action] {
        guard !waiters.isEmpty else { return [] }
        switch knowledge {
        case .unknown, .signedOut:
            return settleWithoutCredential()
        case .signedIn(let held):
            var actions = answer(.success(held)) { held.satisfies($0, at: now) }
            if waiters.isEmpty { return actions }
            if waiters.contains(where: { $0.want == .signIn }) {
                actions += begin(.signingIn, .signIn)
            } else if held.isRenewable(at: now) {
                if let error = backOff.problem(at: now), !waiters.contains(where: { $0.want.isExplicit }) {
                    actions += settleHeldBack(held, because: error, at: now)
                } else {
                    actions += begin(.refreshing, .refresh(held))
                }
            } else if !held.credential.isExpired(at: now) {
                actions += settleUnrenewable(held)
            } else {
                actions += settleWithoutCredential()
            }
            return actions
        }
    }

    private mutating func begin(_ activity: Activity, _ action: Action) -> [Action] {
        self.activity = activity
        isCancellingSignIn = false
        if held == nil, activity == .signingIn { problem = nil }
        return [action]
    }

    private mutating func settleWithoutCredential() -> [Action] {
        let error = SessionError(.signInNeeded, "nobody is signed in")
        let refusals = answer(.failure(error)) { !$0.allowsSignIn }
        return waiters.isEmpty ? refusals : refusals + begin(.signingIn, .signIn)
    }

    /// A token that lives, cannot be renewed, and does not satisfy: who wants it to live longer gets what there is.
    private mutating func settleUnrenewable(_ held: HeldCredential) -> [Action] {
        let error = SessionError(.signInNeeded, "the access token cannot be renewed, and is refused by the server or not wanted any more")
        return answer(.failure(error)) { $0.refuses(held) } + answer(.success(held)) { _ in true }
    }

    /// A refresh has failed, and it is too soon for another: the token to its end, and then the error.
    private mutating func settleHeldBack(_ held: HeldCredential, because error: SessionError, at now: Date) -> [Action] {
        let lives = !held.credential.isExpired(at: now)
        return answer(.success(held)) { $0 == .knowledge || (lives && $0 != .signIn && !$0.refuses(held)) }
            + answer(.failure(error)) { $0 != .signIn }
    }

    private mutating func take(_ answer: Result<(Credential, CredentialVersion)?, SessionError>, at now: Date) -> [Action] {
        switch answer {
        case .success(let (credential, version)?):
            know(credential, version)
        case .success(nil):
            forget(because: held == nil ? problem : nil)
        case .failure(let error):
            if case .signedIn(let held) = knowledge { return settleHeldBack(held, because: error, at: now) + settleSignIns() }
            return self.answer(.failure(error)) { $0 != .signIn } + settleSignIns()
        }
        return settle(at: now)
    }

    private mutating func take(_ outcome: RefreshOutcome, at now: Date) -> [Action] {
        var actions: [Action]
        switch outcome {
        case .renewed(let credential, let version):
            let held = know(credential, version)
            problem = nil
            backOff = RefreshBackOff()
            if held.credential.isExpired(at: now) {
                problem = Self.endedBeforeUse
                backOff.failed(Self.endedBeforeUse, at: now)
                actions = settleHeldBack(held, because: Self.endedBeforeUse, at: now)
            } else {
                actions = answer(.success(held)) { $0 != .signIn }
            }
        case .signedOut(let error):
            // Signed out by another session is no problem: the person did that.
            forget(because: error.serverError == nil ? nil : error)
            actions = answer(.failure(error)) { $0 != .signIn }
        case .failed(let error):
            problem = error
            backOff.failed(error, at: now)
            guard case .signedIn(let held) = knowledge else { return answer(.failure(error)) { _ in true } }
            actions = settleHeldBack(held, because: error, at: now)
        }
        return actions + settleSignIns()
    }

    private mutating func take(_ result: Result<(Credential, CredentialVersion), SessionError>, at now: Date) -> [Action] {
        switch result {
        case .success(let (credential, version)):
            let held = know(credential, version)
            let lives = !held.credential.isExpired(at: now)
            let actions = answer(.success(held)) { lives || $0 == .signIn || $0 == .knowledge }
            if held.isRenewable(at: now) { return actions + settle(at: now) }
            return actions + answer(.failure(Self.endedBeforeUse)) { _ in true }
        case .failure(let error):
            if held == nil, error.code != .cancelledByProgram { problem = error }
            let isAbandoned = isCancellingSignIn && error.code == .cancelledByProgram
            let goesOn = held.map { $0.isRenewable(at: now) || !$0.credential.isExpired(at: now) } ?? false
            let told = isAbandoned ? [] : answer(.failure(error)) { $0 == .signIn || ($0.allowsSignIn && !goesOn) }
            return told + (waiters.first.map { consider($0.want, at: now) } ?? [])
        }
    }

    /// What is being read may be older than this. A refresh finds it in the store; a page that is shown goes on for who asked for it.
    private mutating func takeFinished(_ credential: Credential, _ version: CredentialVersion, at now: Date) -> [Action] {
        let held = know(credential, version)
        switch activity {
        case .none, .reading:
            activity = .none
            return settle(at: now)
        case .signingIn:
            let answers = answer(.success(held)) { $0 != .signIn }
            guard waiters.isEmpty, !answers.isEmpty else { return answers }
            isCancellingSignIn = true
            return answers + [.cancelSignIn]
        case .exchanging:
            return answer(.success(held)) { $0 != .signIn }
        case .refreshing, .signingOut:
            return []
        }
    }

    private mutating func settleSignIns() -> [Action] {
        waiters.isEmpty ? [] : begin(.signingIn, .signIn)
    }

    private mutating func beginSignOut() -> [Action] {
        guard activity != .signingOut else { return [] }
        epoch += 1
        forget(because: nil)
        let cancellation: [Action] = activity == .signingIn ? [.cancelSignIn] : []
        let answers = answer(.failure(Self.signedOutMeanwhile)) { _ in true }
        return answers + cancellation + begin(.signingOut, .signOut)
    }

    /// A caller that left costs the others nothing; a sign-in that nobody waits for any more is ended.
    private mutating func leave(_ id: WaiterID) -> [Action] {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return [] }
        waiters.remove(at: index)
        let error = SessionError(.cancelledByProgram, "the caller's task was cancelled")
        var actions: [Action] = [.answer(id, .failure(error))]
        if activity == .signingIn, waiters.isEmpty {
            isCancellingSignIn = true
            actions.append(.cancelSignIn)
        }
        return actions
    }

    private mutating func answer(
        _ result: Result<HeldCredential, SessionError>, where isAnswered: (Want) -> Bool
    ) -> [Action] {
        let answered = waiters.filter { isAnswered($0.want) }
        waiters.removeAll { isAnswered($0.want) }
        return answered.map { .answer($0.id, result) }
    }

    /// A credential that is held already keeps its generation, so that a late refusal of an older one is seen as that. Another ends the
    /// wait that a failed refresh has begun.
    @discardableResult
    private mutating func know(_ credential: Credential, _ version: CredentialVersion) -> HeldCredential {
        if case .signedIn(let held) = knowledge, held.version == version { return held }
        generation += 1
        let held = HeldCredential(credential: credential, version: version, generation: generation)
        knowledge = .signedIn(held)
        problem = nil
        backOff = RefreshBackOff()
        return held
    }

    private mutating func forget(because error: SessionError?) {
        knowledge = .signedOut
        problem = error
        backOff = RefreshBackOff()
    }

    /// The device slept, or the server's lifetimes are of no use. Asking again at once could go on for ever.
    private static var endedBeforeUse: SessionError {
        SessionError(.serverMisbehaved, "the access token had ended before it could be used")
    }

    private static var signedOutMeanwhile: SessionError {
        SessionError(.cancelledByProgram, "the session was signed out meanwhile")
    }
}

extension SessionMachine.Want {
    fileprivate var allowsSignIn: Bool {
        switch self {
        case .credential(_, _, let mayInteract): mayInteract
        case .signIn: true
        case .renewal, .knowledge: false
        }
    }

    /// Whether the program itself asks, so that no earlier failure holds it back.
    fileprivate var isExplicit: Bool { self == .renewal || self == .signIn }

    fileprivate func refuses(_ held: HeldCredential) -> Bool {
        switch self {
        case .credential(_, let refused, _): refused == held.generation
        case .renewal: true
        case .signIn, .knowledge: false
        }
    }
}

extension HeldCredential {
    fileprivate func satisfies(_ want: SessionMachine.Want, at now: Date) -> Bool {
        switch want {
        case .signIn, .renewal: return false
        case .knowledge: return true
        case .credential(let minimumLifetime, let refused, _):
            return refused != generation && isFresh(at: now, for: minimumLifetime)
        }
    }

    fileprivate func isRenewable(at now: Date) -> Bool {
        credential.refreshToken != nil && credential.refreshTokenExpiresAt.map { now < $0 } ?? true
    }
}
