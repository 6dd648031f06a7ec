#if PostgreSQL
import CredentialStorage
import Synchronization

/// The database, which runs operations at the server, even if that changes in a failover.
final class Database: Sendable {
    let schema: Schema
    let limits: PostgreSQLCredentialStore.Limits
    let connect: Connection.Connect
    let pool: ConnectionPool
    private let isSchemaChecked = Mutex(false)

    init(_ string: ConnectionString, schema: Schema, limits: PostgreSQLCredentialStore.Limits, reached: @escaping DatabaseStepHook) {
        self.schema = schema
        self.limits = limits
        let connect: Connection.Connect = { (interrupter, deadline) throws(DatabaseError) in
            try Session.connect(
                to: string, statementTimeout: limits.statement, until: deadline, interrupter: interrupter, reached: reached)
        }
        self.connect = connect
        pool = ConnectionPool(limits: limits) { () throws(DatabaseError) in try Connection(connect: connect) }
    }
}

/// The properties of an operation at the server.
struct Manner: Sendable {
    /// Whether it changes something that others see.
    var changes: Bool
    /// Whether it ends when the caller's task is cancelled. A write is not cancelled, because its value may be the only copy.
    var isCancellable: Bool
    var isUrgent = false

    static let read = Self(changes: false, isCancellable: true)
    static let change = Self(changes: true, isCancellable: false)
    static let lease = Self(changes: true, isCancellable: false, isUrgent: true)
}

extension Database {
    /// Runs an operation that can safely be repeated, and retries it while the server cannot be reached, for at most ``Limits/recovery``.
    func perform<Success: Sendable>(
        _ manner: Manner, _ work: @escaping @Sendable (Session) throws(DatabaseError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        if manner.isCancellable { return try await attempt(manner, work) }
        // A separate task is not cancelled with the caller's.
        return try await Task { () async -> Result<Success, CredentialStoreError> in
            do throws(CredentialStoreError) { return .success(try await self.attempt(manner, work)) } catch { return .failure(error) }
        }.value.get()
    }

    private func attempt<Success: Sendable>(
        _ manner: Manner, _ work: @escaping @Sendable (Session) throws(DatabaseError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        let deadline = ContinuousClock.now + limits.recovery
        var pause = Duration.milliseconds(20)
        var isUncertain = false
        while true {
            let outcome: Result<Success, DatabaseError>
            do throws(CredentialStoreError) {
                outcome = try await once(manner, work)
            } catch {
                guard isUncertain, manner.changes, error.code == .timedOut else { throw error }
                throw CredentialStoreError(.unknownOutcome, changing: true)
            }
            switch outcome {
            case .success(let success): return success
            case .failure(let error):
                isUncertain = isUncertain || error.isUncertain
                guard error.isTransient, .now + pause < deadline else {
                    throw CredentialStoreError(isUncertain && manner.changes ? error.uncertain : error, changing: manner.changes)
                }
                do { try await Task.sleep(for: pause.jittered) } catch {
                    throw CredentialStoreError(.interruption, changing: manner.changes)
                }
                pause = min(pause * 2, .seconds(1))
            }
        }
    }

    private func once<Success: Sendable>(
        _ manner: Manner, _ work: @escaping @Sendable (Session) throws(DatabaseError) -> Success
    ) async throws(CredentialStoreError) -> Result<Success, DatabaseError> {
        let connection = try await pool.take(isUrgent: manner.isUrgent)
        let cancellation = Cancellation()
        let run = { () async -> Result<Result<Success, CredentialStoreError>, DatabaseError> in
            let (outcome, isUsable) = await connection.run(answeringWithin: self.limits.statement + .seconds(2), cancellation) {
                session throws(DatabaseError) in
                if let tooNew = try self.checkSchema(session) { return Result<Success, CredentialStoreError>.failure(tooNew) }
                return .success(try work(session))
            }
            self.pool.giveBack(connection, isUsable: isUsable)
            return outcome
        }
        let outcome = manner.isCancellable ? await withTaskCancellationHandler(operation: run) { cancellation.cancel() } : await run()
        switch outcome {
        case .success(let success): return .success(try success.get())
        case .failure(let error): return .failure(error)
        }
    }

    /// Checks the version of the tables.
    ///
    /// - Returns: An error if a newer program created the tables.
    private func checkSchema(_ session: Session) throws(DatabaseError) -> CredentialStoreError? {
        guard !isSchemaChecked.withLock({ $0 }) else { return nil }
        if let tooNew = try Migration(schema).run(in: session) { return tooNew }
        isSchemaChecked.withLock { $0 = true }
        return nil
    }
}

extension DatabaseError {
    /// The same error, if an earlier attempt may have succeeded.
    fileprivate var uncertain: Self { Self(kind: .broken, state: state, reason: reason) }

    fileprivate static var unknownOutcome: Self {
        Self(kind: .unanswered, state: nil, reason: "the connection was lost, and no other connection became free")
    }
}
#endif
