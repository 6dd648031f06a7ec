import CredentialStorage
import HTTPLoading

/// What is known of a sign-out that is under way.
struct SignOutProgress {
    /// Who wants the server's page for it shown.
    struct PageWish {
        /// Whether anyone did, cancelled since or not.
        private(set) var isThere = false
        private var callers: Set<UInt64> = []

        var isWanted: Bool { !callers.isEmpty }

        /// Takes the caller whose task this is, unless it is cancelled already.
        mutating func add(_ caller: UInt64) {
            isThere = true
            if !Task.isCancelled { callers.insert(caller) }
        }

        /// - Returns: Whether the caller wanted it until now.
        mutating func remove(_ caller: UInt64) -> Bool { callers.remove(caller) != nil }
    }

    /// The callers that wait for it and are not cancelled.
    var callers: Set<UInt64> = []
    /// The task-local value of the caller that began the sign-out, which a reset does not pass on.
    var lockWait: LockWait?
    var task: Task<SignOutReport, Never>?
    /// The reset of the session's own chain, which waits for no other chain.
    var ownReset: Task<ResetReport, Never>?
    /// The chains of the app that the sign-out resets.
    var attached: Set<ObjectIdentifier> = []
    var deletion: Task<CredentialDeletion.Outcome, Never>?
    var pageWish = PageWish()
    var lastCaller: UInt64 = 0
    var page: Task<SignOutReport.ServerSession, Never>?
    /// nil until it is done with everything but opening the gate.
    var report: SignOutReport?
}

extension SessionEngine {
    /// Resets the session's chain, whose authorizer calls ``forget()`` and ``cleanUp()``. Joins a sign-out that is under way.
    ///
    /// Cancelling a caller stops only the page that it requested and, if it is the last caller, the wait for another process that is
    /// writing the record.
    func signOut(resetting chain: Chain, endingServerSession: Bool) async -> SignOutReport {
        signOutProgress.lastCaller += 1
        let caller = signOutProgress.lastCaller
        return await withTaskCancellationHandler {
            await sharedSignOut(resetting: chain, for: caller, endingServerSession: endingServerSession)
        } onCancel: {
            Task { await self.leaveSignOut(caller) }
        }
    }

    private func sharedSignOut(resetting chain: Chain, for caller: UInt64, endingServerSession: Bool) async -> SignOutReport {
        if !Task.isCancelled { signOutProgress.callers.insert(caller) }
        defer { signOutProgress.callers.remove(caller) }
        while let task = signOutProgress.task {
            // One that is done but for opening the gate knows nothing of a sign-in that may have followed it.
            let isDone = signOutProgress.report != nil
            if !isDone, endingServerSession { signOutProgress.pageWish.add(caller) }
            if Chain.isPerformingReset, let ownReset = signOutProgress.ownReset {
                // A loader of an attached chain asks, and the sign-out waits for that chain.
                _ = await ownReset.value
                return signOutProgress.report ?? SignOutReport(revocation: .notNeeded, problem: nil)
            }
            let report = await task.value
            if !isDone { return report }
        }
        signOutProgress.pageWish = .init()
        if endingServerSession { signOutProgress.pageWish.add(caller) }
        return await beginSignOut(resetting: chain, and: attachedChains.all).value
    }

    private func beginSignOut(resetting chain: Chain, and others: [Chain]) -> Task<SignOutReport, Never> {
        signOutProgress.lockWait = LockWait.current
        signOutProgress.attached = Set(others.map { ObjectIdentifier($0) })
        let ownReset = Task { await chain.reset(.signOut) }
        signOutProgress.ownReset = ownReset
        let task = Task { await self.performSignOut(ownReset, resetting: others) }
        signOutProgress.task = task
        run {
            _ = await task.value
            return nil
        }
        return task
    }

    private func performSignOut(_ ownReset: Task<ResetReport, Never>, resetting others: [Chain]) async -> SignOutReport {
        let resets = await withTaskGroup(of: ResetReport.self) { group in
            for other in others { group.addTask { await other.reset(.signOut) } }
            group.addTask { await ownReset.value }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var report = signOutProgress.report ?? SignOutReport(revocation: .notNeeded, problem: nil)
        report.cancelledLoads = resets.map(\.cancelledLoads).reduce(0, +)
        report.abandonedLoads = resets.map(\.abandonedLoads).reduce(0, +)
        (signOutProgress.report, signOutProgress.task, signOutProgress.ownReset, signOutProgress.attached) = (nil, nil, nil, [])
        return report
    }
}

/// The two rounds of a reset of an attached chain, which signs the session out unless the reset is part of a sign-out.
///
/// Neither round waits for another attached chain, except for a sign-out that the reset itself began: resets that wait for each other would
/// never end.
extension SessionEngine {
    func forget(with chain: ObjectIdentifier, resetting own: Chain) async throws(SessionError) {
        if signOutProgress.attached.contains(chain) {
            // Done but for other chains: the next sign-in may have begun.
            guard signOutProgress.report == nil else { return }
            return try await forget()
        }
        // A router may have the session more than once.
        guard signOutsOfChains[chain] == nil else { return }
        while signOutProgress.report != nil, let task = signOutProgress.task { _ = await task.value }
        signOutProgress.lastCaller += 1
        let caller = signOutProgress.lastCaller
        if signOutProgress.task == nil { signOutProgress.pageWish = .init() }
        let others = attachedChains.all.filter { ObjectIdentifier($0) != chain }
        signOutsOfChains[chain] = signOutProgress.task ?? beginSignOut(resetting: own, and: others)
        signOutProgress.callers.insert(caller)
        defer { signOutProgress.callers.remove(caller) }
        try await forget()
    }

    func cleanUp(with chain: ObjectIdentifier) async throws(SessionError) {
        guard let signOut = signOutsOfChains.removeValue(forKey: chain) else {
            _ = await signOutProgress.ownReset?.value
            return
        }
        if case .failed(let error) = await signOut.value.revocation { throw error }
    }
}

extension SessionEngine {
    /// The first round of a sign-out: whoever waits is answered, and what is stored is deleted. Sends nothing.
    func forget() async throws(SessionError) {
        feed(.signOutWanted)
        if let problem = await signOutProgress.deletion?.value.problem { throw problem }
    }

    /// The second one, when the session's loads have ended: what was deleted is revoked, and then the sign-out is told to all.
    func cleanUp() async {
        guard let deletion = await signOutProgress.deletion?.value else { return }
        // What stands in the store still needs what could not be stored: its own refresh token is spent.
        let unsaved = deletion.problem == nil ? refresher.takeUnsaved() : nil
        let revocation = await configuration.revoker.revoke(deletion, and: unsaved, on: configuration.clock)
        var report = SignOutReport(revocation: revocation, problem: deletion.problem)
        if deletion.problem == nil { report.serverSession = await endServerSession() }
        signOutProgress.deletion = nil
        signOutProgress.report = report
        feed(.signOutEnded(deletion.problem))
    }
}

extension SessionEngine {
    /// Notes that the session has begun.
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
    /// Whether tokens that a refresh of this epoch could not store are kept for a later try: they are where nothing was deleted, since
    /// the refresh token that still stands in the store is spent.
    func isUnsavedWanted(in epoch: UInt64) async -> Bool {
        if isCurrent(epoch) { return true }
        if let deletion = signOutProgress.deletion { return await deletion.value.problem != nil }
        return epoch >= machine.signedOutBefore
    }

    private func endServerSession() async -> SignOutReport.ServerSession {
        guard signOutProgress.pageWish.isThere else { return .notAsked }
        guard signOutProgress.pageWish.isWanted else { return .cancelled }
        let task = Task { [configuration] in await configuration.endSessionPage?.show() ?? .notOffered }
        signOutProgress.page = task
        defer { signOutProgress.page = nil }
        return await task.value
    }

    /// The page closes with the last who wants it; where it is not shown yet it will not be.
    private func leaveSignOut(_ caller: UInt64) {
        if signOutProgress.callers.remove(caller) != nil, signOutProgress.callers.isEmpty { signOutProgress.deletion?.cancel() }
        if signOutProgress.pageWish.remove(caller), !signOutProgress.pageWish.isWanted { signOutProgress.page?.cancel() }
    }
}
