#if PostgreSQL
import CredentialStorage
import Synchronization

/// A session on a thread of its own.
final class Connection: Sendable {
    typealias Connect = @Sendable (Interrupter, ContinuousClock.Instant) throws(DatabaseError) -> Session

    /// For all servers together.
    private static let longestConnecting = Duration.seconds(15)

    private let calls = BlockingCalls(named: "PostgreSQL connection", concurrent: false)
    private let interrupter: Interrupter
    // Only ever locked on the thread above, so that nobody waits for it.
    private let session = Mutex<Session?>(nil)
    private let connect: Connect

    /// - Parameter connect: Called before the first work, and where the server has ended the session meanwhile.
    init(connect: @escaping Connect) throws(DatabaseError) {
        interrupter = try Interrupter()
        self.connect = connect
    }

    /// Runs work on the connection's thread.
    ///
    /// - Parameters:
    ///   - patience: How long the server may take for each answer.
    ///   - cancellation: Ends the work, whose outcome nobody knows then.
    /// - Returns: The outcome, and whether the connection can be used again.
    func run<Success: Sendable>(
        answeringWithin patience: Duration, _ cancellation: Cancellation,
        _ work: @escaping @Sendable (Session) throws(DatabaseError) -> Success
    ) async -> (outcome: Result<Success, DatabaseError>, isUsable: Bool) {
        await calls.run { [self] in
            session.withLock { session in
                guard cancellation.begin(interrupter) else {
                    return (.failure(.interruption), session?.isBroken == false)
                }
                let outcome = Result { () throws(DatabaseError) in
                    if session?.isStale != false {
                        session = nil
                        session = try connect(interrupter, .now + Self.longestConnecting)
                    }
                    guard let session else { throw DatabaseError.interruption }
                    session.patience = patience
                    return try work(session)
                }
                if cancellation.end() || session?.isBroken != false { session = nil }
                return (outcome, session != nil)
            }
        }
    }
}
#endif
