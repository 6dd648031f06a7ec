#if PostgreSQL
import CredentialStorage
import Synchronization

/// A session on its own thread.
final class Connection: Sendable {
    typealias Connect = @Sendable (Interrupter, ContinuousClock.Instant) throws(DatabaseError) -> Session

    /// The longest time for connecting, for all servers together.
    private static let longestConnecting = Duration.seconds(15)

    private let calls = BlockingCalls(named: "PostgreSQL connection", concurrent: false)
    private let interrupter: Interrupter
    // Only ever locked on the thread above, so that no caller waits for it.
    private let session = Mutex<Session?>(nil)
    private let connect: Connect

    /// Creates a connection.
    ///
    /// - Parameter connect: Called before the first operation, and if the server has ended the session in between.
    init(connect: @escaping Connect) throws(DatabaseError) {
        interrupter = try Interrupter()
        self.connect = connect
    }

    /// Runs an operation on the connection's thread.
    ///
    /// - Parameters:
    ///   - patience: The timeout of each response of the server.
    ///   - cancellation: Cancels the operation, whose outcome is unknown then.
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
