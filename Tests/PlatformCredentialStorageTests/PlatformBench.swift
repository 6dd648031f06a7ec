import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import PlatformCredentialStorage
import Synchronization
import Testing

/// A platform whose keyring is in the state that a test requires. All its stores are file stores.
struct PlatformBench: Sendable {
    static let kinds: [CredentialStoreKind] = [.secretService, .encryptedFile, .plainFile]

    let folder: TemporaryFolder
    private let keyring: @Sendable () -> StoreStanding
    private let refusal: CredentialStoreError?

    /// - Parameters:
    ///   - refusal: The error if the keyring is prepared for a write and the user declines.
    ///   - alternating: Whether the keyring is available only every other time.
    init(keyring: StoreStanding, refusing refusal: CredentialStoreError? = nil, alternating: Bool = false) throws {
        folder = try TemporaryFolder()
        self.refusal = refusal
        let count = Counter()
        self.keyring = {
            alternating && count.next() % 2 == 0 ? .absent(CredentialStoreError(.unavailable, "It is gone again.")) : keyring
        }
    }

    /// A new handle, as another process would have it.
    func store(wanted: CredentialStoreKind? = nil) -> PlatformCredentialStore {
        let candidates = Self.kinds.map { kind in
            StoreCandidate(
                kind, isAutomatic: kind != .plainFile, location: path(of: kind),
                look: { kind == .secretService ? keyring() : .usable },
                open: { RefusingStore(store: inside(kind), refusal: kind == .secretService ? refusal : nil) })
        }
        return PlatformCredentialStore(folder: folder.path, candidates: candidates, wanted: wanted)
    }

    func inside(_ kind: CredentialStoreKind) -> EncryptedFileStore {
        EncryptedFileStore(folder: path(of: kind), key: KeyFile(path: "\(path(of: kind)).key"))
    }

    private func path(of kind: CredentialStoreKind) -> String {
        "\(folder.path)/\(kind == .encryptedFile ? "credentials" : kind.name)"
    }

    private var recordPath: String { "\(folder.path)/store-choice" }

    func writeRecord(_ text: String, mode: UInt32 = 0o600) throws {
        try write(Array(text.utf8), to: recordPath)
        try check(chmod(recordPath, mode_t(mode)), "chmod", recordPath)
    }

    /// Returns the recorded name of the chosen store.
    func recorded() throws -> CredentialStoreKind? {
        guard exists(recordPath) else { return nil }
        #expect(try mode(of: recordPath) == 0o600)
        let lines = String(decoding: try contents(of: recordPath), as: UTF8.self).split(separator: "\n")
        return lines.count >= 2 ? CredentialStoreKind(named: String(lines[1])) : nil
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A store that declines to be prepared for a write.
private struct RefusingStore: CredentialInventory {
    let store: EncryptedFileStore
    let refusal: CredentialStoreError?

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? { try await store.read(account) }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try await store.write(payload, for: account, replacing: expected)
    }

    @discardableResult
    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        try await store.delete(account, at: expected)
    }

    func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        if let refusal { throw refusal }
        try await store.prepareToWrite(for: account)
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

    @discardableResult
    func removeUnreadable() async throws(CredentialStoreError) -> Int { try await store.removeUnreadable() }
}
