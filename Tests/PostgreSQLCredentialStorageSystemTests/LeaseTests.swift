import CredentialStorage
import Platform
import Synchronization
import Testing

@testable import PostgreSQLCredentialStorage

@Suite(.enabled("there is a PostgreSQL server here") { TestServer.isHere }, .timeLimit(.minutes(15)))
struct LeaseTests {
    @Test func `renews a lease for as long as it is held`() async throws {
        let place = try TestStore()
        let (renewals, renewed) = AsyncStream<Void>.makeStream()
        let store = try place.open({ $0.lease = .seconds(6) }) { step, _, _ in
            if step.description == "renew lease answered" { renewed.yield() }
        }
        let lease = try await store.lease(.octocat, waitingAtMost: .zero)
        var gained = 0
        for await _ in renewals {
            let answer = try place.query("SELECT floor(extract(epoch FROM expires_at - taken_at)) FROM leases")
            let now = try #require(answer.first?.first??.split(separator: ".").first.flatMap { Int($0) })
            #expect(now > 6 && now >= gained)
            gained = now
            // The lease has now been held longer than it is valid without renewal. Only the server's times count, because those of a busy
            // test prove nothing.
            if gained >= 12 { break }
        }
        await lease.release()
        #expect(try place.query("SELECT count(*) FROM leases") == [["0"]])
    }

    @Test func `a caller that is denied a lease learns who holds it`() async throws {
        let place = try TestStore()
        let change = { (limits: inout PostgreSQLCredentialStore.Limits) in limits.lease = .seconds(3_600) }
        let lease = try await place.open(change).lease(.octocat, waitingAtMost: .zero)
        let refusal = await failure { () throws(CredentialStoreError) in
            _ = try await place.lease(change)
        }
        #expect(refusal?.code == .leaseHeld)
        #expect(refusal?.explanation.contains("process \(getpid()) on ") == true)
        await lease.release()
    }

    @Test func `a lease that is dropped without a release expires`() async throws {
        let place = try TestStore()
        let store = try place.open { $0.lease = .seconds(2) }
        _ = try await store.lease(.octocat, waitingAtMost: .zero)
        try await store.lease(.octocat, waitingAtMost: .seconds(100)).release()
    }

    @Test func `notifies waiting callers of the release, and not only of the expiry`() async throws {
        let place = try TestStore()
        // This is longer than a test could wait.
        let change = { (limits: inout PostgreSQLCredentialStore.Limits) in limits.lease = .seconds(3_600) }
        let (wishes, wished) = AsyncStream<Void>.makeStream()
        let lease = try await place.open(change).lease(.octocat, waitingAtMost: .zero)
        let other = try place.open(change) { step, _, _ in
            if step.description == "wish for lease answered" { wished.yield() }
        }
        let waiter = Task { try await other.lease(.octocat, waitingAtMost: .seconds(120)) }
        for await _ in wishes { break }
        await lease.release()
        try await waiter.value.release()
    }

    @Test func `many processes and tasks take turns, and only one of each store queries the server`() async throws {
        let place = try TestStore()
        try await place.open().migrate()
        let working = Counter()
        let asked = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let store = try place.open(reached: { step, _, _ in
                    if step.description == "take lease sent" { asked.add() }
                })
                for _ in 0..<8 {
                    group.addTask {
                        try await store.withLease(on: .octocat, waitingAtMost: .seconds(120)) {
                            working.add()
                            await Task.yield()
                            working.add(-1)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(working.most == 1)
        // After each release, one caller of each store queries the server, and once more when its turn starts.
        #expect(asked.value <= 32 * 4 + 32 * 2 + 8)
    }

    @Test func `a lease survives a crash of the server, and no one else gets it in the meantime`() async throws {
        let server = try TestServer()
        let place = try TestStore(on: server)
        let change = { (limits: inout PostgreSQLCredentialStore.Limits) in limits.lease = .seconds(60) }
        let store = try place.open(change)
        let lease = try await store.lease(.octocat, waitingAtMost: .zero)
        let other = try place.open(change)
        let (wishes, wished) = AsyncStream<Void>.makeStream()
        let waiting = try place.open(change) { step, _, _ in
            if step.description == "wish for lease answered" { wished.yield() }
        }
        let isFree = Mutex(false)
        let waiter = Task {
            let lease = try await waiting.lease(.octocat, waitingAtMost: .seconds(120))
            #expect(isFree.withLock { $0 }, "Two held it at once.")
            return lease
        }
        for await _ in wishes { break }
        try server.kill()
        let refusal = Task {
            await failure { () throws(CredentialStoreError) in _ = try await other.lease(.octocat, waitingAtMost: .zero) }
        }
        try server.start()
        #expect(await refusal.value?.code == .leaseHeld)
        isFree.withLock { $0 = true }
        await lease.release()
        try await waiter.value.release()
    }

    @Test func `all times are the server's`() throws {
        let statements = LeaseStatements(try Schema("authhub"))
        for statement in [statements.take, statements.renew] {
            // The parameters are the account, the token, a human-readable name, and the duration.
            #expect(statement.text.contains("clock_timestamp() + "), "\(statement.name)")
            #expect(!statement.text.contains("timestamptz"), "\(statement.name)")
            #expect(!statement.text.contains("$5"), "\(statement.name)")
        }
        #expect(!statements.wish.text.contains("$2"))
    }

    @Test(.enabled("libfaketime is here") { Self.clockBender != nil }, arguments: ["+1h", "-1h"])
    func `a clock that is off by an hour changes nothing`(offset: String) async throws {
        let library = try #require(Self.clockBender)
        // Change the server's clock instead of the clients' clocks, which has the same effect.
        let server = try TestServer(environment: ["LD_PRELOAD=\(library)", "FAKETIME=\(offset)", "FAKETIME_DONT_FAKE_MONOTONIC=1"])
        let place = try TestStore(on: server)
        let difference = try server.query("SELECT abs(extract(epoch FROM clock_timestamp()) - \(time(nil))) > 3000")
        #expect(difference == [["t"]], "The server's clock is right.")
        let store = try place.open()
        let lease = try await store.lease(.octocat, waitingAtMost: .zero)
        let refusal = await failure { () throws(CredentialStoreError) in _ = try await place.lease { _ in } }
        #expect(refusal?.code == .leaseHeld, "\(String(describing: refusal))")
        await lease.release()
        let (connection, schema) = (server.connection, place.schema)
        await #expect(processExitsWith: .signal(SIGKILL)) { [connection = connection as String, schema = schema as String] in
            let lease = try await PostgreSQLCredentialStore.inChild(connection, schema).lease(.octocat, waitingAtMost: .zero)
            kill(getpid(), SIGKILL)
            await lease.release()
        }
        try await store.lease(.octocat, waitingAtMost: .seconds(60)).release()
    }

    private static var clockBender: String? {
        ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketime.so.1" }.first { access($0, R_OK) == 0 }
    }
}

extension TestStore {
    /// Attempts to acquire the lease once, with a separate store.
    func lease(_ change: (inout PostgreSQLCredentialStore.Limits) -> Void) async throws(CredentialStoreError) -> CredentialLease {
        let store: PostgreSQLCredentialStore
        do { store = try open(change) } catch { throw CredentialStoreError(.failed, "\(error)") }
        return try await store.lease(.octocat, waitingAtMost: .zero)
    }
}
