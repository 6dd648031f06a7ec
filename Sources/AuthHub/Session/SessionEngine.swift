import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Owns the session's machine: performs its actions, feeds the answers back, and keeps the callers that wait.
actor SessionEngine {
    private var machine = SessionMachine()
    private var waiting: [SessionMachine.WaiterID: CheckedContinuation<Result<HeldCredential, SessionError>, Never>] = [:]
    private var nextWaiter: SessionMachine.WaiterID = 0
    private var signInTask: Task<Void, Never>?
    /// The sign-in was told to store what it got: a sign-out deletes that, and not before it stands there.
    private var isStoring = false
    private var finishing = FinishingSignIns()
    private var signOutTask: Task<SignOutReport, Never>?
    private var deletion: Task<CredentialDeletion.Outcome, Never>?
    /// What the sign-out that is under way has done; nil until it is done with everything but opening the gate.
    private var signOutReport: SignOutReport?
    private var endSessionWish = EndSessionWish()
    private var endSessionCallers: UInt64 = 0
    private var endSessionTask: Task<SignOutReport.ServerSession, Never>?
    private var running = 0
    private var needs = SignInNeeds()
    private var waitingForIdle: [CheckedContinuation<Void, Never>] = []

    private let account: CredentialAccount
    private let store: any CredentialStore
    private let signInFlow: SignInFlow
    private let refresher: Refresher
    private let revoker: Revoker
    private let endSessionPage: EndSessionPage
    private let now: @Sendable () -> Date
    private let clock: LoadClock
    private let snapshot: SessionSnapshot

    init(
        account: CredentialAccount, store: any CredentialStore, signInFlow: SignInFlow, refresher: Refresher, revoker: Revoker,
        endSessionPage: EndSessionPage, snapshot: SessionSnapshot, now: @escaping @Sendable () -> Date, clock: LoadClock
    ) {
        self.account = account
        self.store = store
        self.signInFlow = signInFlow
        self.refresher = refresher
        self.revoker = revoker
        self.endSessionPage = endSessionPage
        self.snapshot = snapshot
        self.now = now
        self.clock = clock
    }

    /// Waits until the machine answers; a cancelled caller leaves alone.
    ///
    /// - Parameter held: What the caller was refused with: after a sign-out since, it gets no other, which may be the next person's.
    func wait(
        for want: SessionMachine.Want, insteadOf held: HeldCredential? = nil
    ) async -> Result<HeldCredential, SessionError> {
        if let held, held.epoch != machine.epoch { return .failure(SessionMachine.signedOutMeanwhile) }
        let id = nextWaiter
        nextWaiter += 1
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[id] = continuation
                feed(.wanted(id, want))
                if Task.isCancelled { feed(.left(id)) }
            }
        } onCancel: {
            Task { await self.feed(.left(id)) }
        }
    }

    /// Runs beside the machine's own activity: a page that is shown meanwhile need not be waited for.
    func finishSignIn(_ callback: Secret<String>) async -> Result<Void, SessionError> {
        guard machine.state != .signingOut else { return .failure(SessionMachine.signedOutMeanwhile) }
        let epoch = machine.epoch
        let (number, finish) = finishing.begin { number in Task { await runFinish(callback, as: number, in: epoch) } }
        await run {
            guard case .success(let (credential, version)) = await finish.value else { return nil }
            return .signInFinished(credential, version, epoch: epoch)
        }.value
        finishing.end(number)
        return await finish.value.map { _ in }
    }

    /// A sign-in whose page asks for all of the need, beside what is granted already.
    ///
    /// Where a page that asks for less is being shown, this comes after it; one that is being closed leads to no other first.
    func signIn(for need: AuthorizationNeed) async -> Result<HeldCredential, SessionError> {
        while machine.isSigningIn, !needs.asked.covers(need) {
            let isClosing = machine.isCancellingSignIn
            if case .failure(let error) = await wait(for: isClosing ? .knowledge : .signIn), !isClosing || Task.isCancelled {
                return .failure(error)
            }
        }
        let id = needs.add(need)
        defer { needs.remove(id) }
        return await wait(for: .signIn)
    }

    /// Another credential than the one that was refused, if need be by asking the person; but not twice for the same one.
    ///
    /// - Parameter held: The refused credential; nil where there was none yet.
    func signInAgain(refused held: HeldCredential?) async -> Result<HeldCredential, SessionError> {
        let generation = held?.generation
        if let generation, needs.declined == generation {
            return .failure(SessionError(.signInNeeded, "the person declined to sign in again"))
        }
        needs.refused = generation
        let isHeld = generation != nil && machine.held?.generation == generation
        return await wait(for: isHeld ? .signIn : .credential(refused: generation, mayInteract: true), insteadOf: held)
    }

    /// Resets the session's chain, whose authorizer calls ``forget()`` and ``cleanUp()``. Joins a sign-out that is under way.
    ///
    /// A caller that is cancelled stops none of it but the page it has asked for.
    func signOut(resetting chain: Chain, endingServerSession: Bool) async -> SignOutReport {
        guard endingServerSession else { return await sharedSignOut(resetting: chain, endingServerSessionFor: nil) }
        endSessionCallers += 1
        let caller = endSessionCallers
        return await withTaskCancellationHandler {
            await sharedSignOut(resetting: chain, endingServerSessionFor: caller)
        } onCancel: {
            Task { await self.leaveEndSessionPage(caller) }
        }
    }

    private func sharedSignOut(resetting chain: Chain, endingServerSessionFor caller: UInt64?) async -> SignOutReport {
        while let signOutTask {
            // One that is done but for opening the gate knows nothing of a sign-in that may have followed it.
            let isDone = signOutReport != nil
            if !isDone, let caller { endSessionWish.add(caller) }
            let report = await signOutTask.value
            if !isDone { return report }
        }
        endSessionWish = EndSessionWish()
        if let caller { endSessionWish.add(caller) }
        let task = Task { await self.performSignOut(resetting: chain) }
        signOutTask = task
        run {
            _ = await task.value
            return nil
        }
        return await task.value
    }

    /// Waits until nothing is under way, whether or not the caller is cancelled: every activity has an end of its own.
    func finish() async {
        guard running > 0 else { return }
        await withCheckedContinuation { waitingForIdle.append($0) }
    }

    private func feed(_ event: SessionMachine.Event) {
        if case .signInEnded(.failure(let error), _) = event, error.whoHasToAct == .person { needs.decline(holding: machine.held) }
        let actions = machine.handle(event, at: now())
        snapshot.update(held: machine.held, state: machine.state)
        for action in actions { perform(action) }
    }

    private func perform(_ action: SessionMachine.Action) {
        let epoch = machine.epoch
        switch action {
        case .answer(let id, let result):
            waiting.removeValue(forKey: id)?.resume(returning: result)
        case .readStore:
            run { await .storeAnswered(self.readStore(), epoch: epoch) }
        case .refresh(let held):
            run {
                let outcome = await self.refresher.refresh(held)
                if await !self.isCurrent(epoch), let unsaved = self.refresher.takeUnsaved(replacing: held.version) {
                    await self.revoker.revokeQuietly(unsaved)
                }
                return .refreshEnded(outcome, epoch: epoch)
            }
        case .signIn:
            isStoring = false
            let need = needs.ask(granted: machine.held?.credential.scope)
            let want: SignInFlow.Want = machine.wantsNewSignIn ? .newSignIn : .credential(otherThan: machine.held?.version)
            signInTask = run { await .signInEnded(self.runSignIn(want, for: need, in: epoch), epoch: epoch) }
        case .cancelSignIn:
            signInTask?.cancel()
        case .signOut:
            let storing = isStoring ? signInTask : nil
            let finishes = finishing.storing
            deletion = Task { [account, store, turn = signInFlow.turn, pendingSignIns = signInFlow.pendingSignIns] in
                await storing?.value
                for finish in finishes { _ = await finish.value }
                await turn.giveUp()
                // First: a callback that comes later must find nothing to finish.
                try? await pendingSignIns.removeAll()
                return await CredentialDeletion(account: account, store: store).perform()
            }
        case .discard(let credential, let version):
            run {
                _ = try? await self.store.delete(self.account, at: version)
                await self.revoker.revokeQuietly(credential)
                return nil
            }
        }
    }

    /// Begins work that ``finish()`` waits for, also where the machine does not wait for it any more.
    @discardableResult
    private func run(_ work: @escaping @Sendable () async -> SessionMachine.Event?) -> Task<Void, Never> {
        running += 1
        return Task {
            if let event = await work() { feed(event) }
            running -= 1
            guard running == 0 else { return }
            for continuation in waitingForIdle { continuation.resume() }
            waitingForIdle = []
        }
    }

    private func isCurrent(_ epoch: UInt64) -> Bool { epoch == machine.epoch }

    private func mayStore(in epoch: UInt64) -> Bool {
        // The question of a sign-in that was given up says nothing of the one that is under way now.
        guard isCurrent(epoch) else { return false }
        isStoring = true
        return true
    }

    private func mayStore(finish number: UInt64, in epoch: UInt64) -> Bool {
        guard isCurrent(epoch) else { return false }
        finishing.store(number)
        return true
    }

    private func mayExchange(in epoch: UInt64) -> Bool {
        feed(.codeReceived(epoch: epoch))
        return isCurrent(epoch) && machine.activity == .exchanging
    }

    @concurrent
    private func readStore() async -> Result<(Credential, CredentialVersion)?, SessionError> {
        do {
            return .success(try await store.credential(of: account).map { ($0.credential, $0.version) })
        } catch {
            return .failure(error)
        }
    }

    @concurrent
    private func runSignIn(
        _ want: SignInFlow.Want, for need: AuthorizationNeed, in epoch: UInt64
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        do {
            return .success(
                try await signInFlow.run(
                    want, for: need, mayExchange: { await self.mayExchange(in: epoch) }, isWanted: { await self.mayStore(in: epoch) }))
        } catch {
            return .failure(error)
        }
    }

    @concurrent
    private func runFinish(
        _ callback: Secret<String>, as number: UInt64, in epoch: UInt64
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        do {
            return .success(try await signInFlow.finish(callback, isWanted: { await self.mayStore(finish: number, in: epoch) }))
        } catch {
            return .failure(error)
        }
    }
}

extension SessionEngine {
    /// The first round of a sign-out: whoever waits is answered, and what is stored is deleted. Sends nothing.
    func forget() async throws(SessionError) {
        feed(.signOutWanted)
        if let problem = await deletion?.value.problem { throw problem }
    }

    /// The second one, when the session's loads have ended: what was deleted is revoked, and then the sign-out is told to all.
    func cleanUp() async {
        guard let deletion = await deletion?.value else { return }
        let revocation = await revoker.revoke(deletion, and: refresher.takeUnsaved(), on: clock)
        var report = SignOutReport(revocation: revocation, problem: deletion.problem)
        if deletion.problem == nil { report.serverSession = await endServerSession() }
        self.deletion = nil
        signOutReport = report
        feed(.signOutEnded(deletion.problem))
    }

    private func endServerSession() async -> SignOutReport.ServerSession {
        guard endSessionWish.isThere else { return .notAsked }
        guard endSessionWish.isWanted else { return .cancelled }
        let task = Task { [endSessionPage] in await endSessionPage.show() }
        endSessionTask = task
        defer { endSessionTask = nil }
        return await task.value
    }

    /// The page closes with the last who wants it; where it is not shown yet it will not be.
    private func leaveEndSessionPage(_ caller: UInt64) {
        if endSessionWish.remove(caller), !endSessionWish.isWanted { endSessionTask?.cancel() }
    }

    private func performSignOut(resetting chain: Chain) async -> SignOutReport {
        let reset = await chain.reset(.signOut)
        var report = signOutReport ?? SignOutReport(revocation: .notNeeded, problem: nil)
        report.cancelledLoads = reset.cancelledLoads
        report.abandonedLoads = reset.abandonedLoads
        signOutReport = nil
        signOutTask = nil
        return report
    }
}

/// Who wants the server's page for a sign-out to be shown.
private struct EndSessionWish {
    /// Whether anyone did, cancelled since or not.
    private(set) var isThere = false
    private var callers: Set<UInt64> = []

    var isWanted: Bool { !callers.isEmpty }

    /// Takes the caller whose task this is, unless it is cancelled already.
    mutating func add(_ caller: UInt64) {
        isThere = true
        if !Task.isCancelled { callers.insert(caller) }
    }

    /// - Returns: Whether the caller was one of them.
    mutating func remove(_ caller: UInt64) -> Bool { callers.remove(caller) != nil }
}
