import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Synchronization
import Testing

/// If a change is interrupted at any point, either the old or the new record is stored.
struct CrashTests {
    /// The steps of each change, in order.
    static let writing: [StorageStep] = [
        .locked, .compared, .temporaryCreated, .temporaryWritten, .temporarySynchronized, .renamed, .folderSynchronized,
    ]
    static let deleting: [StorageStep] = [.locked, .compared, .removed, .folderSynchronized]

    @Test func `the folder of a write holds the old record, then the new one, at every step`() async throws {
        let folder = try TemporaryFolder()
        let version = try await folder.store().store("old", for: .octocat)
        let album = Album(folder)
        try await album.store().store("new", for: .octocat, replacing: version)
        #expect(album.steps == Self.writing)
        for (step, image) in try album.images() {
            let isNew = step == .renamed || step == .folderSynchronized
            #expect(try image.store().readNow(.octocat)?.text == (isNew ? "new" : "old"), "\(step)")
            #expect(try await image.store().accounts() == [.octocat], "\(step)")
            try await expectUsable(image)
        }
    }

    @Test func `the folder of a first write holds no record, then the new one, at every step`() async throws {
        let folder = try TemporaryFolder()
        let album = Album(folder)
        try await album.store().store("new", for: .octocat)
        #expect(album.steps == Self.writing)
        for (step, image) in try album.images() {
            let isNew = step == .renamed || step == .folderSynchronized
            #expect(try image.store().readNow(.octocat)?.text == (isNew ? "new" : nil), "\(step)")
            try await expectUsable(image)
        }
    }

    @Test func `the folder of a deletion holds the old record, then none, at every step`() async throws {
        let folder = try TemporaryFolder()
        let version = try await folder.store().store("old", for: .octocat)
        let album = Album(folder)
        #expect(try await album.store().delete(.octocat, at: version))
        #expect(album.steps == Self.deleting)
        for (step, image) in try album.images() {
            let isGone = step == .removed || step == .folderSynchronized
            #expect(try image.store().readNow(.octocat)?.text == (isGone ? nil : "old"), "\(step)")
            try await expectUsable(image)
        }
    }

    @Test(arguments: writing)
    func `a write that fails at a step leaves the old record or the new one, and nothing else`(step: StorageStep) async throws {
        let folder = try TemporaryFolder()
        let version = try await folder.store().store("old", for: .octocat)
        let failing = folder.store { reached throws(CredentialStoreError) in
            if reached == step { throw CredentialStoreError(.full, "Ordered by the test.") }
        }
        let code = await code { () throws(CredentialStoreError) in
            _ = try await failing.write(Secret(Array("new".utf8)), for: .octocat, replacing: version)
        }
        #expect(code == .full)
        let isNew = step == .renamed || step == .folderSynchronized
        #expect(try folder.store().readNow(.octocat)?.text == (isNew ? "new" : "old"))
        #expect(try names(in: folder.storePath).count == 2)
        try await expectUsable(folder)
    }

    @Test(arguments: writing)
    func `a process killed during a write leaves the old record or the new one, and no lock`(step: StorageStep) async throws {
        let folder = try TemporaryFolder()
        try await folder.store().store("old", for: .octocat)
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, step = step as StorageStep] in
            let store = TemporaryFolder.store(below: path) { reached in
                if reached == step { kill(getpid(), SIGKILL) }
            }
            let version = try store.readNow(.octocat)?.version
            try await store.store("new", for: .octocat, replacing: version)
        }
        let isNew = step == .renamed || step == .folderSynchronized
        #expect(try folder.store().readNow(.octocat)?.text == (isNew ? "new" : "old"))
        try await expectUsable(folder)
    }

    @Test func `the lease of a process that was killed is free`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let lease = try await TemporaryFolder.store(below: path).lease(.octocat, waitingAtMost: .zero)
            kill(getpid(), SIGKILL)
            await lease.release()
        }
        try await folder.store().lease(.octocat, waitingAtMost: .zero).release()
    }

    @Test func `the next deletion removes what killed writers left`() async throws {
        let folder = try TemporaryFolder()
        let album = Album(folder)
        try await album.store().store("new", for: .octocat)
        let image = try #require(try album.images().first { $0.step == .temporaryWritten }?.folder)
        #expect(try names(in: image.storePath).contains { $0.hasSuffix(".new") })
        #expect(try await image.store().delete(.octocat, at: nil))
        #expect(try names(in: image.storePath) == ["locks"])
    }

    /// Checks that the next write and deletion succeed and leave no other files behind.
    private func expectUsable(_ folder: TemporaryFolder) async throws {
        let store = folder.store()
        try await store.store("next", for: .octocat, replacing: try store.readNow(.octocat)?.version)
        #expect(try store.readNow(.octocat)?.text == "next")
        #expect(try names(in: folder.storePath).count == 2)
        #expect(try await store.delete(.octocat, at: nil))
        #expect(try names(in: folder.storePath) == ["locks"])
    }
}

/// Snapshots of a folder, one for each step of a change. Each shows the files that a process leaves behind if it dies at that step.
private final class Album: Sendable {
    private let folder: TemporaryFolder
    private let pictures = Mutex<[(step: StorageStep, folder: Result<TemporaryFolder, any Error>)]>([])

    init(_ folder: TemporaryFolder) {
        self.folder = folder
    }

    /// Returns a store in the folder that records its steps.
    func store() -> EncryptedFileStore {
        folder.store { step in
            let picture = Result { try self.folder.image() }
            self.pictures.withLock { $0.append((step, picture)) }
        }
    }

    var steps: [StorageStep] {
        pictures.withLock { $0.map(\.step) }
    }

    func images() throws -> [(step: StorageStep, folder: TemporaryFolder)] {
        try pictures.withLock { try $0.map { ($0.step, try $0.folder.get()) } }
    }
}
