#if PostgreSQL
import CredentialStorage
import Synchronization

/// A lease that this program holds as long as this object exists and the server can be reached.
final class HeldLease: Sendable {
    private let database: Database
    private let statements: LeaseStatements
    private let account: CredentialAccount.ID
    private let token: [UInt8]
    /// The turn within this program.
    private let turn: Turns<CredentialAccount>.Turn
    private let renewal: Task<Void, Never>
    private let isReleased = Mutex(false)
    /// The time until which no one else can have the lease. It is counted from before the request to the server, and includes the time this
    /// machine sleeps.
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
                // nil: the server could not be reached; the lease may still be ours when it is available again.
                guard isOurs != false else { return certainty.end() }
                if isOurs == true { certainty.extend(until: start + database.limits.lease) }
            }
        }
    }

    deinit {
        renewal.cancel()
        let isReleased = isReleased.withLock { $0 }
        // A lease that is never released is lost when it expires; waiters in this program do not have to wait for anything else.
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
        // If the server cannot be notified, the lease expires.
        try? await database.perform(.lease) { [statements, account, token] session throws(DatabaseError) in
            _ = try session.run(statements.release, [.bytes(account.bytes), .bytes(token)])
        }
        turn.end()
    }

    /// Renews the lease.
    ///
    /// - Returns: False if another holder has acquired it.
    private static func renew(
        _ database: Database, _ statements: LeaseStatements, _ account: CredentialAccount.ID, _ token: [UInt8]
    ) async throws(CredentialStoreError) -> Bool {
        let lifetime = Int(database.limits.lease.milliseconds)
        return try await database.perform(.lease) { session throws(DatabaseError) in
            try session.run(statements.renew, [.bytes(account.bytes), .bytes(token), .integer(lifetime)]).changed == 1
        }
    }
}

/// The time for which the lease is certainly ours, even if the connection is lost.
private final class Certainty: Sendable {
    private let instant: Mutex<ContinuousClock.Instant>

    init(until end: ContinuousClock.Instant) {
        instant = Mutex(end)
    }

    var holds: Bool { instant.withLock { .now < $0 } }

    func extend(until end: ContinuousClock.Instant) {
        instant.withLock { $0 = max($0, end) }
    }

    /// Records that another holder has the lease.
    func end() {
        instant.withLock { $0 = .now }
    }
}
#endif
