public import AuthHubPrimitives
import Synchronization

/// Keeps credentials until the process ends: for tests, and for programs that sign in anew each time.
///
/// Leases exclude others who use the same instance, and are handed on in the order of asking.
public final class MemoryCredentialStore: Sendable {
    private struct State {
        var records: [CredentialAccount: StoredCredential] = [:]
        var queues: [CredentialAccount: LeaseQueue] = [:]
        var waiters: [LeaseQueue.Ticket: CheckedContinuation<Void, Never>] = [:]
        var tickets: UInt64 = 0
        var readers = ChangeReaders()
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    /// - Parameter clock: Measures how long a lease is waited for.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    deinit {
        state.withLock { $0.readers }.finish()
    }
}

extension MemoryCredentialStore: CredentialStore {
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        state.withLock { $0.records[account] }
    }

    public func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try StoredCredential.checkSize(of: payload)
        return state.withLock { state in
            let current = state.records[account]
            guard current?.version == expected else { return .superseded(by: current) }
            let version = CredentialVersion.unique()
            state.records[account] = StoredCredential(payload: payload, version: version)
            state.readers.tell(of: account, to: version)
            return .stored(version)
        }
    }

    @discardableResult
    public func delete(
        _ account: CredentialAccount, at expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> Bool {
        state.withLock { state in
            guard let current = state.records[account] else { return true }
            if let expected, current.version != expected { return false }
            state.records[account] = nil
            state.readers.tell(of: account, to: nil)
            return true
        }
    }

    public func accounts() async throws(CredentialStoreError) -> [CredentialAccount] {
        state.withLock { $0.records.keys.filter(\.isListed) }
    }

    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        let ticket = enter(account)
        if !holds(ticket, account) { await waitForTurn(of: ticket, account, atMost: timeout.boundedWait) }
        guard holds(ticket, account) else {
            throw Task.isCancelled ? .cancelledWait : .leaseHeld(by: nil, waited: timeout)
        }
        return CredentialLease { self.release(ticket, account) }
    }
}

extension MemoryCredentialStore: CredentialChangeFeed {
    public func changes() -> AsyncStream<CredentialChange> {
        let (stream, continuation) = ChangeReaders.makeStream()
        let reader = state.withLock { $0.readers.add(continuation) }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.readers.remove(reader) }
        }
        return stream
    }
}

extension MemoryCredentialStore {
    private func enter(_ account: CredentialAccount) -> LeaseQueue.Ticket {
        state.withLock { state in
            state.tickets += 1
            let ticket = LeaseQueue.Ticket(number: state.tickets)
            state.queues[account, default: LeaseQueue()].enter(ticket)
            return ticket
        }
    }

    private func holds(_ ticket: LeaseQueue.Ticket, _ account: CredentialAccount) -> Bool {
        state.withLock { $0.queues[account]?.holder == ticket }
    }

    /// Returns when the ticket holds the lease, or has given up waiting for it.
    private func waitForTurn(of ticket: LeaseQueue.Ticket, _ account: CredentialAccount, atMost timeout: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.waitForTurn(of: ticket, account) }
            group.addTask { try? await self.clock.sleep(for: timeout) }
            await group.next()
            group.cancelAll()
        }
    }

    private func waitForTurn(of ticket: LeaseQueue.Ticket, _ account: CredentialAccount) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // A cancellation before this point found no continuation to resume.
                    if Task.isCancelled { state.queues[account]?.giveUp(ticket) }
                    guard state.queues[account]?.isWaiting(ticket) == true else { return false }
                    state.waiters[ticket] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.queues[account]?.giveUp(ticket)
                return state.waiters.removeValue(forKey: ticket)
            }
            waiter?.resume()
        }
    }

    private func release(_ ticket: LeaseQueue.Ticket, _ account: CredentialAccount) {
        let waiter = state.withLock { state in
            let next = state.queues[account]?.release(ticket)
            if state.queues[account]?.holder == nil { state.queues[account] = nil }
            return next.flatMap { state.waiters.removeValue(forKey: $0) }
        }
        waiter?.resume()
    }
}
