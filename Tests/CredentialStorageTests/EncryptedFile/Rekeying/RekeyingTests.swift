import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Testing

struct RekeyingTests {
    private static let accounts: [CredentialAccount] = [.octocat, .hubot, .octocat.signIns]

    private func filledFolder() async throws -> (TemporaryFolder, [CredentialAccount: CredentialVersion]) {
        let folder = try TemporaryFolder()
        var versions: [CredentialAccount: CredentialVersion] = [:]
        for account in Self.accounts { versions[account] = try await folder.store().store("record", for: account) }
        return (folder, versions)
    }

    @Test func `all records open with the new key, at their versions, and none with the old one`() async throws {
        let (folder, versions) = try await filledFolder()
        #expect(try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath)) == 3)
        for account in Self.accounts {
            let found = try folder.storeWithNewKey().readNow(account)
            #expect(found?.text == "record")
            #expect(found?.version == versions[account])
        }
        #expect(try folder.keysOfRecords() == [folder.keyChange().target])
        #expect(try folder.keyChange().isUnderWay == false)
        try await folder.storeWithNewKey().store("next", for: .octocat, replacing: versions[.octocat])
    }

    @Test func `a late writer with the old key is told to use the new one, and loses and removes nothing`() async throws {
        let (folder, versions) = try await filledFolder()
        let late = folder.store()
        _ = try await late.read(.octocat)
        try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath))
        for store in [late, folder.store()] {
            let found = await error { () throws(CredentialStoreError) in _ = try await store.read(.octocat) }
            #expect(found?.code == .keyMissing)
            #expect(found?.explanation.contains("new key") == true)
            for account in [CredentialAccount.octocat, CredentialAccount(server: "", clientID: "", label: "new")] {
                #expect(
                    await code { () throws(CredentialStoreError) in
                        _ = try await store.write(Secret([1]), for: account, replacing: versions[account])
                    } == .keyMissing)
            }
            #expect(try await store.removeUnreadable() == 0)
            #expect(
                await code { () throws(CredentialStoreError) in _ = try await store.rekey(to: KeyFile(path: "\(folder.path)/third")) }
                    == .keyMissing)
        }
        #expect(try await folder.storeWithNewKey().accounts().count == 2)
    }

    @Test func `until the old key is retired, handles with either key read and write all records`() async throws {
        let (folder, versions) = try await filledFolder()
        #expect(try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath), endingOldKey: false) == 3)
        let (old, new) = (folder.store(), folder.storeWithNewKey())
        let version = try await old.store("by the old", for: .octocat, replacing: versions[.octocat])
        #expect(try await new.read(.octocat)?.text == "by the old")
        try await new.store("by the new", for: .octocat, replacing: version)
        #expect(try await old.read(.octocat)?.text == "by the new")
        let first = CredentialAccount(server: "", clientID: "", label: "first")
        try await folder.store().store("a first record", for: first)
        #expect(try await folder.storeWithNewKey().read(first)?.text == "a first record")
        #expect(try folder.keysOfRecords() == [folder.keyChange().target])
        #expect(try await folder.storeWithNewKey().rekey(to: KeyFile(path: folder.newKeyPath)) == 0)
        #expect(try folder.keyChange().isUnderWay == false)
        // This store already existed during the change, and has learned the new key.
        #expect(try await old.read(.octocat)?.text == "by the new")
        try await old.store("once more", for: .octocat, replacing: try await old.read(.octocat)?.version)
        #expect(try await new.read(.octocat)?.text == "once more")
    }

    @Test func `a handle with either key can revert a change of the key, and make it again`() async throws {
        for takesBack: (TemporaryFolder) -> EncryptedFileStore in [{ $0.store() }, { $0.storeWithNewKey() }] {
            let (folder, _) = try await filledFolder()
            try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath), endingOldKey: false)
            #expect(try await takesBack(folder).rekey(to: KeyFile(path: folder.keyPath)) == 3)
            #expect(try folder.store().readNow(.octocat)?.text == "record")
            #expect(await code { () throws(CredentialStoreError) in _ = try folder.storeWithNewKey().readNow(.octocat) } == .keyMissing)
            #expect(try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath)) == 3)
            #expect(try folder.storeWithNewKey().readNow(.octocat)?.text == "record")
        }
    }

    @Test func `a change to a third key must wait, and nothing changes`() async throws {
        let (folder, _) = try await filledFolder()
        try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath), endingOldKey: false)
        let before = try contents(of: folder.keyChangePath)
        let found = await error { () throws(CredentialStoreError) in
            _ = try await folder.store().rekey(to: KeyFile(path: "\(folder.path)/third"))
        }
        #expect(found?.code == .refused)
        #expect(try contents(of: folder.keyChangePath) == before)
        #expect(try folder.store().readNow(.octocat)?.text == "record")
    }

    @Test func `the same key again, or a store without records, leaves nothing to do`() async throws {
        let (folder, _) = try await filledFolder()
        #expect(try await folder.store().rekey(to: KeyFile(path: folder.keyPath)) == 0)
        #expect(!exists(folder.keyChangePath))
        let empty = try TemporaryFolder()
        #expect(try await empty.store().rekey(to: KeyFile(path: empty.newKeyPath)) == 0)
        #expect(try names(in: empty.path).isEmpty)
    }

    @Test func `old copies remain old under the new key, including those of deleted records`() async throws {
        let (folder, versions) = try await filledFolder()
        let paths = Self.accounts.prefix(2).map { folder.recordPath(of: $0) }
        try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath), endingOldKey: false)
        let copies = try paths.map { try contents(of: $0) }
        let new = folder.storeWithNewKey()
        try await new.store("next", for: .octocat, replacing: versions[.octocat])
        try await new.delete(.hubot, at: versions[.hubot])
        // Change the key once more: the marks move to another key.
        try await folder.storeWithNewKey().rekey(to: KeyFile(path: folder.keyPath), endingOldKey: false)
        for (path, copy) in zip(paths, copies) { try write(copy, to: path) }
        for account in Self.accounts.prefix(2) {
            #expect(await code { () throws(CredentialStoreError) in _ = try folder.store().readNow(account) } == .rolledBack)
        }
    }

    @Test func `leaves records that do not open as they are, and a newer program's record keeps the old key in use`() async throws {
        let (folder, _) = try await filledFolder()
        try alter(folder.recordPath(of: .hubot)) { $0[$0.count - 1] ^= 1 }
        let damaged = try contents(of: folder.recordPath(of: .hubot))
        #expect(try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath), endingOldKey: false) == 2)
        #expect(try contents(of: folder.recordPath(of: .hubot)) == damaged)
        try alter(folder.recordPath(of: .hubot)) { $0[4] = 3 }
        #expect(
            await code { () throws(CredentialStoreError) in
                _ = try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath))
            } == .tooNew)
        #expect(try folder.keyChange().isUnderWay)
        #expect(try folder.store().readNow(.octocat)?.text == "record")
    }

    @Test func `a damaged record of the change prevents everyone from writing with the wrong key`() async throws {
        let (folder, versions) = try await filledFolder()
        try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath), endingOldKey: false)
        let note = try contents(of: folder.keyChangePath)
        for spoiled in [[], Array(note.dropLast()), note + [0], Array(note.prefix(10)), [0] + note] {
            try write(spoiled, to: folder.keyChangePath)
            let found = await error { () throws(CredentialStoreError) in
                _ = try await folder.store().write(Secret([1]), for: .octocat, replacing: versions[.octocat])
            }
            #expect(found?.code == .failed)
            #expect(found?.explanation.contains(folder.keyChangePath) == true)
        }
        try write(note, to: folder.keyChangePath)
        #expect(try folder.store().readNow(.octocat)?.text == "record")
    }
}
