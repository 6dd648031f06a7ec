import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import CredentialStorageTestSupport
import PlatformCredentialStorage
import Testing

struct StoreChoiceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keyring: StoreStanding
        var wanted: CredentialStoreKind?
        /// The recorded choice before the test.
        var record: String?
        var hasOlderRecords = false
        /// The store that the first write chooses; nil if the write fails with the code.
        var chosen: CredentialStoreKind?
        var code: CredentialStoreError.Code?
        /// The recorded choice afterwards.
        var recorded: CredentialStoreKind?
    }

    private static let reason = CredentialStoreError(.unavailable, "There is no session bus.")

    @Test(arguments: [
        Row(testDescription: "an available keyring", keyring: .usable, chosen: .secretService, recorded: .secretService),
        Row(
            testDescription: "a locked keyring does not lead to a file", keyring: .needsPerson(.init(.locked, "It is locked.")),
            chosen: .secretService, recorded: .secretService),
        Row(testDescription: "no keyring", keyring: .absent(reason), chosen: .encryptedFile, recorded: .encryptedFile),
        Row(
            testDescription: "a keyring that does not respond decides nothing", keyring: .unclear(.init(.timedOut, "No answer.")),
            code: .timedOut),
        Row(
            testDescription: "a file by name, despite a keyring", keyring: .usable, wanted: .encryptedFile, chosen: .encryptedFile,
            recorded: .encryptedFile),
        Row(
            testDescription: "a file by name, with a keyring that does not respond", keyring: .unclear(.init(.timedOut, "No answer.")),
            wanted: .encryptedFile, chosen: .encryptedFile, recorded: .encryptedFile),
        Row(testDescription: "plain files by name", keyring: .absent(reason), wanted: .plainFile, chosen: .plainFile, recorded: .plainFile),
        Row(
            testDescription: "the recorded choice, although there is a keyring now", keyring: .usable, record: "file",
            chosen: .encryptedFile, recorded: .encryptedFile),
        Row(
            testDescription: "the recorded choice, although it is gone", keyring: .absent(reason), record: "secret-service",
            chosen: .secretService, recorded: .secretService),
        Row(
            testDescription: "another by name leaves the recorded choice", keyring: .usable, wanted: .plainFile, record: "secret-service",
            chosen: .plainFile, recorded: .secretService),
        Row(
            testDescription: "records from before choices were recorded", keyring: .usable, hasOlderRecords: true, chosen: .encryptedFile,
            recorded: .encryptedFile),
        Row(
            testDescription: "another by name, with such records", keyring: .usable, wanted: .secretService,
            hasOlderRecords: true, chosen: .secretService, recorded: .encryptedFile),
        Row(
            testDescription: "a store that this program does not have", keyring: .usable, record: "keychain", code: .unavailable,
            recorded: .keychain),
    ])
    func `the first write chooses, and the choice is recorded`(row: Row) async throws {
        let bench = try PlatformBench(keyring: row.keyring)
        if let record = row.record { try bench.writeRecord("AuthHub store choice 1\n\(record)\n") }
        if row.hasOlderRecords { try await bench.inside(.encryptedFile).store("old", for: .hubot) }
        let store = bench.store(wanted: row.wanted)
        let code = await code { () throws(CredentialStoreError) in
            _ = try await store.write(Secret([1]), for: .octocat, replacing: nil)
        }
        #expect(code == row.code)
        for kind in PlatformBench.kinds {
            #expect(try await (bench.inside(kind).read(.octocat) != nil) == (kind == row.chosen), "\(kind)")
        }
        #expect(try bench.recorded() == row.recorded)
        if row.code == nil { #expect(try await store.read(.octocat) != nil) }
    }

    @Test func `reading, listing and deleting choose nothing`() async throws {
        let bench = try PlatformBench(keyring: .usable)
        let store = bench.store()
        #expect(try await store.read(.octocat) == nil)
        #expect(try await store.accounts().isEmpty)
        #expect(try await store.delete(.octocat, at: nil))
        #expect(try await store.removeUnreadable() == 0)
        #expect(try names(in: bench.folder.path).isEmpty)
    }

    @Test func `declining the keyring chooses nothing`() async throws {
        let bench = try PlatformBench(keyring: .needsPerson(.init(.locked, "It is locked.")), refusing: .init(.dismissed, "Declined."))
        let store = bench.store()
        let code = await code { () throws(CredentialStoreError) in
            _ = try await store.write(Secret([1]), for: .octocat, replacing: nil)
        }
        #expect(code == .dismissed)
        #expect(try bench.recorded() == nil)
    }

    @Test func `a lease chooses, and is held in the chosen store`() async throws {
        let bench = try PlatformBench(keyring: .usable)
        let lease = try await bench.store().lease(.octocat, waitingAtMost: .seconds(1))
        #expect(try bench.recorded() == .secretService)
        let held = await code { () throws(CredentialStoreError) in
            _ = try await bench.inside(.secretService).lease(.octocat, waitingAtMost: .zero)
        }
        #expect(held == .leaseHeld)
        await lease.release()
    }

    @Test func `concurrent first writes choose the same store`() async throws {
        let bench = try PlatformBench(keyring: .usable, alternating: true)
        await withTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    let account = CredentialAccount(server: "https://server.example", clientID: "client", label: "\(number)")
                    _ = try? await bench.store().write(Secret([1]), for: account, replacing: nil)
                }
            }
        }
        let chosen = try #require(try bench.recorded())
        #expect(try await bench.inside(chosen).accounts().count == 16)
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        var mode: UInt32 = 0o600
        let code: CredentialStoreError.Code
    }

    @Test(arguments: [
        Damage(testDescription: "empty", text: "", code: .corrupt),
        Damage(testDescription: "no format", text: "AuthHub store choice \nfile\n", code: .corrupt),
        Damage(testDescription: "truncated", text: "AuthHub store choice 1\nfi", code: .corrupt),
        Damage(testDescription: "no name", text: "AuthHub store choice 1\n\n", code: .corrupt),
        Damage(testDescription: "an extra line", text: "AuthHub store choice 1\nfile\nfile\n", code: .corrupt),
        Damage(testDescription: "far too long", text: "AuthHub store choice 1\n\(String(repeating: "f", count: 300))\n", code: .corrupt),
        Damage(testDescription: "a later format", text: "AuthHub store choice 2\n{}\n", code: .tooNew),
        Damage(testDescription: "others may write it", text: "AuthHub store choice 1\nplain\n", mode: 0o666, code: .refused),
    ])
    func `an unreadable record is an error, and no other store is used`(damage: Damage) async throws {
        let bench = try PlatformBench(keyring: .usable)
        try bench.writeRecord(damage.text, mode: damage.mode)
        let store = bench.store()
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == damage.code)
        let writing = await code { () throws(CredentialStoreError) in
            _ = try await store.write(Secret([1]), for: .octocat, replacing: nil)
        }
        #expect(writing == damage.code)
        for kind in PlatformBench.kinds { #expect(try await bench.inside(kind).accounts().isEmpty) }
    }

    @Test func `a report shows the state of each store, and why one was skipped`() async throws {
        let bench = try PlatformBench(keyring: .absent(Self.reason))
        let before = try await bench.store().report()
        #expect(before.chosen == .encryptedFile)
        #expect(before.origin == .next)
        #expect(before.passedOver.map(\.kind) == [.secretService])
        #expect(before.passedOver.first?.reason.explanation == Self.reason.explanation)
        #expect(before.steps.map(\.kind) == PlatformBench.kinds)
        #expect(try names(in: bench.folder.path).isEmpty)
        try await bench.store().store("record", for: .octocat)
        #expect(try await bench.store().report().origin == .recorded)
        #expect(try await bench.store(wanted: .plainFile).report().origin == .named)
    }

    @Test func `a handle follows a choice that has changed since`() async throws {
        let bench = try PlatformBench(keyring: .usable)
        let store = bench.store()
        try await store.store("in the keyring", for: .octocat)
        try bench.writeRecord("AuthHub store choice 1\nfile\n")
        #expect(try await store.read(.octocat) == nil)
        try await store.store("in a file", for: .octocat)
        #expect(try await bench.inside(.encryptedFile).read(.octocat)?.text == "in a file")
    }
}

struct MovingStoreTests {
    private static let newcomer = CredentialAccount(server: "https://server.example", clientID: "client", label: "newcomer")

    @Test func `while records are moved, all of them are found, and each is stored once`() async throws {
        let bench = try PlatformBench(keyring: .usable)
        let (old, new) = (bench.inside(.encryptedFile), bench.inside(.secretService))
        let store = bench.store()
        try await old.store("still here", for: .octocat)
        try await new.store("moved", for: .hubot)
        // An earlier move left this record behind. It has been refreshed in the old store since.
        try await new.store("stale", for: .octocat)
        try await store.beginMoving(from: .encryptedFile, to: .secretService)
        let before = try #require(try await store.read(.octocat))
        #expect(before.text == "still here")
        #expect(try await store.read(.hubot)?.text == "moved")
        #expect(Set(try await store.accounts()) == [.octocat, .hubot])

        try await store.store("renewed", for: .octocat, replacing: before.version)
        #expect(try await old.read(.octocat)?.text == "renewed")
        try await store.store("new", for: Self.newcomer)
        #expect(try await new.read(Self.newcomer)?.text == "new")
        #expect(try await old.read(Self.newcomer) == nil)

        let lease = try await store.lease(.octocat, waitingAtMost: .seconds(1))
        for held in [old, new] {
            #expect(
                await code { () throws(CredentialStoreError) in _ = try await held.lease(.octocat, waitingAtMost: .zero) } == .leaseHeld)
        }
        await lease.release()
        #expect(try await store.delete(.octocat, at: nil))
        #expect(try await old.read(.octocat) == nil)
        #expect(try await new.read(.octocat) == nil)

        try await store.endMoving(to: .secretService)
        #expect(try await store.read(.hubot)?.text == "moved")
        #expect(try bench.recorded() == .secretService)
    }

    @Test func `a holder of the old lease that waited through a move gets the lease of the new store`() async throws {
        let bench = try PlatformBench(keyring: .usable)
        try bench.writeRecord("AuthHub store choice 1\nfile\n")
        let (old, new) = (bench.inside(.encryptedFile), bench.inside(.secretService))
        let first = try await bench.store().lease(.octocat, waitingAtMost: .seconds(1))
        async let second = bench.store().lease(.octocat, waitingAtMost: .seconds(120))
        try bench.writeRecord("AuthHub store choice 1\nsecret-service\n")
        await first.release()
        let lease = try await second
        #expect(await code { () throws(CredentialStoreError) in _ = try await new.lease(.octocat, waitingAtMost: .zero) } == .leaseHeld)
        await (try old.lease(.octocat, waitingAtMost: .seconds(120))).release()
        await lease.release()
    }

    @Test(arguments: [CredentialStoreKind.encryptedFile, .secretService])
    func `naming one of the two stores while records are moved finds those of both, and shares their leases`(
        wanted: CredentialStoreKind
    ) async throws {
        let bench = try PlatformBench(keyring: .usable)
        try await bench.inside(.encryptedFile).store("still here", for: .octocat)
        try await bench.inside(.secretService).store("moved", for: .hubot)
        try await bench.store().beginMoving(from: .encryptedFile, to: .secretService)
        let named = bench.store(wanted: wanted)
        #expect(try await named.read(.octocat)?.text == "still here")
        #expect(try await named.read(.hubot)?.text == "moved")
        let lease = try await named.lease(.octocat, waitingAtMost: .seconds(120))
        for kind in [CredentialStoreKind.encryptedFile, .secretService] {
            let held = bench.inside(kind)
            #expect(
                await code { () throws(CredentialStoreError) in _ = try await held.lease(.octocat, waitingAtMost: .zero) } == .leaseHeld)
        }
        await lease.release()
    }

    @Test(arguments: ["fi\u{1B}[31mle", "fi le", "file\u{7}"])
    func `a choice with terminal control characters is damaged`(name: String) async throws {
        let bench = try PlatformBench(keyring: .usable)
        try bench.writeRecord("AuthHub store choice 1\n\(name)\n")
        #expect(await code { () throws(CredentialStoreError) in _ = try await bench.store().read(.octocat) } == .corrupt)
    }

    @Test func `a move in progress excludes others, and can be restarted`() async throws {
        let bench = try PlatformBench(keyring: .usable)
        let store = bench.store()
        try await store.beginMoving(from: .encryptedFile, to: .secretService)
        try await store.beginMoving(from: .encryptedFile, to: .secretService)
        let back = await code { () throws(CredentialStoreError) in
            try await store.beginMoving(from: .secretService, to: .encryptedFile)
        }
        #expect(back == .refused)
    }

    @Test(arguments: CredentialStoreContract.checks)
    func `two stores fulfil the contract while records are moved`(check: CredentialStoreContract.Check) async throws {
        let bench = try PlatformBench(keyring: .usable)
        try await bench.store().beginMoving(from: .encryptedFile, to: .secretService)
        try await check.run { bench.store() }
    }
}
