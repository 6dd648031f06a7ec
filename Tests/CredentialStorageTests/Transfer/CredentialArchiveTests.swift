import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Testing

struct CredentialArchiveTests {
    private let from: TemporaryFolder
    private let to: TemporaryFolder
    private let archive: CredentialArchive

    init() throws {
        (from, to) = (try TemporaryFolder(), try TemporaryFolder())
        archive = CredentialArchive(path: "\(to.path)/archive", cost: .low)
    }

    private static func says(_ passphrase: String) -> PassphrasePrompt {
        { _ in Secret(Array(passphrase.utf8)) }
    }

    private func filled() async throws -> EncryptedFileStore {
        let store = from.store()
        try await store.store("octocat's", for: .octocat)
        try await store.store("hubot's", for: .hubot)
        try await store.store("sign-ins", for: CredentialAccount.octocat.signIns)
        return store
    }

    @Test func `an archive restores all records, including those next to accounts, and shows nothing of them`() async throws {
        let store = try await filled()
        let exported = try await archive.export(store, prompt: Self.says("right"))
        #expect(Set(exported.accounts) == [.octocat, .hubot, CredentialAccount.octocat.signIns])
        #expect(exported.unreadable.isEmpty)
        #expect(try mode(of: archive.path) == 0o600)
        #expect(try names(in: to.path) == ["archive"])
        let file = try contents(of: archive.path)
        for text in ["octocat", "hubot", "sign-ins", "server.example", "right"] { #expect(!file.contains(subsequence: Array(text.utf8))) }
        let target = to.store()
        let report = try await archive.importRecords(into: target, prompt: Self.says("right"))
        #expect(report.texts == ["octocat": "transferred", "hubot": "transferred", "beside octocat": "transferred"])
        #expect(report.isComplete)
        #expect(try target.readNow(.octocat)?.text == "octocat's")
        #expect(try target.readNow(CredentialAccount.octocat.signIns)?.text == "sign-ins")
        #expect(try await archive.importRecords(into: target, prompt: Self.says("right")).texts.values.allSatisfy { $0 == "already there" })
        #expect(try store.readNow(.octocat)?.text == "octocat's")
    }

    @Test func `restores records of any size and accounts of any characters unchanged`() async throws {
        let store = from.store()
        let accounts = ["", "\u{0}\u{1}\n\"", "caf\u{E9}", "cafe\u{301}", "🦊", String(repeating: "x", count: 30_000)]
            .map { CredentialAccount(server: "https://server.example/\($0)", clientID: $0, label: "") }
        let sizes = [0, 1, 20_000, StoredCredential.largestPayload, 7, 8]
        for (account, size) in zip(accounts, sizes) {
            _ = try await store.write(Secret((0..<size).map { UInt8(truncatingIfNeeded: $0) }), for: account, replacing: nil)
        }
        try await archive.export(store, prompt: Self.says("right"))
        #expect(try await archive.importRecords(into: to.store(), prompt: Self.says("right")).isComplete)
        for (account, size) in zip(accounts, sizes) {
            #expect(try to.store().readNow(account)?.payload.reveal() == (0..<size).map { UInt8(truncatingIfNeeded: $0) })
        }
    }

    @Test func `an empty store creates an empty archive`() async throws {
        #expect(try await archive.export(from.store(), prompt: Self.says("right")).accounts.isEmpty)
        #expect(try await archive.importRecords(into: to.store(), prompt: Self.says("right")).entries.isEmpty)
    }

    @Test(arguments: [(false, "kept another", "newer"), (true, "replaced another", "octocat's")])
    func `keeps a different existing record unless told otherwise`(replaces: Bool, outcome: String, stands: String) async throws {
        try await archive.export(filled(), prompt: Self.says("right"))
        let target = to.store()
        try await target.store("newer", for: .octocat)
        try await target.store("hubot's", for: .hubot)
        let report = try await archive.importRecords(into: target, replacesOthers: replaces, prompt: Self.says("right"))
        #expect(report.texts == ["octocat": outcome, "hubot": "already there", "beside octocat": "transferred"])
        #expect(report.isComplete == replaces)
        #expect(try target.readNow(.octocat)?.text == stands)
    }

    @Test(arguments: [(false, "failed: corrupt"), (true, "transferred")])
    func `replaces a damaged record in the store only if replacing is allowed`(replaces: Bool, outcome: String) async throws {
        let store = from.store()
        try await store.store("octocat's", for: .octocat)
        try await archive.export(store, prompt: Self.says("right"))
        try write([1, 2, 3], to: from.recordPath())
        let report = try await archive.importRecords(into: store, replacesOthers: replaces, prompt: Self.says("right"))
        #expect(report.texts == ["octocat": outcome])
    }

    @Test func `leaves an account that is being refreshed for later`() async throws {
        try await archive.export(filled(), prompt: Self.says("right"))
        let target = to.store()
        let lease = try await target.lease(.octocat, waitingAtMost: .zero)
        let report = try await archive.importRecords(into: to.store(), waitingForLeasesAtMost: .zero, prompt: Self.says("right"))
        #expect(report.texts == ["octocat": "skipped: lease_held", "hubot": "transferred", "beside octocat": "transferred"])
        await lease.release()
    }

    @Test func `reports a damaged record and leaves it out`() async throws {
        let store = from.store()
        try await store.store("octocat's", for: .octocat)
        try write([1, 2, 3], to: from.recordPath())
        try await store.store("hubot's", for: .hubot)
        let exported = try await archive.export(store, prompt: Self.says("right"))
        #expect(exported.accounts == [.hubot])
        #expect(exported.unreadable.map(\.code) == [.corrupt])
    }

    @Test func `does not overwrite an existing file, and checks this before it asks for the passphrase`() async throws {
        try write([1], to: archive.path)
        let prompt = ScriptedPrompt()
        let store = try await filled()
        let code = await code { () throws(CredentialStoreError) in
            _ = try await archive.export(store) { purpose throws(CredentialStoreError) in try prompt.answer(purpose) }
        }
        #expect(code == .refused)
        #expect(prompt.asked.isEmpty)
        #expect(try contents(of: archive.path) == [1])
    }

    @Test func `does not overwrite a file that appears while the passphrase is typed either`() async throws {
        let (store, path) = (try await filled(), archive.path)
        let code = await code { () throws(CredentialStoreError) in
            _ = try await archive.export(store) { _ in
                #expect(throws: Never.self) { try write([1], to: path) }
                return Secret([2])
            }
        }
        #expect(code == .refused)
        #expect(try contents(of: path) == [1])
        #expect(try names(in: to.path) == ["archive"])
    }

    @Test(arguments: [("", .refused), (nil, .dismissed)] as [(String?, CredentialStoreError.Code)])
    func `creates no archive without a passphrase`(passphrase: String?, expected: CredentialStoreError.Code) async throws {
        let store = try await filled()
        let prompt = ScriptedPrompt(passphrase.map { .says($0) } ?? .declines)
        let code = await code { () throws(CredentialStoreError) in
            _ = try await archive.export(store) { purpose throws(CredentialStoreError) in try prompt.answer(purpose) }
        }
        #expect(code == expected)
        #expect(try names(in: to.path).isEmpty)
    }

    @Test func `an export that is killed leaves no archive, and one that fails leaves nothing`() async throws {
        _ = try await filled()
        let (sourcePath, path) = (from.path, archive.path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [sourcePath = sourcePath as String, path = path as String] in
            let archive = CredentialArchive(path: path, cost: .low, reached: { kill(getpid(), SIGKILL) })
            try await archive.export(TemporaryFolder.store(below: sourcePath)) { _ in Secret([1]) }
        }
        #expect(!exists(path))
        for name in try names(in: to.path) {
            let left = try contents(of: "\(to.path)/\(name)")
            for text in ["octocat", "hubot"] { #expect(!left.contains(subsequence: Array(text.utf8))) }
            try check(unlink("\(to.path)/\(name)"), "unlink", name)
        }
        let failing = CredentialArchive(path: path, cost: .low) { () throws(CredentialStoreError) in
            throw CredentialStoreError(.full, "Ordered.")
        }
        let store = from.store()
        let code = await code { () throws(CredentialStoreError) in _ = try await failing.export(store, prompt: Self.says("right")) }
        #expect(code == .full)
        #expect(try names(in: to.path).isEmpty)
        try await archive.export(store, prompt: Self.says("right"))
    }

    @Test(arguments: [0o640, 0o604])
    func `rejects an archive that others may read`(mode: Int) async throws {
        try await archive.export(filled(), prompt: Self.says("right"))
        try check(chmod(archive.path, mode_t(mode)), "chmod", archive.path)
        #expect(await failure(of: archive) == .refused)
    }

    @Test func `reports a missing file, or one with other contents, as such`() async throws {
        #expect(await failure(of: archive) == .unavailable)
        for bytes in [[], Array("AHPK".utf8), Array(repeating: 0, count: 200), Array("AHCA".utf8)] {
            try write(bytes, to: archive.path)
            #expect(await failure(of: archive) == .corrupt)
        }
        try check(truncate(archive.path, 1 << 40), "truncate", archive.path)
        #expect(await failure(of: archive) == .tooLarge)
    }

    private func failure(of archive: CredentialArchive) async -> CredentialStoreError.Code? {
        let target = to.store()
        return await code { () throws(CredentialStoreError) in
            _ = try await archive.importRecords(into: target, prompt: Self.says("right"))
        }
    }
}
