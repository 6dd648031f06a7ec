public import AuthHubPrimitives
import Synchronization

/// A store that keeps credentials until the process ends, for tests and for programs that sign in again each time.
///
/// Leases exclude other users of the same instance, and are granted in the order of the requests.
public final class MemoryCredentialStore: Sendable {
    private struct State {
        var records: [CredentialAccount: StoredCredential] = [:]
        var readers = ChangeReaders()
    }

    private let state = Mutex(State())
    private let leases: Turns<CredentialAccount>

    /// Creates an empty store.
    ///
    /// - Parameter clock: Measures how long callers wait for a lease.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        leases = Turns(clock: clock)
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
        guard let lease = await leases.take(account, waitingAtMost: timeout) else {
            throw Task.isCancelled ? .cancelledWait : .leaseHeld(by: nil, waited: timeout)
        }
        return CredentialLease { lease.end() }
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
