#if PostgreSQL
import AuthHubPrimitives
import CredentialStorage
import Platform

/// The acquisition of leases: one waiter of this store at a time for each account, so that only one asks the server for all.
final class Leases: Sendable {
    private enum Attempt: Sendable {
        case taken
        case held(by: String, rest: Duration)
    }

    private let database: Database
    private let listener: Listener
    private let statements: LeaseStatements
    private let turns = Turns<CredentialAccount>()

    init(_ database: Database, _ listener: Listener) {
        self.database = database
        self.listener = listener
        statements = LeaseStatements(database.schema)
    }
}

extension Leases {
    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        let deadline = ContinuousClock.now + timeout.boundedWait
        guard let turn = await turns.take(account, waitingAtMost: timeout) else {
            throw Task.isCancelled ? .cancelledWait : Self.held(by: Self.ownName, timeout)
        }
        do throws(CredentialStoreError) {
            let token = randomBytes(count: 16)
            let start = try await take(account.id, token, until: deadline, timeout)
            let held = HeldLease(database, statements, account.id, token, turn, takenAfter: start)
            return CredentialLease(isHeld: { held.isHeld }) { await held.release() }
        } catch {
            turn.end()
            throw error
        }
    }

    /// Acquires a lease.
    ///
    /// - Returns: A time before it was acquired.
    private func take(
        _ account: CredentialAccount.ID, _ token: [UInt8], until deadline: ContinuousClock.Instant, _ timeout: Duration
    ) async throws(CredentialStoreError) -> ContinuousClock.Instant {
        var wakes: AsyncStream<Void>?
        while true {
            let start = ContinuousClock.now
            guard case .held(let holder, let rest) = try await attempt(account, token) else { return start }
            guard !Task.isCancelled else { throw CredentialStoreError.cancelledWait }
            guard .now < deadline else { throw Self.held(by: holder, timeout) }
            if let wakes { await Self.wait(for: wakes, atMost: min(ContinuousClock.now.duration(to: deadline), rest)) }
            // Created before the next attempt, so that no notification is missed between the two.
            wakes = listener.wakes(account)
            // Waiters in other programs wake up at the same time.
            try? await Task.sleep(for: .milliseconds(10).jittered)
        }
    }

    private static func held(by holder: String, _ timeout: Duration) -> CredentialStoreError {
        CredentialStoreError(
            .leaseHeld,
            "\(holder) holds the account's lease and did not release it within \(timeout.inWords); wait for it to finish, or end it")
    }

    private static func wait(for wakes: AsyncStream<Void>, atMost pause: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in wakes { return }
            }
            group.addTask { try? await Task.sleep(for: pause) }
            await group.next()
            group.cancelAll()
        }
    }

    private func attempt(_ account: CredentialAccount.ID, _ token: [UInt8]) async throws(CredentialStoreError) -> Attempt {
        let lifetime = Int(database.limits.lease.milliseconds)
        return try await database.perform(.lease) { [statements] session throws(DatabaseError) in
            for _ in 0..<4 {
                let taken = try session.run(
                    statements.take, [.bytes(account.bytes), .bytes(token), .text(Self.ownName), .integer(lifetime)])
                if taken.changed == 1 { return .taken }
                let held = try session.run(statements.wish, [.bytes(account.bytes)])
                // No row: it was released at this very moment.
                if held.count == 1, let holder = held.text(0, 0), let rest = held.integer(0, 1) {
                    return .held(by: holder, rest: .milliseconds(rest))
                }
            }
            return .held(by: "another holder", rest: .milliseconds(50))
        }
    }

    /// The process and its machine, for messages.
    private static let ownName: String = {
        var name = [CChar](repeating: 0, count: 256)
        let host =
            gethostname(&name, name.count - 1) == 0
            ? String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
        return "process \(getpid()) on \(host.isEmpty ? "some machine" : host)"
    }()
}
#endif
