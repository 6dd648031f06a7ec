import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import SecretServiceCredentialStorage
import Testing

@Suite(.enabled(if: PrivateKeyring.isPossible, "needs dbus-daemon, gnome-keyring, libglib2.0-bin and libsecret-tools"))
struct SecretServiceKeyTests {
    private func source(_ keyring: PrivateKeyring, _ service: String = PrivateKeyring.service) -> SecretServiceKey {
        SecretServiceKey(service: service, locks: keyring.locks, parts: PrivateKeyring.parts(keyring.address))
    }

    @Test func `creates a key on demand, and keeps it from then on`() async throws {
        let keyring = try await PrivateKeyring()
        #expect(try source(keyring).key(creatingIfMissing: false)?.reveal() == nil)
        let key = try #require(try source(keyring).key(creatingIfMissing: true)).reveal()
        #expect(key.count == 32)
        #expect(try source(keyring).key(creatingIfMissing: true)?.reveal() == key)
        #expect(try source(keyring).key(creatingIfMissing: false)?.reveal() == key)
        try await keyring.run("end_daemon; start_unlocked")
        #expect(try source(keyring).key(creatingIfMissing: false)?.reveal() == key)
        #expect(try source(keyring, "com.example.other").key(creatingIfMissing: true)?.reveal() != key)
    }

    @Test func `concurrent callers that create the key get the same one`() async throws {
        let keyring = try await PrivateKeyring.shared.value
        let service = "com.example.key.\(Base64URL.encode(randomBytes(count: 6)))"
        let keys = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<8 {
                group.addTask { try source(keyring, service).key(creatingIfMissing: true)?.reveal() }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(keys.first??.count == 32)
    }

    @Test func `an item that holds no key is damaged, and is kept`() async throws {
        let keyring = try await PrivateKeyring()
        try await keyring.run("printf short | secret-tool store --label=key xdg:schema authhub.StoreKey service \(PrivateKeyring.service)")
        for creating in [false, true] {
            #expect(
                await code { () throws(CredentialStoreError) in
                    _ = try source(keyring).key(creatingIfMissing: creating)
                } == .corrupt)
        }
    }

    @Test func `a locked keyring creates no new key`() async throws {
        let keyring = try await PrivateKeyring()
        _ = try source(keyring).key(creatingIfMissing: true)
        try await keyring.run("lock")
        for creating in [false, true] {
            #expect(
                await code { () throws(CredentialStoreError) in
                    _ = try source(keyring).key(creatingIfMissing: creating)
                } == .locked)
        }
    }

    @Test func `records sealed with the key are not keyring records, and open as long as the key exists`() async throws {
        let keyring = try await PrivateKeyring()
        let folder = try TemporaryFolder()
        let store = EncryptedFileStore(folder: folder.storePath, key: source(keyring))
        try await store.store("sealed", for: .octocat)
        #expect(try await EncryptedFileStore(folder: folder.storePath, key: source(keyring)).read(.octocat)?.text == "sealed")
        #expect(try await keyring.store().accounts().isEmpty)
    }
}
