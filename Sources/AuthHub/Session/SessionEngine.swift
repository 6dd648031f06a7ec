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
    private var signOutTask: Task<SignOutReport, Never>?
    private var deletion: Task<CredentialDeletion.Outcome, Never>?
    /// What the sign-out that is under way has done; nil until it is done with everything but opening the gate.
    private var signOutReport: SignOutReport?
    private var endSessionWish = EndSessionWish.none
    private var endSessionTask: Task<SignOutReport.ServerSession, Never>?
    private var running = 0
    private lazy var needs = SignInNeeds()
    private var waitingForIdle: [CheckedContinuation<Void, Never>] = []

    nonisolated let settings: OAuthSession.Settings
    nonisolated let snapshot = SessionSnapshot()
    private let label: String
    private lazy var refresher = settings.refresher(of: account)
    private lazy var signInTurn = settings.signInTurn(of: account)

    init(_ settings: OAuthSession.Settings, label: String) {
        self.settings = settings
        self.label = label
    }

    nonisolated var account: CredentialAccount { settings.account(label) }
    private nonisolated var store: any CredentialStore { settings.store }
    private var signInFlow: SignInFlow { settings.signInFlow(of: account, turn: signInTurn) }

    /// Waits until the machine answers; a cancelled caller leaves alone.
    func wait(for want: SessionMachine.Want) async -> Result<HeldCredential, SessionError> {
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
        guard machine.state != .signingOut else {
            return .failure(SessionError(.cancelledByProgram, "the session was signed out meanwhile"))
        }
        let epoch = machine.epoch
        let finishing = Task { await runFinish(callback, in: epoch) }
        await run {
            guard case .success(let (credential, version)) = await finishing.value else { return nil }
            return .signInFinished(credential, version, epoch: epoch)
        }.value
        return await finishing.value.map { _ in }
    }

    /// A sign-in whose page asks for all of the need, beside what is granted already.
    ///
    /// Where a page that asks for less is being shown, this comes after it.
    func signIn(for need: AuthorizationNeed) async -> Result<HeldCredential, SessionError> {
        while machine.isSigningIn, !needs.asked.covers(need) {
            if case .failure(let error) = await wait(for: .signIn) { return .failure(error) }
        }
        let id = needs.add(need)
        defer { needs.remove(id) }
        return await wait(for: .signIn)
    }

    /// Another credential than the one that was refused, if need be by asking the person; but not twice for the same one.
    ///
    /// - Parameter generation: The refused credential's; nil where there was none yet.
    func signInAgain(refused generation: UInt64?) async -> Result<HeldCredential, SessionError> {
        if let generation, needs.declined == generation {
            return .failure(SessionError(.signInNeeded, "the person declined to sign in again"))
        }
        needs.refused = generation
        let isHeld = generation != nil && machine.held?.generation == generation
        return await wait(for: isHeld ? .signIn : .credential(refused: generation, mayInteract: true))
    }

    /// Resets the session's chain, whose authorizer calls ``forget()`` and ``cleanUp()``. Joins a sign-out that is under way.
    ///
    /// A caller that is cancelled stops none of it but the page it has asked for.
    func signOut(resetting chain: Chain, endingServerSession: Bool) async -> SignOutReport {
        guard endingServerSession else { return await sharedSignOut(resetting: chain, endingServerSession: false) }
        return await withTaskCancellationHandler {
            await sharedSignOut(resetting: chain, endingServerSession: true)
        } onCancel: {
            Task { await self.closeEndSessionPage() }
        }
    }

    private func sharedSignOut(resetting chain: Chain, endingServerSession: Bool) async -> SignOutReport {
        while let signOutTask {
            // One that is done but for opening the gate knows nothing of a sign-in that may have followed it.
            let isDone = signOutReport != nil
            if !isDone, endingServerSession { endSessionWish = .ofCaller }
            let report = await signOutTask.value
            if !isDone { return report }
        }
        endSessionWish = endingServerSession ? .ofCaller : .none
        let task = Task { await self.performSignOut(resetting: chain) }
        signOutTask = task
        run {
            _ = await task.value
            return nil
        }
        return await task.value
    }

    /// Waits until nothing is under way, whether or not the caller is cancelled: every activity has an end of its own. A refresh that still
    /// waits for another process has sent nothing, and is given up.
    func finish() async {
        refresher.giveUpWaiting()
        guard running > 0 else { return }
        await withCheckedContinuation { waitingForIdle.append($0) }
    }

    private func feed(_ event: SessionMachine.Event) {
        if case .signInEnded(.failure(let error), _) = event, error.whoHasToAct == .person { needs.decline(holding: machine.held) }
        let actions = machine.handle(event, at: settings.now())
        snapshot.update(machine.situation)
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
            run { [refresher] in await .refreshEnded(refresher.refresh(held), epoch: epoch) }
        case .signIn:
            isStoring = false
            let need = needs.ask(granted: machine.held?.credential.scope)
            let want: SignInFlow.Want = machine.wantsNewSignIn ? .newSignIn : .credential(otherThan: machine.held?.version)
            signInTask = run { await .signInEnded(self.runSignIn(want, for: need, in: epoch), epoch: epoch) }
        case .cancelSignIn:
            signInTask?.cancel()
        case .signOut:
            let storing = isStoring ? signInTask : nil
            deletion = Task { [account, store, turn = signInFlow.turn, pendingSignIns = signInFlow.pendingSignIns] in
                await storing?.value
                await turn.giveUp()
                // First: a callback that comes later must find nothing to finish.
                try? await pendingSignIns.removeAll()
                return await CredentialDeletion(account: account, store: store).perform()
            }
        case .discard(let credential, let version):
            run {
                _ = try? await self.store.delete(self.account, at: version)
                await self.settings.revoker.revokeQuietly(credential)
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
        isStoring = isCurrent(epoch)
        return isStoring
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
        _ callback: Secret<String>, in epoch: UInt64
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        do {
            return .success(try await signInFlow.finish(callback, isWanted: { await self.isCurrent(epoch) }))
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
        let revocation = await settings.revoker.revoke(deletion, and: refresher.takeUnsaved(), on: settings.clock)
        var report = SignOutReport(revocation: revocation, problem: deletion.problem)
        if deletion.problem == nil { report.serverSession = await endServerSession() }
        self.deletion = nil
        signOutReport = report
        feed(.signOutEnded(deletion.problem))
    }

    private func endServerSession() async -> SignOutReport.ServerSession {
        switch endSessionWish {
        case .none: return .notAsked
        case .cancelled: return .cancelled
        case .wanted: break
        }
        let task = Task { [settings] in await settings.endSessionPage.show() }
        endSessionTask = task
        defer { endSessionTask = nil }
        return await task.value
    }

    /// Where the page is not shown yet it will not be.
    private func closeEndSessionPage() {
        endSessionTask?.cancel()
        endSessionWish = .cancelled
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

/// Whether a sign-out shows the server's page for it.
private enum EndSessionWish {
    case none, wanted, cancelled

    /// That of the current task.
    static var ofCaller: Self { Task.isCancelled ? .cancelled : .wanted }
}
