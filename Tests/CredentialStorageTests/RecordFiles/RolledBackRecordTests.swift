import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Testing

/// Tests with old copies of the files that a backup, or a program that synchronizes folders, has restored.
struct RolledBackRecordTests {
    @Test(arguments: StoreForm.allCases)
    func `reports a restored record as such, keeps it, and neither reads nor replaces it by version`(form: StoreForm) async throws {
        let folder = try TemporaryFolder()
        let old = try await folder.anyStore(form).store("old", for: .octocat)
        let backup = try contents(of: folder.recordPath())
        let new = try await folder.anyStore(form).store("new", for: .octocat, replacing: old)
        try write(backup, to: folder.recordPath())
        let store = folder.anyStore(form)
        let found = await error { () throws(CredentialStoreError) in _ = try await store.read(.octocat) }
        #expect(found?.code == .rolledBack)
        #expect(found?.explanation.contains("sign in again") == true)
        for version in [nil, old, new] {
            #expect(
                await code { () throws(CredentialStoreError) in
                    _ = try await store.write(Secret([1]), for: .octocat, replacing: version)
                } == .rolledBack)
        }
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.delete(.octocat, at: old) } == .rolledBack)
        #expect(try await store.inventory().unreadable.map(\.code) == [.rolledBack])
        #expect(try await store.removeUnreadable() == 0)
        #expect(try contents(of: folder.recordPath()) == backup)
    }

    @Test(arguments: StoreForm.allCases)
    func `deleting it helps, for good`(form: StoreForm) async throws {
        let folder = try TemporaryFolder()
        let store = folder.anyStore(form)
        let version = try await store.store("old", for: .octocat)
        let (path, backup) = (try folder.recordPath(), try contents(of: folder.recordPath()))
        try await store.store("new", for: .octocat, replacing: version)
        try write(backup, to: path)
        #expect(try await folder.anyStore(form).delete(.octocat, at: nil))
        try write(backup, to: path)
        #expect(await reading(folder.anyStore(form)) == .rolledBack)
        #expect(try await store.delete(.octocat, at: nil))
        try await store.store("newer", for: .octocat)
        #expect(try await folder.anyStore(form).read(.octocat)?.text == "newer")
    }

    @Test(arguments: StoreForm.allCases)
    func `signing in again, which overwrites any record, helps`(form: StoreForm) async throws {
        let folder = try TemporaryFolder()
        let version = try await folder.anyStore(form).store("old", for: .octocat)
        let backup = try contents(of: folder.recordPath())
        try await folder.anyStore(form).store("new", for: .octocat, replacing: version)
        try write(backup, to: folder.recordPath())
        #expect(try await folder.anyStore(form).overwrite(.octocat, with: Secret(Array("signed in".utf8))) != nil)
        #expect(try await folder.anyStore(form).read(.octocat)?.text == "signed in")
    }

    @Test(arguments: StoreForm.allCases)
    func `a record restored after its deletion is an old one`(form: StoreForm) async throws {
        let folder = try TemporaryFolder()
        let version = try await folder.anyStore(form).store("signed in", for: .octocat)
        let (path, backup) = (try folder.recordPath(), try contents(of: folder.recordPath()))
        #expect(try await folder.anyStore(form).delete(.octocat, at: version))
        try write(backup, to: path)
        #expect(await reading(folder.anyStore(form)) == .rolledBack)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Replaces the new folder with an old one.
        let restore: @Sendable (_ old: TemporaryFolder, _ new: TemporaryFolder) throws -> Void
    }

    @Test(
        arguments: [
            Row(testDescription: "with its locks") { old, new in
                try write(contents(of: old.lockPath(of: .octocat)), to: new.lockPath(of: .octocat))
            },
            Row(testDescription: "with the locks removed") { _, new in try check(unlink(new.lockPath(of: .octocat)), "unlink", "") },
        ], StoreForm.allCases)
    func `only handles that have the folder open detect that the whole folder was restored`(row: Row, form: StoreForm) async throws {
        let folder = try TemporaryFolder()
        let running = folder.anyStore(form)
        let version = try await running.store("old", for: .octocat)
        let old = try folder.image()
        try await running.store("new", for: .octocat, replacing: version)
        try write(contents(of: old.recordPath()), to: folder.recordPath())
        try row.restore(old, folder)
        #expect(await reading(running) == .rolledBack)
        let started = folder.anyStore(form)
        #expect(try await started.read(.octocat)?.text == "old")
        // Signing in again solves the problem for all stores.
        #expect(try await running.overwrite(.octocat, with: Secret(Array("signed in".utf8))) != nil)
        #expect(try await started.read(.octocat)?.text == "signed in")
    }

    @Test(arguments: StoreForm.allCases)
    func `a generation mark that lags, as after a crash, does not make a current record an old one`(form: StoreForm) async throws {
        let folder = try TemporaryFolder()
        let first = try await folder.anyStore(form).store("first", for: .octocat)
        let lagging = try contents(of: folder.lockPath(of: .octocat))
        let second = try await folder.anyStore(form).store("second", for: .octocat, replacing: first)
        try write(lagging, to: folder.lockPath(of: .octocat))
        #expect(try await folder.anyStore(form).read(.octocat)?.text == "second")
        let backup = try contents(of: folder.recordPath())
        try await folder.anyStore(form).store("third", for: .octocat, replacing: second)
        try write(backup, to: folder.recordPath())
        #expect(await reading(folder.anyStore(form)) == .rolledBack)
    }

    struct Mark: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Changes the mark of octocat's record. The other mark is that of hubot's record, which was written more often.
        let change: @Sendable (_ mark: inout [UInt8], _ other: [UInt8]) -> Void
    }

    @Test(
        arguments: [
            Mark(testDescription: "of another account") { mark, other in mark = other },
            Mark(testDescription: "with a higher number") { mark, _ in mark[7] = 9 },
            Mark(testDescription: "with the highest number") { mark, _ in for index in 0..<8 { mark[index] = 255 } },
            Mark(testDescription: "truncated") { mark, _ in mark = Array(mark.prefix(20)) },
            Mark(testDescription: "empty, as an older program leaves it") { mark, _ in mark = [] },
            Mark(testDescription: "with other contents") { mark, _ in mark = Array("17\nboot\n".utf8) },
        ], StoreForm.allCases)
    func `a mark that does not belong to the record does not make a current record an old one`(row: Mark, form: StoreForm) async throws {
        let folder = try TemporaryFolder()
        try await folder.anyStore(form).store("record", for: .octocat)
        var version: CredentialVersion?
        for _ in 0..<3 { version = try await folder.anyStore(form).store("other", for: .hubot, replacing: version) }
        let other = try contents(of: folder.lockPath(of: .hubot))
        try alter(folder.lockPath(of: .octocat)) { row.change(&$0, other) }
        let store = folder.anyStore(form)
        let found = try #require(try await store.read(.octocat))
        try await store.store("next", for: .octocat, replacing: found.version)
        #expect(try await folder.anyStore(form).read(.octocat)?.text == "next")
    }

    @Test(.timeLimit(.minutes(15)), arguments: StoreForm.allCases)
    func `readers never mistake a current record for an old one while others write and delete`(form: StoreForm) async throws {
        let folder = try TemporaryFolder()
        let shared = folder.anyStore(form)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in [shared, shared, folder.anyStore(form)] {
                group.addTask { for _ in 0..<100 { _ = try await store.read(.octocat) } }
            }
            for store in [shared, folder.anyStore(form)] {
                group.addTask {
                    for step in 0..<15 {
                        let current = try await store.read(.octocat)?.version
                        _ = try await store.write(Secret([1]), for: .octocat, replacing: current)
                        if step % 7 == 0 { try await store.delete(.octocat, at: nil) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func reading(_ store: any CredentialStore) async -> CredentialStoreError.Code? {
        await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) }
    }
}
