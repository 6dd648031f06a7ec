import AuthHubPrimitives
import Testing

@testable import CredentialStorage
import CredentialStorageTestSupport

/// The changes that the memory store reports.
@Suite(.timeLimit(.minutes(15)))
struct MemoryChangesTests {
    private let account = CredentialAccount(server: "https://as.example", clientID: "client")

    @Test func `reports every write and deletion in order, and nothing else`() async throws {
        let store = MemoryCredentialStore()
        var changes = store.changes().makeAsyncIterator()
        guard case .stored(let first) = try await store.write(Secret([1]), for: account, replacing: nil) else {
            Issue.record("not stored")
            return
        }
        _ = try await store.write(Secret([2]), for: account, replacing: nil)
        try await store.delete(account, at: CredentialVersion.unique())
        try await store.delete(account, at: first)
        try await store.delete(account, at: nil)
        _ = try await store.write(Secret([3]), for: account.signIns, replacing: nil)
        #expect(await changes.next() == .changed(account.id, to: first))
        #expect(await changes.next() == .changed(account.id, to: nil))
        let last = try await store.read(account.signIns)?.version
        #expect(await changes.next() == .changed(account.signIns.id, to: last))
    }

    @Test func `tells a reader that is too slow that it has missed some`() async throws {
        let store = MemoryCredentialStore()
        let changes = store.changes()
        var version: CredentialVersion?
        for _ in 0..<300 {
            if case .stored(let stored) = try await store.write(Secret([1]), for: account, replacing: version) { version = stored }
        }
        var heard: [CredentialChange] = []
        for await change in changes {
            heard.append(change)
            if heard.count == 256 { break }
        }
        #expect(heard.last == .missedSome)
        #expect(heard.contains(.changed(account.id, to: version)))
    }

    @Test func `the sequence ends with the reader's task, and with the store`() async {
        var store: MemoryCredentialStore? = MemoryCredentialStore()
        let task = Task { [changes = store?.changes()] in
            if let changes { for await _ in changes {} }
        }
        task.cancel()
        await task.value
        let changes = store?.changes()
        store = nil
        if let changes { for await _ in changes { Issue.record("nothing has changed") } }
    }

    @Test func `readers may be cancelled while a write notifies them`() async throws {
        let store = MemoryCredentialStore()
        for _ in 0..<2_000 {
            let reader = Task { [changes = store.changes()] in for await _ in changes {} }
            async let version = store.write(Secret([1]), for: account, replacing: store.read(account)?.version)
            async let end: Void = reader.cancel()
            _ = try await (version, end)
            await reader.value
        }
        #expect(try await store.read(account) != nil)
    }
}
