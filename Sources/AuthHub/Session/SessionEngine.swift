import CredentialStorage
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
    private var running = 0
    private var needs = SignInNeeds()
    private var waitingForIdle: [CheckedContinuation<Void, Never>] = []

    private let account: CredentialAccount
    private let store: any CredentialStore
    private let signInFlow: SignInFlow
    private let refresher: Refresher
    private let revoker: Revoker
    private let now: @Sendable () -> Date
    private let snapshot: SessionSnapshot

    init(
        account: CredentialAccount, store: any CredentialStore, signInFlow: SignInFlow, refresher: Refresher, revoker: Revoker,
        snapshot: SessionSnapshot, now: @escaping @Sendable () -> Date
    ) {
        self.account = account
        self.store = store
        self.signInFlow = signInFlow
        self.refresher = refresher
        self.revoker = revoker
        self.snapshot = snapshot
        self.now = now
    }

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
        let isHeld = generation != nil && machine.held?.generation == generation
        let result = await wait(for: isHeld ? .signIn : .credential(refused: generation, mayInteract: true))
        if let generation, case .failure(let error) = result, error.whoHasToAct == .person { needs.declined = generation }
        return result
    }

    /// Deletes the credential first and revokes afterwards, so that a crash in between leaves the person signed out.
    func signOut() async -> SignOutReport {
        feed(.signOutWanted)
        guard let signOutTask else { return SignOutReport(revocation: .notNeeded, problem: nil) }
        return await signOutTask.value
    }

    /// Waits until nothing is under way, whether or not the caller is cancelled: every activity has an end of its own.
    func finish() async {
        guard running > 0 else { return }
        await withCheckedContinuation { waitingForIdle.append($0) }
    }

    private func feed(_ event: SessionMachine.Event) {
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
            run { await .refreshEnded(self.refresher.refresh(held), epoch: epoch) }
        case .signIn:
            isStoring = false
            let need = needs.ask(granted: machine.held?.credential.scope)
            signInTask = run { await .signInEnded(self.runSignIn(for: need, in: epoch), epoch: epoch) }
        case .cancelSignIn:
            signInTask?.cancel()
        case .signOut:
            let storing = isStoring ? signInTask : nil
            let task = Task {
                await storing?.value
                return await performSignOut()
            }
            signOutTask = task
            run {
                _ = await task.value
                return nil
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
    private func runSignIn(for need: AuthorizationNeed, in epoch: UInt64) async -> Result<(Credential, CredentialVersion), SessionError> {
        do {
            return .success(
                try await signInFlow.run(
                    for: need, mayExchange: { await self.mayExchange(in: epoch) }, isWanted: { await self.mayStore(in: epoch) }))
        } catch {
            return .failure(error)
        }
    }

    private func performSignOut() async -> SignOutReport {
        let (found, problem) = await forget()
        feed(.signOutEnded(problem))
        signOutTask = nil
        if let unsaved = refresher.takeUnsaved() { await revoker.revokeQuietly(unsaved) }
        do {
            guard problem == nil, let credential = try found.get() else { return SignOutReport(revocation: .notNeeded, problem: problem) }
            let isRevoked = try await revoker.revoke(credential)
            return SignOutReport(revocation: isRevoked ? .done : .notOffered, problem: nil)
        } catch {
            return SignOutReport(revocation: .failed(error), problem: nil)
        }
    }

    /// Deletes what is stored, readable or not; what could be read is returned for its revocation.
    @concurrent
    private func forget() async -> (found: Result<Credential?, SessionError>, problem: SessionError?) {
        var found = await readStore()
        do throws(CredentialStoreError) {
            for _ in 0..<8 {
                guard case .success(let stored) = found else { break }
                guard let (credential, version) = stored else { return (.success(nil), nil) }
                if try await store.delete(account, at: version) { return (.success(credential), nil) }
                // A refresh was faster: its tokens are the ones to revoke.
                found = await readStore()
            }
            try await store.delete(account, at: nil)
            return (found.map { $0?.0 }, nil)
        } catch {
            return (.success(nil), SessionError(error))
        }
    }
}
