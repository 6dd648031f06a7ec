import AuthHub
import AuthHubPrimitives
import CredentialStorage
import Platform
import Synchronization

/// A kind of store that several sessions, or processes, share.
enum SharedStore: String, CaseIterable, Sendable {
    case memory, encryptedFile

    /// Runs a body with a function that creates handles on the same storage.
    func using(_ body: (_ handle: @Sendable () -> any CredentialStore) async throws -> Void) async throws {
        switch self {
        case .memory:
            let store = MemoryCredentialStore()
            try await body { store }
        case .encryptedFile:
            try await withStoreFolder { folder in try await body { fileStore(below: folder) } }
        }
    }
}

func fileStore(below folder: String, reached: @escaping StorageStepHook = { _ in }) -> EncryptedFileStore {
    EncryptedFileStore(folder: "\(folder)/credentials", key: KeyFile(path: "\(folder)/credentials.key"), reached: reached)
}

func withStoreFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "authhub-sign-in-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}

/// Reports when a task waits for a lease that another task holds.
final class LeaseWatchingStore: CredentialStore {
    private let store: any CredentialStore
    private let waiting = Gate()

    init(_ store: any CredentialStore) {
        self.store = store
        waiting.open()
    }

    /// Waits until a task waits for a lease.
    func untilWaitedFor() async { await waiting.untilReached() }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await store.read(account)
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try await store.write(payload, for: account, replacing: expected)
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        try await store.delete(account, at: expected)
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { try await store.accounts() }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        if timeout > .zero { await waiting.pass() }
        return try await store.lease(account, waitingAtMost: timeout)
    }
}
