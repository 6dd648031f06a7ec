import CredentialStorage
import PostgreSQLCredentialStorage
import Testing

@Suite(.enabled("there is a PostgreSQL server here") { TestServer.isHere }, .timeLimit(.minutes(15)))
struct ChangeTests {
    @Test func `reports writes and deletions of others, with only account and version`() async throws {
        let place = try TestStore()
        let store = try place.open()
        try await store.migrate()
        var changes = store.changes().makeAsyncIterator()
        #expect(await changes.next() == .missedSome)
        let other = try place.open()
        let first = try await other.store("first", for: .octocat)
        #expect(await changes.next() == .changed(CredentialAccount.octocat.id, to: first))
        let second = try await other.store("second", for: .octocat, replacing: first)
        #expect(await changes.next() == .changed(CredentialAccount.octocat.id, to: second))
        try await other.delete(.octocat, at: nil)
        #expect(await changes.next() == .changed(CredentialAccount.octocat.id, to: nil))
        // The size of the notification does not depend on the size of the record.
        let payload = String(repeating: "long ", count: 4_000)
        let third = try await other.store(payload, for: .hubot)
        #expect(await changes.next() == .changed(CredentialAccount.hubot.id, to: third))
    }

    @Test func `tells a subscriber when something may have been missed`() async throws {
        let place = try TestStore()
        let store = try place.open()
        try await store.migrate()
        var changes = store.changes().makeAsyncIterator()
        #expect(await changes.next() == .missedSome)
        try place.server.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN \"\(place.schema)%'")
        #expect(await changes.next() == .missedSome)
        let version = try await store.store("record", for: .octocat)
        #expect(await changes.next() == .changed(CredentialAccount.octocat.id, to: version))
    }

    @Test func `all subscribers share one connection, which closes with the last`() async throws {
        let place = try TestStore()
        let store = try place.open { $0.idle = .milliseconds(100) }
        try await store.migrate()
        let count = { try place.server.query("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN \"\(place.schema)%'")[0][0] }
        do {
            var changes = store.changes().makeAsyncIterator()
            _ = await changes.next()
            var others = store.changes().makeAsyncIterator()
            let version = try await store.store("record", for: .octocat)
            #expect(await others.next() == .changed(CredentialAccount.octocat.id, to: version))
            #expect(try count() == "1")
        }
        while try count() != "0" { await Task.yield() }
        var changes = store.changes().makeAsyncIterator()
        #expect(await changes.next() == .missedSome)
    }

    @Test func `a subscription ends when its task is cancelled or its store is released`() async throws {
        let place = try TestStore()
        let store = try place.open()
        let changes = store.changes()
        let reader = Task { for await _ in changes {} }
        reader.cancel()
        await reader.value
        var last: AsyncStream<CredentialChange>?
        do { last = try place.open().changes() }
        if let last { for await _ in last {} }
    }

    @Test func `tells a subscriber that does not keep up that it missed some changes`() async throws {
        let place = try TestStore()
        let store = try place.open()
        try await store.migrate()
        var changes = store.changes().makeAsyncIterator()
        #expect(await changes.next() == .missedSome)
        try place.query(
            "INSERT INTO records (account, version, key_id, format, sealed) SELECT sha256(n::text::bytea), '\\x01', 'first', 1, '' FROM generate_series(1, 3000) AS n"
        )
        // A second subscriber has received the last change, so the first one has been notified of all changes.
        var marks = store.changes().makeAsyncIterator()
        let version = try await store.store("mark", for: .octocat)
        let last = CredentialChange.changed(CredentialAccount.octocat.id, to: version)
        while let change = await marks.next(), change != last {}
        var isTold = false
        while let change = await changes.next(), change != last {
            isTold = isTold || change == .missedSome
        }
        #expect(isTold)
    }
}
