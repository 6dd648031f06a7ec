import CredentialStorage
import HTTPLoading

/// A sign-out in progress. A class, so that a session without one needs only the memory of a reference.
final class RunningSignOut {
    /// The task-local value of the caller that began it, which a reset does not pass on.
    let lockWait = LockWait.current
    let task: Task<SignOutReport, Never>
    /// The reset of the session's own chain, which waits for no other chain.
    let ownReset: Task<ResetReport, Never>
    /// The chains of the app that it resets.
    let attached: Set<ObjectIdentifier>
    var deletion: Task<CredentialDeletion.Outcome, Never>?
    /// Finishes when the machine has received the result of the deletion.
    var reported: Task<Void, Never>?
    var page: Task<SignOutReport.ServerSession, Never>?
    var report = SignOutReport(revocation: .notNeeded, problem: nil)
    /// Whether the only remaining step is to open the gates. Later calls do not join this sign-out.
    private(set) var isOver = false
    private var whenOver: CheckedContinuation<Void, Never>?

    init(task: Task<SignOutReport, Never>, ownReset: Task<ResetReport, Never>, attached: Set<ObjectIdentifier>) {
        self.task = task
        self.ownReset = ownReset
        self.attached = attached
    }

    func end(isPageAbandoned: Bool) {
        if isPageAbandoned { report.serverSession = .cancelled }
        isOver = true
        (deletion, reported, page) = (nil, nil, nil)
        whenOver?.resume()
        whenOver = nil
    }

    func resumeWhenOver(_ continuation: CheckedContinuation<Void, Never>) {
        if isOver { continuation.resume() } else { whenOver = continuation }
    }
}

extension SessionEngine {
    /// Resets the session's chain, and performs the machine's actions in the two phases of the reset. Joins a sign-out in progress.
    ///
    /// Cancelling a caller stops only the page that it requested and, if it is the last caller, the wait for another process that is
    /// writing the record.
    func signOut(resetting chain: Chain, endingServerSession: Bool) async -> SignOutReport {
        let caller = newWaiter()
        return await withTaskCancellationHandler {
            await sharedSignOut(resetting: chain, for: caller, endingServerSession: endingServerSession)
        } onCancel: {
            Task { await self.feed(.signOutLeft(caller)) }
        }
    }

    private func sharedSignOut(
        resetting chain: Chain, for caller: SessionMachine.WaiterID, endingServerSession: Bool
    ) async -> SignOutReport {
        while let running = signOut {
            let isOver = running.isOver
            if !isOver { feed(.signOutCalled(Task.isCancelled ? nil : caller, wantsPage: endingServerSession)) }
            if Chain.isPerformingReset {
                // The caller is a loader of an attached chain, and the sign-out waits for that chain.
                _ = await running.ownReset.value
                return running.report
            }
            let report = await running.task.value
            if !isOver { return report }
        }
        feed(.signOutCalled(Task.isCancelled ? nil : caller, wantsPage: endingServerSession))
        return await beginSignOut(resetting: chain, and: attachedChains.all).task.value
    }

    private func beginSignOut(resetting chain: Chain, and others: [Chain]) -> RunningSignOut {
        let ownReset = Task { await chain.reset(.signOut) { await self.perform($0) } }
        let task = Task { await self.performSignOut(ownReset, resetting: others) }
        let running = RunningSignOut(task: task, ownReset: ownReset, attached: Set(others.map { ObjectIdentifier($0) }))
        signOut = running
        run {
            _ = await task.value
            return nil
        }
        return running
    }

    private func performSignOut(_ ownReset: Task<ResetReport, Never>, resetting others: [Chain]) async -> SignOutReport {
        let resets = await withTaskGroup(of: ResetReport.self) { group in
            for other in others { group.addTask { await other.reset(.signOut) } }
            group.addTask { await ownReset.value }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var report = signOut?.report ?? SignOutReport(revocation: .notNeeded, problem: nil)
        report.cancelledLoads = resets.map(\.cancelledLoads).reduce(0, +)
        report.abandonedLoads = resets.map(\.abandonedLoads).reduce(0, +)
        signOut = nil
        return report
    }

    private func perform(_ phase: ResetPhase) async {
        switch phase {
        case .forget: await forget()
        case .cleanUp: await cleanUp()
        }
    }

    /// The first phase: resumes all waiting callers and deletes the stored credential. Sends nothing.
    ///
    /// - Returns: The reason that the credential may still be stored; nil if it was deleted.
    @discardableResult
    private func forget() async -> SessionError? {
        feed(.signOutWanted)
        await signOut?.reported?.value
        return signOut?.report.problem
    }

    /// The second phase, after the session's requests have ended. Returns when the machine has ended the sign-out.
    private func cleanUp() async {
        guard let signOut, machine.activity == .signingOut else { return }
        feed(.requestsEnded)
        await withCheckedContinuation { signOut.resumeWhenOver($0) }
    }

    func deletionEnded(_ problem: SessionError?) -> SessionMachine.Event {
        signOut?.report = SignOutReport(revocation: .notNeeded, problem: problem)
        return .deletionEnded(problem)
    }

    func revokeDeleted() async {
        guard let signOut, let deletion = await signOut.deletion?.value else { return }
        // If nothing was deleted, the unsaved credential is still needed, because the refresh token in the store is used up.
        let revocation = await configuration.revoker.revoke(deletion, and: refresher.takeUnsaved(), on: configuration.clock)
        signOut.report = SignOutReport(revocation: revocation, problem: nil)
    }

    func showed(_ page: Task<SignOutReport.ServerSession, Never>) async {
        let outcome = await page.value
        signOut?.report.serverSession = outcome
    }
}

/// The two phases of resetting an attached chain, which signs the session out unless the reset is part of a sign-out.
///
/// Neither phase waits for another attached chain, except for a sign-out that the reset itself began: resets that wait for each other would
/// never end.
extension SessionEngine {
    func forget(with chain: ObjectIdentifier, resetting own: Chain) async throws(SessionError) {
        if let signOut, signOut.attached.contains(chain) {
            // Only other chains are left to wait for: the next sign-in may have begun.
            guard !signOut.isOver else { return }
            if let problem = await forget() { throw problem }
            return
        }
        // A router may have the session more than once.
        guard signOutsOfChains[chain] == nil else { return }
        while let signOut, signOut.isOver { _ = await signOut.task.value }
        let caller = newWaiter()
        let others = attachedChains.all.filter { ObjectIdentifier($0) != chain }
        let running = signOut ?? beginSignOut(resetting: own, and: others)
        signOutsOfChains[chain] = running.task
        feed(.signOutCalled(caller, wantsPage: false))
        defer { feed(.signOutLeft(caller)) }
        if let problem = await forget() { throw problem }
    }

    func cleanUp(with chain: ObjectIdentifier) async throws(SessionError) {
        guard let signOut = signOutsOfChains.removeValue(forKey: chain) else {
            _ = await self.signOut?.ownReset.value
            return
        }
        if case .failed(let error) = await signOut.value.revocation { throw error }
    }
}

extension SessionEngine {
    /// Records that the session has begun.
    ///
    /// - Returns: Whether this is the first time.
    func begins() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }

    /// Revokes the tokens of an earlier sign-out that was killed, or could not reach the server.
    ///
    /// - Throws: ``SessionError`` if the store cannot be read.
    nonisolated func finishEarlierSignOut(isLast: Bool) async throws(SessionError) {
        do {
            try await UnfinishedSignOut(account: account, store: configuration.store, logger: configuration.logger)
                .finish(by: configuration.revoker, on: configuration.clock, isLast: isLast)
        } catch {
            throw SessionError(error)
        }
    }
}

extension SessionEngine {
    /// Whether to keep tokens that a refresh of this epoch could not store, to store them later. They are kept if nothing was deleted,
    /// because the refresh token in the store is used up.
    func isUnsavedWanted(in epoch: UInt64) async -> Bool {
        if isCurrent(epoch) { return true }
        if let deletion = signOut?.deletion { return await deletion.value.problem != nil }
        return epoch >= machine.signedOutBefore
    }
}
