import CredentialStorage
import HTTPLoading
import Platform
import Synchronization
import WebAuthentication

/// A sign-in in progress.
private struct RunningSignIn {
    let task: Task<Void, Never>
    /// nil if the sign-in shows no page.
    let page: ShownPage?
    /// Whether the sign-in was allowed to store its tokens. A sign-out waits until they are stored, and then deletes them.
    var isStoring = false
}

/// Owns the session's machine: performs its actions, feeds the results back, and holds the continuations of the waiting callers.
actor SessionEngine {
    var machine: SessionMachine
    /// The sign-ins in progress, with or without a page. A finished one is removed, because its task would keep the memory of its stack.
    private var signIns: [UInt64: RunningSignIn] = [:]
    private var nextSignIn: UInt64 = 0
    /// The sign-in that the machine began last. Cancelling it does not cancel sign-ins that are finished by a callback.
    private(set) var machineSignIn: UInt64?
    /// The sign-out in progress, until the gates of all its chains are open again.
    var signOut: RunningSignOut?
    /// Chains of the app that are reset with a sign-out, and whose reset signs out.
    nonisolated let attachedChains = AttachedChains()
    /// The sign-outs that resets of attached chains began or joined, until these resets clean up.
    var signOutsOfChains: [ObjectIdentifier: Task<SignOutReport, Never>] = [:]
    private var waiting: [SessionMachine.WaiterID: CheckedContinuation<Result<HeldCredential, SessionError>, Never>] = [:]
    private var nextWaiter: SessionMachine.WaiterID = 0
    private var running = 0
    var listening: StoreChanges.Listening?
    /// The current re-read of the store after a hint.
    private(set) var look: Task<Void, Never>?
    /// Whether the session has read the store or begun a sign-in.
    var hasBegun = false
    private var waitingForIdle: [CheckedContinuation<Void, Never>] = []

    nonisolated let configuration: SharedConfiguration
    nonisolated let snapshot = SessionSnapshot()
    private let label: String
    lazy var refresher = configuration.refresher(of: account)
    private lazy var signInTurn = configuration.signInTurn(of: account)

    init(_ configuration: SharedConfiguration, label: String) {
        self.configuration = configuration
        self.label = label
        machine = SessionMachine(needsUser: configuration.grant.needsPerson)
    }

    nonisolated var account: CredentialAccount { configuration.account(label) }
    private nonisolated var store: any CredentialStore { configuration.store }
    var signInFlow: SignInFlow { configuration.signInFlow(of: account, turn: signInTurn) }

    /// Waits until the machine has a result. A cancelled caller leaves without affecting the others.
    ///
    /// - Parameter held: The credential that was rejected. If there was a sign-out since, the caller gets no other credential, because it
    ///   might belong to the next user.
    func wait(
        for want: SessionMachine.Want, insteadOf held: HeldCredential? = nil
    ) async -> Result<HeldCredential, SessionError> {
        await wait(insteadOf: held) { .wanted($0, want) }
    }

    /// The same for a request whose token was rejected and for which a refresh does not help: waits for another token, if necessary from a
    /// sign-in.
    func signInAgain(refused held: HeldCredential?) async -> Result<HeldCredential, SessionError> {
        await wait(insteadOf: held) { .signInAgainWanted($0, refused: held?.generation) }
    }

    private func wait(
        insteadOf held: HeldCredential?, _ event: (SessionMachine.WaiterID) -> SessionMachine.Event
    ) async -> Result<HeldCredential, SessionError> {
        if let problem = configuration.server.problem { return .failure(problem) }
        if let held, held.epoch != machine.epoch { return .failure(SessionError.signedOutMeanwhile) }
        let id = newWaiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[id] = continuation
                feed(event(id))
                if Task.isCancelled { feed(.left(id)) }
            }
        } onCancel: {
            Task { await self.feed(.left(id)) }
        }
    }

    func newWaiter() -> SessionMachine.WaiterID {
        defer { nextWaiter += 1 }
        return nextWaiter
    }

    /// Waits until there is no activity, even if the caller is cancelled: every activity ends by itself. A refresh that still waits for
    /// another process has sent nothing, and is stopped.
    func finish() async {
        refresher.giveUpWaiting()
        guard running > 0 else { return }
        await withCheckedContinuation { waitingForIdle.append($0) }
    }

    /// Obtains an access token with less access. Once the request has been sent, a cancelled caller waits for the response, too, because it
    /// may contain a new refresh token.
    func narrowedToken(_ access: NarrowedAccess) async throws(SessionError) -> AccessToken {
        let refresher = refresher
        let work = Task { () async -> Result<AccessToken, SessionError> in
            do throws(SessionError) {
                return .success(try await refresher.narrowedToken(access))
            } catch {
                return .failure(error)
            }
        }
        return try await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            refresher.giveUpWaiting()
        }.get()
    }

    func feed(_ event: SessionMachine.Event) {
        listen(because: event)
        let actions = machine.handle(event, at: configuration.now())
        snapshot.update(machine.situation)
        for action in actions { perform(action) }
        if !machine.isLooking { look = nil }
    }

    private func perform(_ action: SessionMachine.Action) {
        let epoch = machine.epoch
        switch action {
        case .answer(let id, let result):
            waiting.removeValue(forKey: id)?.resume(returning: result)
        case .readStore:
            let isFirst = begins()
            run {
                let answer = await self.readStore()
                if isFirst, case .success(nil) = answer { try? await self.finishEarlierSignOut(isLast: false) }
                return .storeAnswered(answer, epoch: epoch)
            }
        case .refresh(let held, let isRejected):
            run { [refresher] in
                let outcome = await refresher.refresh(held, isRejected: isRejected) { await self.isUnsavedWanted(in: epoch) }
                return .refreshEnded(outcome, epoch: epoch)
            }
        case .signIn(let isNew, let need):
            let id = newSignIn()
            let want: SignInFlow.Want = isNew ? .newSignIn : .credential(otherThan: machine.held?.version)
            let isSignedOut = machine.held == nil
            hasBegun = true
            machineSignIn = id
            let page = ShownPage()
            run(signIn: id, on: page) {
                if isSignedOut {
                    do throws(SessionError) {
                        try await self.finishEarlierSignOut(isLast: true)
                    } catch {
                        return .signInEnded(.failure(error), epoch: epoch)
                    }
                }
                return .signInEnded(await self.runSignIn(id, want, for: need, on: page, in: epoch), epoch: epoch)
            }
        case .cancelSignIn:
            if let machineSignIn { signIns[machineSignIn]?.task.cancel() }
        case .deleteStored:
            let deletion = deletion(after: signIns.values.filter(\.isStoring).map(\.task))
            signOut?.deletion = deletion
            signOut?.reported = run { await self.deletionEnded(deletion.value.problem) }
        case .giveUpDeletion:
            signOut?.deletion?.cancel()
        case .revokeDeleted:
            run {
                await self.revokeDeleted()
                return .revocationEnded
            }
        case .showSignOutPage:
            let page = Task { [configuration, deletion = signOut?.deletion] in
                let deleted = await deletion?.value.found
                return await configuration.endSessionPage?.show(hinting: try? deleted?.get()?.idToken) ?? .notOffered
            }
            signOut?.page = page
            run {
                await self.showed(page)
                return .signOutPageEnded
            }
        case .closeSignOutPage:
            signOut?.page?.cancel()
        case .endSignOut(let isPageAbandoned):
            signOut?.end(isPageAbandoned: isPageAbandoned)
        case .discard(let credential, let version):
            run {
                _ = try? await self.store.delete(self.account, at: version)
                await self.configuration.revoker.revokeQuietly(credential)
                return nil
            }
        case .lookAgain:
            look = run { await .lookedAgain(self.readStore(), epoch: epoch) }
        }
    }

    private func deletion(after storing: [Task<Void, Never>]) -> Task<CredentialDeletion.Outcome, Never> {
        Task { [account, store, logger = configuration.logger, turn = signInFlow.turn, wait = signOut?.lockWait] in
            for signIn in storing { await signIn.value }
            await turn.giveUp()
            return await LockWait.$current.withValue(wait) {
                await CredentialDeletion(account: account, store: store, logger: logger).perform()
            }
        }
    }

    /// Starts work that ``finish()`` waits for, even if the machine no longer waits for it.
    @discardableResult
    func run(
        endingSignIn id: UInt64? = nil, _ work: @escaping @Sendable () async -> SessionMachine.Event?
    ) -> Task<Void, Never> {
        running += 1
        return Task {
            let event = await work()
            if let id { signIns[id] = nil }
            if let event { feed(event) }
            running -= 1
            guard running == 0 else { return }
            for continuation in waitingForIdle { continuation.resume() }
            waitingForIdle = []
        }
    }

    func newSignIn() -> UInt64 {
        defer { nextSignIn += 1 }
        return nextSignIn
    }

    /// Starts the work of a sign-in, with or without its own page.
    @discardableResult
    func run(
        signIn id: UInt64, on page: ShownPage? = nil, _ work: @escaping @Sendable () async -> SessionMachine.Event?
    ) -> Task<Void, Never> {
        let task = run(endingSignIn: id, work)
        signIns[id] = RunningSignIn(task: task, page: page)
        return task
    }

    /// The attempt that shows the page of the sign-in that the machine began last.
    var shownPage: (any WebAuthenticationAttempt)? {
        machineSignIn.flatMap { signIns[$0]?.page }?.attempt.withLock { $0 }
    }

    /// Whether a sign-in may store its tokens. One of an earlier epoch may not, and it does not delay the current sign-out.
    func mayStore(_ id: UInt64, in epoch: UInt64) -> Bool {
        guard isCurrent(epoch) else { return false }
        signIns[id]?.isStoring = true
        return true
    }

    func isCurrent(_ epoch: UInt64) -> Bool { epoch == machine.epoch }

    @concurrent
    private func readStore() async -> Result<(Credential, CredentialVersion)?, SessionError> {
        do {
            return .success(try await store.credential(of: account).map { ($0.credential, $0.version) })
        } catch {
            return .failure(error)
        }
    }
}
