#if PostgreSQL
import CredentialStorage
import Synchronization

/// A session on a thread of its own.
final class Connection: Sendable {
    private let calls = BlockingCalls(named: "PostgreSQL connection", concurrent: false)
    private let interrupter: Interrupter
    // Only ever locked on the thread above, so that nobody waits for it.
    private let session = Mutex<Session?>(nil)
    private let connect: @Sendable (Interrupter, ContinuousClock.Instant) throws(DatabaseError) -> Session

    /// - Parameter connect: Called before the first work.
    init(
        connect: @escaping @Sendable (Interrupter, ContinuousClock.Instant) throws(DatabaseError) -> Session
    ) throws(DatabaseError) {
        interrupter = try Interrupter()
        self.connect = connect
    }

    /// Ends the work that is under way, whose outcome nobody knows then. The connection cannot be used any more.
    func interrupt() {
        interrupter.fire()
    }

    /// Runs work on the connection's thread.
    ///
    /// - Returns: The outcome, and whether the connection can be used again.
    func run<Success: Sendable>(
        until deadline: ContinuousClock.Instant, answeringWithin timeout: Duration,
        _ work: @escaping @Sendable (Session) throws(DatabaseError) -> Success
    ) async -> (outcome: Result<Success, DatabaseError>, isUsable: Bool) {
        await calls.run { [self] in
            session.withLock { session in
                let outcome = Result { () throws(DatabaseError) in
                    if session?.isStale != false {
                        session = nil
                        session = try connect(interrupter, deadline)
                    }
                    guard let session else { throw DatabaseError.interruption }
                    session.deadline = .now + timeout
                    return try work(session)
                }
                if session?.isBroken != false { session = nil }
                return (outcome, session != nil)
            }
        }
    }
}
#endif
