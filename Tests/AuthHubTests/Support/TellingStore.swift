import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import Synchronization

/// A store in memory whose feed the test controls: it counts reads and subscribers, omits changes, and ends.
final class TellingStore: CredentialChangeFeed {
    private struct State {
        var reads = 0
        var watchers = CountWatchers()
        var isSilent = false
        var failure: CredentialStoreError?
        var subscriptions = 0
        var readers: [Int: AsyncStream<CredentialChange>.Continuation] = [:]
    }

    private let state = Mutex(State())
    private let store = MemoryCredentialStore()

    /// The number of times that the records of accounts were read.
    var reads: Int { state.withLock(\.reads) }
    /// Waits until the records of accounts were read this often.
    func untilRead(_ count: Int) async {
        await state.withLock { $0.watchers.latch(for: count, reached: $0.reads) }?.wait()
    }

    /// The number of subscriptions that have started.
    var subscriptions: Int { state.withLock(\.subscriptions) }
    /// The number of active subscriptions.
    var readers: Int { state.withLock { $0.readers.count } }

    /// Whether changes are not reported.
    func keepSilent(_ isSilent: Bool) { state.withLock { $0.isSilent = isSilent } }

    /// The error that reads fail with.
    func fail(with failure: CredentialStoreError?) { state.withLock { $0.failure = failure } }

    func tell(_ change: CredentialChange) {
        for reader in state.withLock({ $0.readers }).values { reader.yield(change) }
    }

    func endFeed() {
        for reader in state.withLock({ $0.readers }).values { reader.finish() }
    }

    func changes() -> AsyncStream<CredentialChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: CredentialChange.self)
        let number = state.withLock { state in
            state.subscriptions += 1
            state.readers[state.subscriptions] = continuation
            return state.subscriptions
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        let (failure, latches) = state.withLock { state in
            if account.isListed { state.reads += 1 }
            return (state.failure, state.watchers.reached(state.reads))
        }
        for latch in latches { latch.open(()) }
        if let failure { throw failure }
        return try await store.read(account)
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        let outcome = try await store.write(payload, for: account, replacing: expected)
        if case .stored(let version) = outcome { tellUnlessSilent(.changed(account.id, to: version)) }
        return outcome
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        let isGone = try await store.delete(account, at: expected)
        if isGone { tellUnlessSilent(.changed(account.id, to: nil)) }
        return isGone
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { try await store.accounts() }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        try await store.lease(account, waitingAtMost: timeout)
    }

    private func tellUnlessSilent(_ change: CredentialChange) {
        if !state.withLock(\.isSilent) { tell(change) }
    }
}
