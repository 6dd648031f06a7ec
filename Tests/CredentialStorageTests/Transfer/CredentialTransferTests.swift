import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Synchronization
import Testing

struct CredentialTransferTests {
    private let from: TemporaryFolder
    private let to: TemporaryFolder

    init() throws {
        (from, to) = (try TemporaryFolder(), try TemporaryFolder())
    }

    @Test func `moves all records, including those next to accounts, and leaves none`() async throws {
        let source = from.store()
        try await source.store("octocat's", for: .octocat)
        try await source.store("hubot's", for: .hubot)
        try await source.store("sign-ins", for: CredentialAccount.octocat.signIns)
        let report = try await CredentialTransfer().move(from: source, to: to.store())
        #expect(report.texts == ["octocat": "transferred", "hubot": "transferred", "beside octocat": "transferred"])
        #expect(report.isComplete)
        #expect(try names(in: from.storePath) == ["locks"])
        #expect(try await to.store().read(.octocat)?.text == "octocat's")
        #expect(try await to.store().read(.hubot)?.text == "hubot's")
        #expect(try await to.store().read(CredentialAccount.octocat.signIns)?.text == "sign-ins")
        let again = try await CredentialTransfer().move(from: source, to: to.store())
        #expect(again.entries.isEmpty && again.isComplete)
    }

    @Test(arguments: TransferStep.allCases)
    func `a move that is killed at a step loses nothing, and moving again completes it`(step: TransferStep) async throws {
        for account in [CredentialAccount.octocat, .hubot] { try await from.store().store(account.label, for: account) }
        let (sourcePath, targetPath) = (from.path, to.path)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [sourcePath = sourcePath as String, targetPath = targetPath as String, step = step as TransferStep] in
            let transfer = CredentialTransfer(replacesOthers: false, waitingForLeasesAtMost: .seconds(120)) { reached in
                if reached == step { kill(getpid(), SIGKILL) }
            }
            _ = try await transfer.move(
                from: TemporaryFolder.store(below: sourcePath), to: TemporaryFolder.store(below: targetPath))
        }
        for account in [CredentialAccount.octocat, .hubot] {
            let copies = try [from.store().readNow(account), to.store().readNow(account)].compactMap { $0?.text }
            #expect(!copies.isEmpty && Set(copies) == [account.label], "\(step)")
        }
        let report = try await CredentialTransfer().move(from: from.store(), to: to.store())
        #expect(report.isComplete)
        #expect(try await from.store().accounts().isEmpty)
        for account in [CredentialAccount.octocat, .hubot] { #expect(try to.store().readNow(account)?.text == account.label) }
    }

    @Test(arguments: [
        StorageStep.locked, .compared, .temporaryCreated, .temporaryWritten, .temporarySynchronized, .renamed, .removed,
        .folderSynchronized,
    ])
    func `a move that is killed while the target writes or the source deletes loses nothing either`(step: StorageStep) async throws {
        try await from.store().store("record", for: .octocat)
        let (sourcePath, targetPath) = (from.path, to.path)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [sourcePath = sourcePath as String, targetPath = targetPath as String, step = step as StorageStep] in
            let reached: StorageStepHook = { if $0 == step { kill(getpid(), SIGKILL) } }
            _ = try await CredentialTransfer().move(
                from: TemporaryFolder.store(below: sourcePath, reached: reached),
                to: TemporaryFolder.store(below: targetPath, reached: reached))
        }
        let copies = try [from.store().readNow(.octocat), to.store().readNow(.octocat)].compactMap { $0?.text }
        #expect(!copies.isEmpty && Set(copies) == ["record"])
        #expect(try await CredentialTransfer().move(from: from.store(), to: to.store()).isComplete)
        #expect(try from.store().readNow(.octocat) == nil)
        #expect(try to.store().readNow(.octocat)?.text == "record")
    }

    @Test(arguments: [(false, "kept another", "old"), (true, "replaced another", "new")])
    func `keeps a different record in the target unless told otherwise`(replaces: Bool, outcome: String, stands: String) async throws {
        try await from.store().store("new", for: .octocat)
        try await to.store().store("old", for: .octocat)
        try await from.store().store("hubot's", for: .hubot)
        let report = try await CredentialTransfer(replacesOthers: replaces).move(from: from.store(), to: to.store())
        #expect(report.texts == ["octocat": outcome, "hubot": "transferred"])
        #expect(report.isComplete == replaces)
        #expect(try to.store().readNow(.octocat)?.text == stands)
        #expect(try from.store().readNow(.octocat)?.text == (replaces ? nil : "new"))
    }

    @Test func `only deletes from the source a record that the target already has`() async throws {
        for folder in [from, to] { try await folder.store().store("record", for: .octocat) }
        #expect(try await CredentialTransfer().move(from: from.store(), to: to.store()).texts == ["octocat": "already there"])
        #expect(try from.store().readNow(.octocat) == nil)
        #expect(try to.store().readNow(.octocat)?.text == "record")
    }

    @Test func `does not move a store into itself, which would delete everything`() async throws {
        for account in [CredentialAccount.octocat, .hubot] { try await from.store().store(account.label, for: account) }
        let store = from.store()
        for target in [store, from.store()] {
            let code = await code { () throws(CredentialStoreError) in _ = try await CredentialTransfer().move(from: store, to: target) }
            #expect(code == .refused)
        }
        for account in [CredentialAccount.octocat, .hubot] { #expect(try store.readNow(account)?.text == account.label) }
    }

    @Test func `a copy of the folder, which has the same versions, is a different store`() async throws {
        for account in [CredentialAccount.octocat, .hubot] { try await from.store().store(account.label, for: account) }
        let copy = try from.image()
        #expect(try await CredentialTransfer().move(from: from.store(), to: copy.store()).isComplete)
        #expect(try await from.store().accounts().isEmpty)
        for account in [CredentialAccount.octocat, .hubot] { #expect(try copy.store().readNow(account)?.text == account.label) }
    }

    @Test func `leaves an account that is being refreshed for later, names the process that refreshes, and moves the others`() async throws
    {
        let source = from.store()
        for account in [CredentialAccount.octocat, .hubot] { try await source.store(account.label, for: account) }
        let lease = try await source.lease(.octocat, waitingAtMost: .zero)
        let report = try await CredentialTransfer(waitingForLeasesAtMost: .zero).move(from: from.store(), to: to.store())
        #expect(report.texts == ["octocat": "skipped: lease_held", "hubot": "transferred"])
        guard case .skipped(let error) = report.entries.first(where: { $0.account == .octocat })?.outcome else { return }
        #expect(error.leaseHolder == getpid())
        await lease.release()
        #expect(try await CredentialTransfer().move(from: source, to: to.store()).texts == ["octocat": "transferred"])
    }

    @Test func `moves what a refresh writes during the move, and loses nothing`() async throws {
        let source = from.store()
        try await source.store("old", for: .octocat)
        let isDone = Mutex(false)
        let meddled = MeddledStore(
            store: source,
            beforeDeleting: { account in
                guard
                    isDone.withLock({ done in
                        defer { done = true }; return !done
                    })
                else { return }
                try await source.store("new", for: account, replacing: try source.readNow(account)?.version)
            })
        #expect(try await CredentialTransfer().move(from: meddled, to: to.store()).texts == ["octocat": "transferred"])
        #expect(try to.store().readNow(.octocat)?.text == "new")
        #expect(try source.readNow(.octocat) == nil)
    }

    @Test func `a record that is written again and again stays in the source`() async throws {
        let source = from.store()
        try await source.store("old", for: .octocat)
        let meddled = MeddledStore(
            store: source,
            beforeDeleting: { account in try await source.store("new", for: account, replacing: try source.readNow(account)?.version) })
        #expect(try await CredentialTransfer().move(from: meddled, to: to.store()).texts == ["octocat": "failed: failed"])
        #expect(try source.readNow(.octocat)?.text == "new")
    }

    @Test func `an account that is signed out during its move does not come back in the target`() async throws {
        let source = from.store()
        try await source.store("record", for: .octocat)
        let reads = Mutex(0)
        let meddled = MeddledStore(
            store: source,
            beforeReading: { account in
                // The first read is that of the comparison of the stores, and the second is that of the move.
                if reads.withLock({
                    $0 += 1; return $0
                }) == 3 {
                    try await source.delete(account, at: nil)
                }
            },
            beforeDeleting: { account in try await source.store("newer", for: account, replacing: try source.readNow(account)?.version) })
        #expect(try await CredentialTransfer().move(from: meddled, to: to.store()).texts == ["octocat": "gone"])
        #expect(try to.store().readNow(.octocat) == nil)
    }

    @Test func `a target that does not return what was written loses no record`() async throws {
        try await from.store().store("record", for: .octocat)
        #expect(try await CredentialTransfer().move(from: from.store(), to: ForgetfulStore()).texts == ["octocat": "failed: failed"])
        let target = to.store()
        let meddled = MeddledStore(store: target, afterWriting: { try await target.delete($0, at: nil) })
        #expect(try await CredentialTransfer().move(from: from.store(), to: meddled).texts == ["octocat": "failed: failed"])
        #expect(try from.store().readNow(.octocat)?.text == "record")
    }

    @Test(arguments: [
        (CredentialStoreError.Code.full, true), (.locked, true), (.dismissed, true), (.unavailable, true), (.timedOut, true),
        (.tooLarge, false),
        (.refused, false), (.failed, false),
    ])
    func `an unusable target ends the move, a single bad record does not`(code: CredentialStoreError.Code, ends: Bool) async throws {
        let accounts = (0..<3).map { CredentialAccount(server: "https://server.example", clientID: "client", label: "\($0)") }
        for account in accounts { try await from.store().store(account.label, for: account) }
        let meddled = MeddledStore(store: to.store(), failsWriting: { _ in code })
        let report = try await CredentialTransfer().move(from: from.store(), to: meddled)
        let failure = "failed: \(code)"
        #expect(report.entries.map(\.outcome.text) == [failure] + Array(repeating: ends ? "not reached" : failure, count: 2))
        #expect(try await from.store().accounts().count == 3)
    }

    @Test func `reports a damaged record, which stays, and moves the others`() async throws {
        try await from.store().store("record", for: .octocat)
        try write([1, 2, 3], to: from.recordPath())
        try await from.store().store("record", for: .hubot)
        let report = try await CredentialTransfer().move(from: from.store(), to: to.store())
        #expect(report.texts == ["hubot": "transferred"])
        #expect(report.unreadable.map(\.code) == [.corrupt])
        #expect(!report.isComplete)
        #expect(try names(in: from.storePath).count == 2)
    }

    @Test func `a cancelled move stops between two records`() async throws {
        for account in [CredentialAccount.octocat, .hubot] { try await from.store().store(account.label, for: account) }
        let (source, target) = (from.store(), to.store())
        let task = Task {
            try await CredentialTransfer(replacesOthers: false, waitingForLeasesAtMost: .zero) { step in
                if step == .deleted { withUnsafeCurrentTask { $0?.cancel() } }
            }.move(from: source, to: target)
        }
        let report = try await task.value
        #expect(report.entries.map(\.outcome.text) == ["transferred", "not reached"])
        #expect(try await CredentialTransfer().move(from: source, to: target).isComplete)
        #expect(try await target.accounts().count == 2)
    }
}
