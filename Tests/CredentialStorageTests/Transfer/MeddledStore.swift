import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Testing

/// A store that other programs change between the calls.
struct MeddledStore: CredentialInventory {
    let store: EncryptedFileStore
    var beforeReading: @Sendable (CredentialAccount) async throws -> Void = { _ in }
    var afterWriting: @Sendable (CredentialAccount) async throws -> Void = { _ in }
    var beforeDeleting: @Sendable (CredentialAccount) async throws -> Void = { _ in }
    var failsWriting: @Sendable (CredentialAccount) -> CredentialStoreError.Code? = { _ in nil }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        await meddle { try await beforeReading(account) }
        return try await store.read(account)
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        if let code = failsWriting(account) { throw CredentialStoreError(code, "Ordered by the test.") }
        let outcome = try await store.write(payload, for: account, replacing: expected)
        await meddle { try await afterWriting(account) }
        return outcome
    }

    @discardableResult
    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        await meddle { try await beforeDeleting(account) }
        return try await store.delete(account, at: expected)
    }

    func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await store.lease(account, waitingAtMost: timeout)
    }

    func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try await store.inventory(includingUnlisted: includingUnlisted)
    }

    func removeUnreadable() async throws(CredentialStoreError) -> Int {
        try await store.removeUnreadable()
    }

    private func meddle(_ work: () async throws -> Void) async {
        do { try await work() } catch { Issue.record(error) }
    }
}

extension CredentialTransferReport {
    /// The label and outcome of each account.
    var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: entries.map { (($0.account.isListed ? "" : "beside ") + $0.account.label, $0.outcome.text) })
    }
}

extension CredentialTransferOutcome {
    var text: String {
        switch self {
        case .transferred: "transferred"
        case .alreadyThere: "already there"
        case .replacedAnother: "replaced another"
        case .keptAnother: "kept another"
        case .gone: "gone"
        case .skipped(let error): "skipped: \(error.code)"
        case .failed(let error): "failed: \(error.code)"
        case .notReached: "not reached"
        }
    }
}
