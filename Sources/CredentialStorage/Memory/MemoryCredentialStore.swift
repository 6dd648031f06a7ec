public import AuthHubPrimitives
import Synchronization

/// A store in memory, which is lost when the process exits: for tests, and for programs that sign in every time.
///
/// Leases exclude other users of the same instance, and are granted in the order in which they were requested.
public final class MemoryCredentialStore: Sendable {
    private struct State {
        var records: [CredentialAccount: StoredCredential] = [:]
        var readers = ChangeReaders()
    }

    private let state = Mutex(State())
    private let leases: Turns<CredentialAccount>

    /// Creates an empty store.
    ///
    /// - Parameter clock: The clock for lease timeouts.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        leases = Turns(clock: clock)
    }

    deinit {
        state.withLock { $0.readers }.finish()
    }
}

extension MemoryCredentialStore: CredentialStore {
    /// Returns the record from memory; nil if the account has none.
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        state.withLock { $0.records[account] }
    }

    /// Stores the record in memory, if the account's current version is `expected` (nil: no record).
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooLarge` if the payload is too large; no other errors.
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

    /// Deletes the record from memory if its version is `expected`, or any version if `expected` is nil.
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

    /// Returns the listed accounts that have a record in memory.
    public func accounts() async throws(CredentialStoreError) -> [CredentialAccount] {
        state.withLock { $0.records.keys.filter(\.isListed) }
    }

    /// Acquires the account's lease. Excludes only users of this instance, not other instances or processes.
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        guard let lease = await leases.take(account, waitingAtMost: timeout) else {
            throw Task.isCancelled ? .cancelledWait : .leaseHeld(by: nil, waited: timeout)
        }
        return CredentialLease { lease.end() }
    }
}

extension MemoryCredentialStore: CredentialInventory {
    /// Returns the accounts that have a record in memory; none is ever unreadable.
    public func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        (state.withLock { $0.records.keys.filter { includingUnlisted || $0.isListed } }, [])
    }

    /// Removes nothing: all records in memory can be read.
    @discardableResult
    public func removeUnreadable() async throws(CredentialStoreError) -> Int { 0 }
}

extension MemoryCredentialStore: CredentialChangeFeed {
    /// Returns a stream of the writes and deletions through this instance, from now on.
    public func changes() -> AsyncStream<CredentialChange> {
        let (stream, continuation) = ChangeReaders.makeStream()
        let reader = state.withLock { $0.readers.add(continuation) }
        // In another task: `onTermination` runs while the reader's task is locked, and a write waits for that task while it holds this
        // lock.
        continuation.onTermination = { [weak self] _ in
            Task.detached { [weak self] in self?.state.withLock { $0.readers.remove(reader) } }
        }
        return stream
    }
}
