import AuthHubPrimitives
import CredentialStorage
import Synchronization

/// A store in memory that tells of changes, and is slow or fails where the test wants it.
final class FaultyStore: CredentialChangeFeed {
    private struct State {
        var readDoor: Door?
        var readFailure: CredentialStoreError?
        var deleteFailure: CredentialStoreError?
        var readers: [Int: AsyncStream<CredentialChange>.Continuation] = [:]
        var subscriptions = 0
    }

    private let state = Mutex(State())
    private let store = MemoryCredentialStore()

    func holdReads(at door: Door?) { state.withLock { $0.readDoor = door } }
    func failReads(with error: CredentialStoreError?) { state.withLock { $0.readFailure = error } }
    func failDeletions(with error: CredentialStoreError?) { state.withLock { $0.deleteFailure = error } }

    func changes() -> AsyncStream<CredentialChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: CredentialChange.self)
        let number = state.withLock { state in
            state.subscriptions += 1
            state.readers[state.subscriptions] = continuation
            return state.subscriptions
        }
        continuation.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.readers.removeValue(forKey: number) } }
        return stream
    }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        let (door, failure) = state.withLock { ($0.readDoor, $0.readFailure) }
        if account.isListed { await door?.pass() }
        if let failure { throw failure }
        return try await store.read(account)
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        let outcome = try await store.write(payload, for: account, replacing: expected)
        if case .stored(let version) = outcome { tell(.changed(account.id, to: version)) }
        return outcome
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        if account.isListed, let failure = state.withLock(\.deleteFailure) { throw failure }
        let isGone = try await store.delete(account, at: expected)
        if isGone { tell(.changed(account.id, to: nil)) }
        return isGone
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { try await store.accounts() }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        try await store.lease(account, waitingAtMost: timeout)
    }

    private func tell(_ change: CredentialChange) {
        for reader in state.withLock({ $0.readers }).values { reader.yield(change) }
    }
}
