import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Synchronization
import Testing

struct LockWaitTests {
    @Test func `notifies a caller that waits for another writer once, and lets it give up`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        let version = try await store.store("old", for: .octocat)
        // Lock the file as another process would, without this process's queue.
        let path = try #require(try names(in: "\(folder.storePath)/locks").first { $0.hasSuffix(".write") })
        let descriptor = open("\(folder.storePath)/locks/\(path)", O_RDWR)
        defer { close(descriptor) }
        try check(flock(descriptor, LOCK_EX), "flock", path)
        let (notices, continuation) = AsyncStream.makeStream(of: Int32?.self)
        let writing = Task {
            await LockWait.$current.withValue(LockWait { continuation.yield($0) }) {
                await code { () throws(CredentialStoreError) in _ = try await store.delete(.octocat, at: version) }
            }
        }
        for await process in notices {
            #expect(process == nil)
            break
        }
        writing.cancel()
        #expect(await writing.value == .cancelled)
        #expect(try await store.read(.octocat)?.text == "old")
        try check(flock(descriptor, LOCK_UN), "flock", path)
        continuation.finish()
        var others = 0
        for await _ in notices { others += 1 }
        #expect(others == 0)
    }
}
