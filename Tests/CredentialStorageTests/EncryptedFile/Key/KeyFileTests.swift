import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Testing

struct KeyFileTests {
    @Test func `creates a key only when allowed, accessible only to its owner, and keeps it from then on`() throws {
        let folder = try TemporaryFolder()
        let file = KeyFile(path: "\(folder.path)/a/b/key")
        #expect(try file.key(creatingIfMissing: false) == nil)
        #expect(try names(in: folder.path).isEmpty)
        let key = try #require(try file.key(creatingIfMissing: true)).reveal()
        #expect(key.count == KeyFile.keyLength)
        #expect(try file.key(creatingIfMissing: false)?.reveal() == key)
        #expect(try KeyFile(path: file.path).key(creatingIfMissing: true)?.reveal() == key)
        #expect(try mode(of: file.path) == 0o600)
        #expect(try mode(of: "\(folder.path)/a") == 0o700)
        #expect(try names(in: "\(folder.path)/a/b") == ["key"])
    }

    @Test func `concurrent callers that create the key get the same one`() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/key"
        let keys = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<16 {
                group.addTask { try KeyFile(path: path).key(creatingIfMissing: true)?.reveal() }
            }
            return try await group.reduce(into: Set<[UInt8]?>()) { $0.insert($1) }
        }
        #expect(keys == [try contents(of: path)])
        #expect(try names(in: folder.path) == ["key"])
    }

    @Test func `all processes that create the key at the same time can read each other's records`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
                        let store = TemporaryFolder.store(below: path)
                        try await store.store("record \(number)", for: CredentialAccount(server: "", clientID: "", label: "\(number)"))
                    }
                }
            }
        }
        let labels = try await folder.store().accounts().map(\.label)
        #expect(labels.sorted() == ["0", "1", "2", "3"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let spoil: @Sendable (String) throws -> Void
        let expected: CredentialStoreError.Code
    }

    @Test(arguments: [
        Row(testDescription: "others may read it", spoil: { try check(chmod($0, 0o640), "chmod", $0) }, expected: .refused),
        Row(testDescription: "others may write it", spoil: { try check(chmod($0, 0o602), "chmod", $0) }, expected: .refused),
        Row(
            testDescription: "a symbolic link",
            spoil: {
                try check(rename($0, "\($0).elsewhere"), "rename", $0)
                try check(symlink("\($0).elsewhere", $0), "symlink", $0)
            }, expected: .refused),
        Row(
            testDescription: "a folder",
            spoil: {
                try check(unlink($0), "unlink", $0)
                try check(mkdir($0, 0o700), "mkdir", $0)
            }, expected: .refused),
        Row(
            testDescription: "a pipe, which does not block",
            spoil: {
                try check(unlink($0), "unlink", $0)
                try check(mkfifo($0, 0o600), "mkfifo", $0)
            }, expected: .refused),
        Row(testDescription: "empty", spoil: { try write([], to: $0) }, expected: .keyMissing),
        Row(testDescription: "too short", spoil: { try write([UInt8](repeating: 1, count: 31), to: $0) }, expected: .keyMissing),
        Row(testDescription: "too long", spoil: { try write([UInt8](repeating: 1, count: 33), to: $0) }, expected: .keyMissing),
        Row(testDescription: "a different key", spoil: { try write([UInt8](repeating: 1, count: 32), to: $0) }, expected: .keyMissing),
        Row(testDescription: "gone", spoil: { try check(unlink($0), "unlink", $0) }, expected: .keyMissing),
    ])
    func `a key file that cannot be trusted opens no record, and loses none`(row: Row) async throws {
        let folder = try TemporaryFolder()
        try await folder.store().store("record", for: .octocat)
        let record = try contents(of: folder.recordPath())
        try row.spoil(folder.keyPath)
        let store = folder.store()
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == row.expected)
        #expect(try contents(of: folder.recordPath()) == record)
    }

    @Test func `does not replace a missing key while there are records`() async throws {
        let folder = try TemporaryFolder()
        try await folder.store().store("record", for: .octocat)
        try check(unlink(folder.keyPath), "unlink", folder.keyPath)
        let store = folder.store()
        let code = await code { () throws(CredentialStoreError) in
            _ = try await store.write(Secret([1]), for: .hubot, replacing: nil)
        }
        #expect(code == .keyMissing)
        #expect(!exists(folder.keyPath))
    }

    @Test(arguments: [false, true])
    func `a key that opens none of the records seals no new one`(wasRekeyed: Bool) async throws {
        let folder = try TemporaryFolder()
        let right = wasRekeyed ? folder.newKeyPath : folder.keyPath
        try await folder.store().store("record", for: .octocat)
        if wasRekeyed { try await folder.store().rekey(to: KeyFile(path: right)) }
        let other = EncryptedFileStore(folder: folder.storePath, key: KeyFile(path: "\(folder.path)/other"))
        _ = try KeyFile(path: "\(folder.path)/other").key(creatingIfMissing: true)
        for isKnown in [false, true] {
            if isKnown { _ = try? await other.read(.octocat) }
            for account in [CredentialAccount.octocat, .hubot] {
                #expect(await code { () throws(CredentialStoreError) in try await other.prepareToWrite(for: account) } == .keyMissing)
            }
            #expect(
                await code { () throws(CredentialStoreError) in
                    _ = try await other.write(Secret([1]), for: .hubot, replacing: nil)
                } == .keyMissing)
        }
        let store = EncryptedFileStore(folder: folder.storePath, key: KeyFile(path: right))
        #expect(try await store.inventory().accounts == [.octocat])
        #expect(try await store.inventory().unreadable.isEmpty)
    }

    @Test func `a handle with the old key reads a store that was emptied and filled again with another key`() async throws {
        let folder = try TemporaryFolder()
        let old = folder.store()
        try await old.store("old", for: .octocat)
        try check(unlink(folder.recordPath()), "unlink", "")
        try check(unlink(folder.keyPath), "unlink", folder.keyPath)
        try await folder.store().store("new", for: .octocat)
        #expect(try await old.read(.octocat)?.text == "new")
    }

    @Test(arguments: [true, false])
    func `seals a record with the key that is stored now, not with a cached one`(isReplaced: Bool) async throws {
        let folder = try TemporaryFolder()
        let old = folder.store()
        try await old.store("old", for: .octocat)
        try check(unlink(folder.recordPath()), "unlink", "")
        try check(unlink(folder.keyPath), "unlink", folder.keyPath)
        if isReplaced { try await folder.store().store("new", for: .hubot) }
        try await old.store("newer", for: .octocat)
        #expect(try await folder.store().read(.octocat)?.text == "newer")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `rejects a key file of another owner`() async throws {
        let folder = try TemporaryFolder()
        let file = KeyFile(path: "\(folder.path)/key")
        _ = try file.key(creatingIfMissing: true)
        try check(chown(file.path, 1, 1), "chown", file.path)
        #expect(await code { () throws(CredentialStoreError) in _ = try file.key(creatingIfMissing: true) } == .refused)
    }
}
