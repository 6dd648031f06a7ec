import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Dispatch
import Platform
import Synchronization
import Testing

/// Changes of the key that are interrupted, or that happen while other processes use the store.
struct RekeyingCrashTests {
    private static let accounts: [CredentialAccount] = [.octocat, .hubot]

    /// The steps of a change of the key of two records: each write of a file has five.
    private static let announcing: [StorageStep] = writing + [.keyChangeAnnounced]
    private static let steps: [StorageStep] = announcing + writing + writing + [.recordsResealed] + writing + [.keyChangeEnded]
    private static let writing: [StorageStep] = [
        .temporaryCreated, .temporaryWritten, .temporarySynchronized, .renamed, .folderSynchronized,
    ]

    private func filledFolder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for account in Self.accounts { try await folder.store().store("record", for: account) }
        return folder
    }

    @Test func `a change of the key goes through these steps`() async throws {
        let folder = try await filledFolder()
        let steps = Mutex<[StorageStep]>([])
        let store = folder.store { step in steps.withLock { $0.append(step) } }
        try await store.rekey(to: KeyFile(path: folder.newKeyPath))
        #expect(steps.withLock { $0 } == Self.steps)
    }

    @Test(arguments: steps.indices)
    func `wherever it is killed, every record opens and can be written, and calling it again completes it`(index: Int) async throws {
        let folder = try await filledFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, index = index as Int] in
            let count = Mutex(0)
            let store = TemporaryFolder.store(below: path) { _ in
                let isLast = count.withLock { count in
                    count += 1
                    return count == index + 1
                }
                if isLast { kill(getpid(), SIGKILL) }
            }
            try await store.rekey(to: KeyFile(path: "\(path)/service/new.key"))
        }
        // The fourth of the five steps makes the change of a file visible.
        let isAnnounced = index >= 3
        let isEnded = index >= Self.steps.count - 3
        var handles: [EncryptedFileStore] = []
        if !isEnded { handles.append(folder.store()) }
        if isAnnounced { handles.append(folder.storeWithNewKey()) }
        for (number, store) in handles.enumerated() {
            for account in Self.accounts {
                let found = try #require(try await store.read(account))
                #expect(found.text == (number == 0 ? "record" : "after"))
                try await store.store("after", for: account, replacing: found.version)
            }
        }
        for store in isEnded ? [folder.storeWithNewKey()] : [folder.store(), folder.storeWithNewKey()] {
            try await store.rekey(to: KeyFile(path: folder.newKeyPath))
            #expect(try folder.keyChange().isUnderWay == false)
            #expect(try folder.keysOfRecords() == [folder.keyChange().target])
        }
        #expect(try await folder.storeWithNewKey().accounts().count == 2)
        #expect(await code { () throws(CredentialStoreError) in _ = try folder.store().readNow(.octocat) } == .keyMissing)
        #expect(try !names(in: folder.storePath).contains { $0.hasSuffix(".new") })
    }

    @Test(arguments: [StorageStep.temporaryCreated, .temporaryWritten, .temporarySynchronized])
    func `announces nothing if there is no room`(step: StorageStep) async throws {
        let folder = try await filledFolder()
        let full = folder.store { reached throws(CredentialStoreError) in
            if reached == step { throw CredentialStoreError(.full, "Ordered by the test.") }
        }
        #expect(
            await code { () throws(CredentialStoreError) in _ = try await full.rekey(to: KeyFile(path: folder.newKeyPath)) } == .full)
        #expect(!exists(folder.keyChangePath))
        #expect(try folder.store().readNow(.octocat)?.text == "record")
    }

    @Test(.timeLimit(.minutes(15)))
    func `waits for a writer that chose the old key before the announcement, and seals its record again`() async throws {
        let folder = try await filledFolder()
        let (began, announced) = (Event(), DispatchSemaphore(value: 0))
        let account = CredentialAccount(server: "", clientID: "", label: "first")
        let slow = folder.store { step in
            guard step == .temporaryCreated else { return }
            began.signal()
            _ = announced.wait(timeout: .now() + 600)
        }
        let writer = Task(executorPreference: OwnThread()) { try await slow.store("a first record", for: account) }
        await began.wait()
        let store = folder.store { step in
            if step == .keyChangeAnnounced { announced.signal() }
        }
        #expect(try await store.rekey(to: KeyFile(path: folder.newKeyPath)) == 3)
        _ = try await writer.value
        #expect(try folder.storeWithNewKey().readNow(account)?.text == "a first record")
        #expect(try folder.keysOfRecords() == [folder.keyChange().target])
    }

    @Test(.timeLimit(.minutes(15)))
    func `another process with the old key reads and writes all the while`() async throws {
        let folder = try await filledFolder()
        let path = folder.path
        let other = Task {
            _ = await #expect(processExitsWith: .success) { [path = path as String] in
                let store = TemporaryFolder.store(below: path)
                var count = 0
                while try await store.read(.hubot) != nil {
                    count += 1
                    try await store.store("\(count)", for: .octocat, replacing: try await store.read(.octocat)?.version)
                    let label = CredentialAccount(server: "", clientID: "", label: "\(count % 5)")
                    try await store.delete(label, at: nil)
                    try await store.store("first", for: label)
                }
            }
        }
        let new = folder.storeWithNewKey()
        /// Returns after the other process has run a few more iterations of its loop.
        func progress(_ store: EncryptedFileStore, after last: Int) async throws -> Int {
            while true {
                let count = Int(try await store.read(.octocat)?.text ?? "") ?? 0
                if count > last + 2 { return count }
                await Task.yield()
            }
        }
        var count = try await progress(folder.store(), after: 0)
        try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath), endingOldKey: false)
        count = try await progress(new, after: count)
        try await folder.store().rekey(to: KeyFile(path: folder.keyPath), endingOldKey: false)
        count = try await progress(folder.store(), after: count)
        try await folder.store().rekey(to: KeyFile(path: folder.newKeyPath), endingOldKey: false)
        count = try await progress(new, after: count)
        try await new.rekey(to: KeyFile(path: folder.newKeyPath))
        _ = try await progress(new, after: count)
        try await new.delete(.hubot, at: nil)
        await other.value
        #expect(try folder.keysOfRecords() == [folder.keyChange().target])
    }
}
