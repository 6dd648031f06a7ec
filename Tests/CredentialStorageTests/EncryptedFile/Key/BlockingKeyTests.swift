import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Dispatch
import Synchronization
import Testing

/// Tests with keys that the store must request from a user or a service.
struct BlockingKeyTests {
    /// A source that returns the key when the test allows it, and counts the requests.
    private final class SlowSource: StoreKeySource {
        private let gate = DispatchSemaphore(value: 0)
        let asked = Event()
        private let count = Mutex(0)
        private let answer: @Sendable () throws(CredentialStoreError) -> Secret<[UInt8]>?

        init(_ answer: @escaping @Sendable () throws(CredentialStoreError) -> Secret<[UInt8]>?) {
            self.answer = answer
        }

        var questions: Int { count.withLock { $0 } }

        func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
            count.withLock { $0 += 1 }
            asked.signal()
            guard gate.wait(timeout: .now() + 600) == .success else {
                throw CredentialStoreError(.timedOut, "Nobody let the source answer.")
            }
            gate.signal()
            return try answer()
        }

        func open() { gate.signal() }
    }

    private func folder() async throws -> (TemporaryFolder, Secret<[UInt8]>) {
        let folder = try TemporaryFolder()
        try await folder.store().store("record", for: .octocat)
        return (folder, Secret(try contents(of: folder.keyPath)))
    }

    @Test(.timeLimit(.minutes(15)))
    func `any number of readers wait for a key without blocking Swift's threads, and it is requested once`() async throws {
        let (folder, key) = try await folder()
        let source = SlowSource { key }
        let store = EncryptedFileStore(folder: folder.storePath, key: source)
        let readers = (0..<64).map { _ in Task { try await store.read(.octocat)?.text } }
        // A task opens the source. It would never run if the readers blocked the threads.
        await Task { source.open() }.value
        for reader in readers { #expect(try await reader.value == "record") }
        #expect(source.questions == 1)
    }

    @Test(.timeLimit(.minutes(15)))
    func `with the key at hand, no reader, writer or list requests it again`() async throws {
        let (folder, key) = try await folder()
        let source = SlowSource { key }
        source.open()
        let store = EncryptedFileStore(folder: folder.storePath, key: source)
        let version = try await store.read(.octocat)?.version
        try await store.store("next", for: .octocat, replacing: version)
        try await store.store("another account", for: .hubot)
        try await store.delete(.hubot, at: nil)
        _ = try await store.inventory()
        #expect(source.questions == 1)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a writer waits for a key before it takes the lock, which others get in the meantime`() async throws {
        let (folder, key) = try await folder()
        let source = SlowSource { key }
        let store = EncryptedFileStore(folder: folder.storePath, key: source)
        let version = try folder.store().readNow(.octocat)?.version
        let writer = Task { try await store.write(Secret([1]), for: .octocat, replacing: version) }
        await source.asked.wait()
        try await folder.store().store("faster", for: .octocat, replacing: version)
        source.open()
        guard case .superseded(let current) = try await writer.value else {
            Issue.record("The slower writer's record replaced the faster writer's.")
            return
        }
        #expect(current?.text == "faster")
    }

    @Test(.timeLimit(.minutes(15)))
    func `all callers that wait for the user get the same answer, and the next caller asks again`() async throws {
        let (folder, key) = try await folder()
        let answers = Mutex(0)
        let source = SlowSource { () throws(CredentialStoreError) in
            let count = answers.withLock { count in
                count += 1
                return count
            }
            guard count > 1 else { throw CredentialStoreError(.dismissed, "Declined.") }
            return key
        }
        let store = EncryptedFileStore(folder: folder.storePath, key: source)
        let readers = (0..<8).map { _ in Task { await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } } }
        source.open()
        var codes: [CredentialStoreError.Code?] = []
        for reader in readers { codes.append(await reader.value) }
        #expect(codes.contains(.dismissed))
        #expect(!codes.contains(.corrupt))
        #expect(try await store.read(.octocat)?.text == "record")
    }

    @Test func `deleting a record at any version requests no key`() async throws {
        let (folder, key) = try await folder()
        let source = SlowSource { key }
        source.open()
        #expect(try await EncryptedFileStore(folder: folder.storePath, key: source).delete(.octocat, at: nil))
        #expect(source.questions == 0)
    }
}
