import CredentialStorage
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
    private var signOutTask: Task<SignOutReport, Never>?
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

    /// Deletes the credential first and revokes afterwards, so that a crash in between leaves the person signed out.
    func signOut() async -> SignOutReport {
        feed(.signOutWanted)
        guard let signOutTask else { return SignOutReport(revocation: .notNeeded, problem: nil) }
        return await signOutTask.value
    }

    /// Waits until nothing is under way, whether or not the caller is cancelled: every activity has an end of its own.
    func finish() async {
        if let signOutTask { _ = await signOutTask.value }
        guard !machine.isIdle else { return }
        await withCheckedContinuation { waitingForIdle.append($0) }
    }

    private func feed(_ event: SessionMachine.Event) {
        let actions = machine.handle(event, at: now())
        snapshot.update(held: machine.held, state: machine.state)
        for action in actions { perform(action) }
        guard machine.isIdle else { return }
        for continuation in waitingForIdle { continuation.resume() }
        waitingForIdle = []
    }

    private func perform(_ action: SessionMachine.Action) {
        let epoch = machine.epoch
        switch action {
        case .answer(let id, let result):
            waiting.removeValue(forKey: id)?.resume(returning: result)
        case .readStore:
            Task { feed(.storeAnswered(await readStore(), epoch: epoch)) }
        case .refresh(let held):
            Task { feed(.refreshEnded(await refresher.refresh(held), epoch: epoch)) }
        case .signIn:
            signInTask = Task { feed(.signInEnded(await runSignIn(), epoch: epoch)) }
        case .cancelSignIn:
            signInTask?.cancel()
        case .signOut:
            signOutTask = Task { await performSignOut() }
        case .discard(let credential, let version):
            Task {
                _ = try? await store.delete(account, at: version)
                await revoker.revokeQuietly(credential)
            }
        }
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
    private func runSignIn() async -> Result<(Credential, CredentialVersion), SessionError> {
        do {
            return .success(try await signInFlow.run())
        } catch {
            return .failure(error)
        }
    }

    private func performSignOut() async -> SignOutReport {
        let (credential, problem) = await forget()
        feed(.signOutEnded(problem))
        signOutTask = nil
        guard problem == nil, let credential else { return SignOutReport(revocation: .notNeeded, problem: problem) }
        do {
            let isRevoked = try await revoker.revoke(credential)
            return SignOutReport(revocation: isRevoked ? .done : .notOffered, problem: nil)
        } catch {
            return SignOutReport(revocation: .failed(error), problem: nil)
        }
    }

    /// Deletes what is stored, readable or not; what could be read is returned for its revocation.
    @concurrent
    private func forget() async -> (Credential?, SessionError?) {
        let credential = try? await store.credential(of: account)?.credential
        do {
            try await store.delete(account, at: nil)
            return (credential, nil)
        } catch {
            return (nil, SessionError(error))
        }
    }
}
