import AuthHubPrimitives
import CredentialStorage
import PostgreSQLCredentialStorage
import Testing

@Suite(.enabled("there is a PostgreSQL server here") { TestServer.isHere }, .timeLimit(.minutes(15)))
struct ServerEndTests {
    @Test func `a server that crashes and restarts in the middle of the work loses no step and doubles none`() async throws {
        let server = try TestServer()
        let place = try TestStore(on: server)
        try await place.open().migrate()
        let steps = 25
        let done = Counter()
        let (halves, half) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                let store = try place.open()
                group.addTask {
                    let account = number < 2 ? CredentialAccount.octocat : .hubot
                    for _ in 0..<steps {
                        let lease = try await store.lease(account, waitingAtMost: .seconds(120))
                        let standing = try await store.read(account)
                        let count = standing.flatMap { Int(String(decoding: $0.payload.reveal(), as: UTF8.self)) } ?? 0
                        // No other writer is faster while the lease is held, and every write must be executed exactly once.
                        try await store.store("\(count + 1)", for: account, replacing: standing?.version)
                        await lease.release()
                        let sum = done.add()
                        if sum == 20 || sum == 50 { half.yield() }
                    }
                }
            }
            var moments = halves.makeAsyncIterator()
            for _ in 0..<2 {
                await moments.next()
                try server.kill()
                try server.start()
            }
            try await group.waitForAll()
        }
        let store = try place.open()
        #expect(try await store.text(of: .octocat) == "\(steps * 2)")
        #expect(try await store.text(of: .hubot) == "\(steps * 2)")
        #expect(try place.query("SELECT count(*) FROM leases") == [["0"]])
    }

    @Test func `a failover has no effect on records and leases`() async throws {
        let primary = try TestServer()
        let standby = try TestServer(copyOf: primary)
        let place = try TestStore(on: primary)
        let connection = "host=\(primary.folder),\(standby.folder) dbname=postgres user=authhub"
        let store = try place.open({ $0.lease = .seconds(120) }, connection: connection)
        try primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try primary.query("SELECT pg_reload_conf()")
        let first = try await store.store("first", for: .octocat)
        let lease = try await store.lease(.octocat, waitingAtMost: .zero)
        let changes = store.changes()
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() == .missedSome)
        try primary.kill()
        let write = Task { try await store.store("second", for: .octocat, replacing: first) }
        try standby.promote()
        let second = try await write.value
        #expect(try await store.text(of: .octocat) == "second")
        let other = try place.open({ $0.lease = .seconds(120) }, connection: connection)
        #expect(
            await failure { () throws(CredentialStoreError) in _ = try await other.lease(.octocat, waitingAtMost: .zero) }?.code
                == .leaseHeld)
        await lease.release()
        try await other.lease(.octocat, waitingAtMost: .zero).release()
        // The store already listens at the new server, or will do so soon.
        while let change = await iterator.next() {
            if change == .missedSome { break }
        }
        try await other.store("third", for: .octocat, replacing: second)
        let third = try await other.read(.octocat)?.version
        while let change = await iterator.next() {
            if change == .changed(CredentialAccount.octocat.id, to: third) { break }
        }
    }

    @Test func `reports a read-only server as such`() async throws {
        let primary = try TestServer()
        let place = try TestStore(on: primary)
        try await place.open().store("record", for: .octocat)
        let standby = try TestServer(copyOf: primary)
        let store = try place.open(
            { $0.recovery = .milliseconds(200) }, connection: "host=\(standby.folder) dbname=postgres user=authhub")
        let refusal = await failure { () throws(CredentialStoreError) in _ = try await store.read(.octocat) }
        #expect(refusal?.code == .refused)
        let reading = try place.open(
            { $0.recovery = .milliseconds(200) },
            connection: "host=\(standby.folder) dbname=postgres user=authhub target_session_attrs=any")
        #expect(try await reading.text(of: .octocat) == "record")
        #expect(await failure { () throws(CredentialStoreError) in try await reading.prepareToWrite(for: .octocat) }?.code == .refused)
    }
}
