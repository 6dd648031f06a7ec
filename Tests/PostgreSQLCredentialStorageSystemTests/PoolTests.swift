import AuthHubPrimitives
import CredentialStorage
import Platform
import PostgreSQLCredentialStorage
import Synchronization
import Testing

@Suite(.enabled("there is a PostgreSQL server here") { TestServer.isHere }, .timeLimit(.minutes(15)))
struct PoolTests {
    @Test func `many callers share few connections`() async throws {
        let place = try TestStore()
        try await place.open().migrate()
        let backends = Mutex<Set<Int32>>([])
        let store = try place.open({ $0.connections = 3 }) { _, backend, _ in backends.withLock { _ = $0.insert(backend) } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try await store.store("record", for: CredentialAccount(server: "s", clientID: "c", label: "\(number)")) }
            }
            try await group.waitForAll()
        }
        #expect(backends.withLock { $0.count } <= 3)
        #expect(store.census.all <= 3)
        #expect(try await store.accounts().count == 100)
    }

    @Test(arguments: [CredentialStoreError.Code.timedOut, .cancelled])
    func `a caller that waits too long for a connection gets an error, and a cancelled one leaves`(code: CredentialStoreError.Code)
        async throws
    {
        let place = try TestStore()
        let gate = Gate()
        let store = try place.open({ limits in
            limits.connections = 1
            limits.connectionWait = code == .timedOut ? .milliseconds(50) : .seconds(3_600)
        }) { step, _, _ in
            if step.description == "insert sent" { gate.pass() }
        }
        try await store.migrate()
        let writer = Task { try await store.store("record", for: .octocat) }
        await gate.entered()
        let reader = Task { await failure { () throws(CredentialStoreError) in _ = try await store.read(.hubot) } }
        if code == .cancelled { reader.cancel() }
        #expect(await reader.value?.code == code)
        gate.open()
        _ = try await writer.value
        #expect(try await store.read(.hubot) == nil)
    }

    @Test func `a cancelled read ends, and a cancelled write completes`() async throws {
        let place = try TestStore()
        let (gate, writing) = (Gate(), Gate())
        let store = try place.open(reached: { step, _, _ in
            if step.description == "look before" { gate.pass() }
            if step.description == "insert before" { writing.pass() }
        })
        try await store.migrate()
        let reader = Task { await failure { () throws(CredentialStoreError) in _ = try await store.read(.hubot) } }
        await gate.entered()
        reader.cancel()
        gate.open()
        #expect(await reader.value?.code == .cancelled)
        let writer = Task { try await store.store("record", for: .octocat) }
        await writing.entered()
        writer.cancel()
        writing.open()
        let version = try await writer.value
        #expect(try await store.read(.octocat)?.version == version)
    }

    @Test func `closes an idle connection after a while`() async throws {
        let place = try TestStore()
        let store = try place.open { $0.idle = .milliseconds(50) }
        try await store.migrate()
        while store.census.all > 0 { await Task.yield() }
        #expect(try await store.read(.octocat) == nil)
    }

    @Test func `replaces dead connections when they are needed, without a failed attempt`() async throws {
        let place = try TestStore()
        let backends = Mutex<Set<Int32>>([])
        // With this limit, operations are not retried.
        let store = try place.open({ $0.recovery = .zero }) { _, backend, _ in backends.withLock { _ = $0.insert(backend) } }
        try await store.migrate()
        #expect(backends.withLock { $0.count } == 1)
        for backend in backends.withLock({ $0 }) { try place.server.terminate(backend) }
        #expect(try await store.read(.octocat) == nil)
        #expect(backends.withLock { $0.count } == 2)
    }

    @Test func `the server cancels a statement that takes too long, and the old record stays`() async throws {
        let place = try TestStore()
        let version = try await place.open().store("old", for: .octocat)
        let shell = try Shell("\(TestServer.programs)/psql -qAt -h \(place.server.folder) -U authhub postgres")
        shell.say("BEGIN; SELECT 'locked' FROM \(place.schema).records FOR UPDATE;")
        #expect(shell.line() == "locked")
        let store = try place.open { $0.statement = .milliseconds(200) }
        let refusal = await failure { () throws(CredentialStoreError) in
            _ = try await store.write(Secret([1]), for: .octocat, replacing: version)
        }
        #expect(refusal?.code == .timedOut)
        shell.say("ROLLBACK; SELECT 'free';")
        #expect(shell.line() == "free")
        #expect(try await place.open().text(of: .octocat) == "old")
    }
}

/// A gate at which a thread waits until the test opens it.
private final class Gate: Sendable {
    private let isOpen = Mutex(false)
    private let entrances = AsyncStream<Void>.makeStream()

    /// Blocks the calling thread, which belongs to a connection.
    func pass() {
        entrances.continuation.yield()
        while !isOpen.withLock({ $0 }) { sched_yield() }
    }

    func entered() async {
        for await _ in entrances.stream { return }
    }

    func open() {
        isOpen.withLock { $0 = true }
    }
}
