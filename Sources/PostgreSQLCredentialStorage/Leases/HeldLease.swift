#if PostgreSQL
import CredentialStorage
import Synchronization

/// A lease that is ours, and stays so while this object is there and the server can be reached.
final class HeldLease: Sendable {
    private let database: Database
    private let statements: LeaseStatements
    private let account: CredentialAccount.ID
    private let token: [UInt8]
    /// The turn within this program.
    private let turn: Turns<CredentialAccount>.Turn
    private let renewal: Task<Void, Never>
    private let isReleased = Mutex(false)
    /// Until then nobody else can have it. Counted from before the server was asked, and while this machine sleeps.
    private let certainty: Certainty

    init(
        _ database: Database, _ statements: LeaseStatements, _ account: CredentialAccount.ID, _ token: [UInt8],
        _ turn: Turns<CredentialAccount>.Turn,
        takenAfter start: ContinuousClock.Instant
    ) {
        self.database = database
        self.statements = statements
        self.account = account
        self.token = token
        self.turn = turn
        let certainty = Certainty(until: start + database.limits.lease)
        self.certainty = certainty
        renewal = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: database.limits.lease / 3)
                guard !Task.isCancelled else { return }
                let start = ContinuousClock.now
                let isOurs = try? await Self.renew(database, statements, account, token)
                // Nil: the server could not be reached; it may still be ours when it is back.
                guard isOurs != false else { return certainty.end() }
                if isOurs == true { certainty.extend(until: start + database.limits.lease) }
            }
        }
    }

    deinit {
        renewal.cancel()
        let isReleased = isReleased.withLock { $0 }
        // Whoever forgets to release it loses it when it expires; those of this program that wait need not wait for anything else.
        if !isReleased { turn.end() }
    }

    var isHeld: Bool { !isReleased.withLock { $0 } && certainty.holds }

    func release() async {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        guard isFirst else { return }
        renewal.cancel()
        // Where it cannot be told to the server, the lease ends by itself.
        try? await database.perform(.lease) { [statements, account, token] session throws(DatabaseError) in
            _ = try session.run(statements.release, [.bytes(account.bytes), .bytes(token)])
        }
        turn.end()
    }

    /// - Returns: False where another one has taken it.
    private static func renew(
        _ database: Database, _ statements: LeaseStatements, _ account: CredentialAccount.ID, _ token: [UInt8]
    ) async throws(CredentialStoreError) -> Bool {
        let lifetime = Int(database.limits.lease.milliseconds)
        return try await database.perform(.lease) { session throws(DatabaseError) in
            try session.run(statements.renew, [.bytes(account.bytes), .bytes(token), .integer(lifetime)]).changed == 1
        }
    }
}

/// The time for which a lease is ours, whatever becomes of the connection.
private final class Certainty: Sendable {
    private let instant: Mutex<ContinuousClock.Instant>

    init(until end: ContinuousClock.Instant) {
        instant = Mutex(end)
    }

    var holds: Bool { instant.withLock { .now < $0 } }

    func extend(until end: ContinuousClock.Instant) {
        instant.withLock { $0 = max($0, end) }
    }

    /// Another one has it.
    func end() {
        instant.withLock { $0 = .now }
    }
}
#endif
