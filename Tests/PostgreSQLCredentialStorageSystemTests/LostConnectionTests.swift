import AuthHubPrimitives
import CredentialStorage
import Platform
import PostgreSQLCredentialStorage
import Synchronization
import Testing

/// Whenever the connection is lost, the operation is still executed exactly once, and its outcome is known.
@Suite(.enabled("there is a PostgreSQL server here") { TestServer.isHere }, .timeLimit(.minutes(15)))
struct LostConnectionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let statement: String
        let moment: DatabaseStep.Moment

        var testDescription: String { "\(statement) \(moment)" }
    }

    private static func rows(_ statements: String...) -> [Row] {
        statements.flatMap { name in DatabaseStep.Moment.allCases.map { Row(statement: name, moment: $0) } }
    }

    @Test(arguments: rows("look", "insert", "replace", "delete"))
    func `a backend that is terminated at a step has no effect`(row: Row) async throws {
        let place = try TestStore()
        let fault = Fault(at: row) { backend, _ in try place.server.terminate(backend) }
        let store = try place.open(reached: fault.hook)
        let first = try await store.store("first", for: .octocat)
        let second = try await store.store("second", for: .octocat, replacing: first)
        #expect(try await store.text(of: .octocat) == "second")
        #expect(try await store.delete(.octocat, at: second))
        #expect(try await store.text(of: .octocat) == nil)
        #expect(fault.isDone)
    }

    @Test(arguments: rows("take lease", "wish for lease", "renew lease", "release lease"))
    func `a backend that is terminated at a step of a lease lets no one else in, and keeps no one out`(row: Row) async throws {
        let place = try TestStore()
        let fault = Fault(at: row) { backend, _ in try place.server.terminate(backend) }
        let (renewals, renewed) = AsyncStream<Void>.makeStream()
        // The lifetime is short only if the test waits for a renewal, because renewals may be late on a busy machine.
        let lifetime = Duration.seconds(row.statement == "renew lease" ? 20 : 60)
        let change = { (limits: inout PostgreSQLCredentialStore.Limits) in limits.lease = lifetime }
        let store = try place.open(change) { step, backend, socket in
            fault.hook(step, backend, socket)
            if step.description == "renew lease answered" { renewed.yield() }
        }
        let lease = try await store.lease(.octocat, waitingAtMost: .zero)
        let other = try place.open(change)
        // The request of this store also passes through the step.
        let waiter = Task { try await store.lease(.octocat, waitingAtMost: .seconds(120)) }
        if row.statement == "renew lease" {
            for await _ in renewals { break }
        }
        #expect(
            await failure { () throws(CredentialStoreError) in _ = try await other.lease(.octocat, waitingAtMost: .zero) }?.code
                == .leaseHeld)
        if row.statement == "wish for lease" {
            #expect(await failure { () throws(CredentialStoreError) in _ = try await place.lease(with: fault) }?.code == .leaseHeld)
        }
        await lease.release()
        try await waiter.value.release()
        try await other.lease(.octocat, waitingAtMost: .seconds(120)).release()
        #expect(fault.isDone)
    }

    @Test(arguments: ["insert", "replace"])
    func `a write whose response is lost after it was stored counts as stored, once`(statement: String) async throws {
        let place = try TestStore()
        let fault = Fault(at: Row(statement: statement, moment: .sent), losingAnswer)
        let store = try place.open(reached: fault.hook)
        let first = try await store.store("first", for: .octocat)
        let second = try await store.store("second", for: .octocat, replacing: first)
        #expect(fault.isDone)
        #expect(try await store.read(.octocat)?.version == second)
        // If there were another write in between, this would contain eight more hexadecimal digits.
        #expect(try place.query("SELECT count(*), max(octet_length(replaced)) FROM records") == [["1", "16"]])
    }

    @Test func `a write whose response is lost counts as stored even if others have replaced it since`() async throws {
        let place = try TestStore()
        let other = try place.open()
        let first = try await other.store("first", for: .octocat)
        let seen = Mutex<CredentialVersion?>(nil)
        let fault = Fault(at: Row(statement: "replace", moment: .sent)) { _, socket in
            try losingAnswer(0, socket)
            // The next write is based on this version, like a refresh on another machine.
            let version = try place.query("SELECT encode(version, 'hex') FROM records")[0][0] ?? ""
            try place.query("UPDATE records SET version = decode('\(String(version.reversed()))', 'hex'), replaced = version || replaced")
            seen.withLock { $0 = CredentialVersion(bytes: version.bytesOfDigits) }
        }
        let outcome = try await place.open(reached: fault.hook).write(Secret(Array("second".utf8)), for: .octocat, replacing: first)
        guard case .stored(let version) = outcome else {
            Issue.record("It counts as lost.")
            return
        }
        #expect(version == seen.withLock { $0 })
    }

    @Test func `a deletion whose response is lost does not delete the record that was created since`() async throws {
        let place = try TestStore()
        let other = try place.open()
        try await other.store("old", for: .octocat)
        let fault = Fault(at: Row(statement: "delete", moment: .sent)) { _, socket in
            try losingAnswer(0, socket)
            try place.query(
                "INSERT INTO records (account, version, key_id, format, sealed) VALUES (\(CredentialAccount.octocat.literal), '\\x01', 'first', 1, '')"
            )
        }
        #expect(try await place.open(reached: fault.hook).delete(.octocat, at: nil))
        #expect(fault.isDone)
        #expect(try place.query("SELECT count(*) FROM records") == [["1"]])
    }

    @Test func `if the server does not return, a write that was sent has an unknown outcome, and an unsent one did not happen`()
        async throws
    {
        let server = try TestServer()
        let place = try TestStore(on: server)
        let fault = Fault(at: Row(statement: "insert", moment: .sent)) { _, socket in
            try losingAnswer(0, socket)
            try server.kill()
        }
        let limits = { (limits: inout PostgreSQLCredentialStore.Limits) in limits.recovery = .milliseconds(300) }
        let store = try place.open(limits, reached: fault.hook)
        let sent = await failure { () throws(CredentialStoreError) in
            _ = try await store.write(Secret(Array("secret".utf8)), for: .octocat, replacing: nil)
        }
        #expect(sent?.code == .timedOut)
        #expect(sent?.explanation.contains("not known whether") == true)
        let unsent = await failure { () throws(CredentialStoreError) in
            _ = try await store.write(Secret(Array("secret".utf8)), for: .octocat, replacing: nil)
        }
        #expect(unsent?.code == .unavailable)
        #expect(unsent?.explanation.contains("nothing was changed") == true)
    }
}

/// An event that happens once, at a step.
final class Fault: Sendable {
    private let row: LostConnectionTests.Row
    private let happen: @Sendable (_ backend: Int32, _ socket: Int32) throws -> Void
    private let done = Mutex(false)

    init(at row: LostConnectionTests.Row, _ happen: @escaping @Sendable (_ backend: Int32, _ socket: Int32) throws -> Void) {
        self.row = row
        self.happen = happen
    }

    var isDone: Bool { done.withLock { $0 } }

    var hook: DatabaseStepHook {
        { step, backend, socket in
            guard step == DatabaseStep(self.row.statement, self.row.moment) else { return }
            let isFirst = self.done.withLock { done in
                defer { done = true }
                return !done
            }
            guard isFirst else { return }
            do { try self.happen(backend, socket) } catch { Issue.record(error) }
        }
    }
}

/// Waits for the server's response, discards it, and closes the connection.
private func losingAnswer(_ backend: Int32, _ socket: Int32) throws {
    var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&watched, 1, 60_000) == 1 else { throw TestFailure("The server did not answer.") }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    guard recv(socket, &buffer, buffer.count, 0) > 0 else { throw TestFailure("There was no answer to lose.") }
    shutdown(socket, Int32(SHUT_RDWR))
}

extension TestStore {
    func lease(with fault: Fault) async throws(CredentialStoreError) -> CredentialLease {
        let store: PostgreSQLCredentialStore
        do { store = try open(reached: fault.hook) } catch { throw CredentialStoreError(.failed, "\(error)") }
        return try await store.lease(.octocat, waitingAtMost: .zero)
    }
}

extension String {
    var bytesOfDigits: [UInt8] {
        let digits = utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
