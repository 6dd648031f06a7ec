import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Testing

struct DamagedRecordTests {
    /// The offset of the format number in a record's file.
    private static let formatOffset = 4
    /// The offset of the identifier of the key that sealed it.
    private static let keyIdentifier = 5..<13

    @Test func `a record that is truncated anywhere, or has extra bytes, is corrupt and is kept`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.store("record", for: .octocat)
        let (path, record) = (try folder.recordPath(), try contents(of: folder.recordPath()))
        for bytes in (0..<record.count).map({ Array(record[..<$0]) }) + [record + [0]] {
            try write(bytes, to: path)
            #expect(readingFails(store) == .corrupt, "\(bytes.count) of \(record.count) bytes")
            #expect(try contents(of: path) == bytes)
        }
    }

    @Test func `a record with any bit changed is corrupt, or from another key, and is kept`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.store("record", for: .octocat)
        let (path, record) = (try folder.recordPath(), try contents(of: folder.recordPath()))
        for offset in record.indices {
            for bit in 0..<8 {
                var bytes = record
                bytes[offset] ^= 1 << bit
                try write(bytes, to: path)
                let isNewer = offset == Self.formatOffset && bytes[offset] > record[offset]
                let isOfOtherKey = Self.keyIdentifier.contains(offset)
                #expect(readingFails(store) == (isNewer ? .tooNew : isOfOtherKey ? .keyMissing : .corrupt), "bit \(bit) of byte \(offset)")
                #expect(try contents(of: path) == bytes)
            }
        }
    }

    @Test func `a record of a later format is too new, and is neither read, nor replaced, nor deleted by version`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        let version = try await store.store("record", for: .octocat)
        let path = try folder.recordPath()
        var bytes = try contents(of: path)
        bytes[Self.formatOffset] = 3
        try write(bytes, to: path)
        #expect(readingFails(store) == .tooNew)
        for expected in [nil, version] {
            let code = await code { () throws(CredentialStoreError) in
                _ = try await store.write(Secret([1]), for: .octocat, replacing: expected)
            }
            #expect(code == .tooNew)
        }
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.delete(.octocat, at: version) } == .tooNew)
        #expect(try contents(of: path) == bytes)
    }

    @Test func `a record that was moved to another account is corrupt`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.store("record of octocat", for: .octocat)
        let octocat = try folder.recordPath()
        try await store.store("record of hubot", for: .hubot)
        let hubot = try #require(
            names(in: folder.storePath).map { "\(folder.storePath)/\($0)" }.first { $0.hasSuffix("l") && $0 != octocat })
        try check(rename(hubot, octocat), "rename", octocat)
        #expect(readingFails(store) == .corrupt)
    }

    @Test func `does not read a file larger than any record`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.store("record", for: .octocat)
        try check(truncate(folder.recordPath(), 1 << 40), "truncate", "")
        #expect(readingFails(store) == .corrupt)
    }

    @Test func `rejects accounts whose names are longer than a record can hold`() async throws {
        let store = try TemporaryFolder().store()
        let account = CredentialAccount(server: "", clientID: "", label: String(repeating: "a", count: 1 << 16))
        let code = await code { () throws(CredentialStoreError) in
            _ = try await store.write(Secret([1]), for: account, replacing: nil)
        }
        #expect(code == .tooLarge)
    }

    @Test func `reports a damaged record by name, and lists the others`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.store("record", for: .octocat)
        let path = try folder.recordPath()
        try await store.store("record", for: .hubot)
        try write([1, 2, 3], to: path)
        try write([1, 2, 3], to: "\(folder.storePath)/notes.txt")
        let inventory = try await store.inventory()
        #expect(inventory.accounts == [.hubot])
        #expect(inventory.unreadable.map(\.code) == [.corrupt])
        #expect(inventory.unreadable.first?.explanation.contains(path) == true)
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.accounts() } == .corrupt)
        #expect(try await store.read(.hubot)?.text == "record")
    }

    @Test func `removes a damaged record on demand`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        let version = try await store.store("record", for: .octocat)
        try write([1, 2, 3], to: folder.recordPath())
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.delete(.octocat, at: version) } == .corrupt)
        #expect(try await store.delete(.octocat, at: nil))
        try await store.store("new", for: .octocat)
    }

    private func readingFails(_ store: EncryptedFileStore) -> CredentialStoreError.Code? {
        do {
            _ = try store.readNow(.octocat)
            return nil
        } catch {
            return error.code
        }
    }
}
