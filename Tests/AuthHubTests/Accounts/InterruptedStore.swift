import AuthHubPrimitives
import CredentialStorage
import Synchronization

/// A store whose writes and deletions fail after a number of them, as if the process had been killed. After the first operation, it lets
/// other writers run.
final class InterruptedStore: CredentialInventory {
    let memory = MemoryCredentialStore()
    private let left = Mutex(Int.max)
    private let intruder = Mutex<(@Sendable () async -> Void)?>(nil)

    func stop(after steps: Int) { left.withLock { $0 = steps } }
    func goOn() { left.withLock { $0 = .max } }
    func afterFirstWrite(_ action: @escaping @Sendable () async -> Void) { intruder.withLock { $0 = action } }

    private func step() throws(CredentialStoreError) {
        let mayGoOn = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard mayGoOn else { throw CredentialStoreError(.failed, "the process has ended") }
    }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? { try await memory.read(account) }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try step()
        let outcome = try await memory.write(payload, for: account, replacing: expected)
        let action = intruder.withLock { intruder in
            defer { intruder = nil }
            return intruder
        }
        await action?()
        return outcome
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        try step()
        return try await memory.delete(account, at: expected)
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { try await memory.accounts() }

    func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await memory.lease(account, waitingAtMost: timeout)
    }

    func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try await memory.inventory(includingUnlisted: includingUnlisted)
    }

    func removeUnreadable() async throws(CredentialStoreError) -> Int { try await memory.removeUnreadable() }
}
