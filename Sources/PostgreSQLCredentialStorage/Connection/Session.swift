#if PostgreSQL
import CPostgreSQL

/// A connection to the server, on the thread that uses it. Its waits end at the deadline, or when they are interrupted.
final class Session {
    /// The timeout of each response of the server.
    var patience = Duration.seconds(10)
    private var deadline = ContinuousClock.now
    let handle: OpaquePointer
    private let interrupter: Interrupter
    private let reached: DatabaseStepHook
    private var prepared: Set<String> = []

    /// Creates a session.
    ///
    /// - Parameter handle: Closed with the session.
    init(handle: OpaquePointer, interrupter: Interrupter, reached: @escaping DatabaseStepHook) {
        self.handle = handle
        self.interrupter = interrupter
        self.reached = reached
        PQsetnonblocking(handle, 1)
    }

    deinit {
        PQfinish(handle)
    }

    /// Whether it cannot be used any more: it is lost, or in the middle of an operation.
    var isBroken: Bool {
        PQstatus(handle) != CONNECTION_OK || PQtransactionStatus(handle) != PQTRANS_IDLE
    }

    /// Whether the server sent something unrequested: it has closed the connection.
    var isStale: Bool {
        isBroken || Interrupter.isReadable(PQsocket(handle))
    }
}

extension Session {
    func run(_ statement: Statement, _ parameters: [Parameter] = []) throws(DatabaseError) -> Rows {
        if !prepared.contains(statement.name) {
            try send { PQsendPrepare(handle, statement.name, statement.text, 0, nil) }
            _ = try answer()
            prepared.insert(statement.name)
        }
        report(statement, .before)
        try sendPrepared(statement.name, parameters)
        report(statement, .sent)
        let rows: Rows
        do throws(DatabaseError) {
            rows = try answer()
        } catch {
            // A pooler between this program and the server has lost the prepared statements.
            if error.state == "26000" { prepared.removeAll() }
            throw error
        }
        report(statement, .answered)
        return rows
    }

    /// Runs SQL without parameters; several statements form one transaction.
    func run(text: String) throws(DatabaseError) {
        try send { PQsendQuery(handle, text) }
        _ = try answer()
    }

    /// Runs an operation in a transaction, which ends in any case.
    func inTransaction<Success>(_ work: () throws(DatabaseError) -> Success) throws(DatabaseError) -> Success {
        try run(text: "BEGIN")
        do {
            let success = try work()
            try run(text: "COMMIT")
            return success
        } catch {
            if PQstatus(handle) == CONNECTION_OK { try? run(text: "ROLLBACK") }
            throw error
        }
    }

    /// Returns the next notifications, as channel and text; none if none arrives within this time.
    func notifications(within time: Duration) throws(DatabaseError) -> [(channel: String, text: String)] {
        var found: [(String, String)] = []
        let deadline = ContinuousClock.now + time
        while true {
            while let notification = PQnotifies(handle) {
                found.append((String(cString: notification.pointee.relname), String(cString: notification.pointee.extra)))
                PQfreemem(notification)
            }
            guard found.isEmpty else { return found }
            switch interrupter.wait(for: PQsocket(handle), until: deadline) {
            case .ready: if PQconsumeInput(handle) == 0 { throw failure(.broken) }
            case .interrupted: throw .interruption
            case .late: return found
            }
        }
    }

    private func report(_ statement: Statement, _ moment: DatabaseStep.Moment) {
        reached(DatabaseStep(statement.name, moment), PQbackendPID(handle), PQsocket(handle))
    }

    private func sendPrepared(_ name: String, _ parameters: [Parameter]) throws(DatabaseError) {
        let encoded = parameters.map(\.encoded)
        // One byte more, so that even an empty value has an address: without one it would be NULL.
        let arena = encoded.compactMap(\.self).flatMap(\.self) + [0]
        let lengths = encoded.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: encoded.count)
        try send {
            arena.withUnsafeBytes { bytes in
                var offset = 0
                let values = encoded.map { value -> UnsafePointer<CChar>? in
                    guard let value else { return nil }
                    defer { offset += value.count }
                    return bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
                }
                return PQsendQueryPrepared(handle, name, Int32(encoded.count), values, lengths, formats, 1)
            }
        }
    }

    private func send(_ call: () -> Int32) throws(DatabaseError) {
        // Nothing is sent for a caller that was cancelled.
        switch interrupter.wait(for: nil, until: .now) {
        case .interrupted: throw .interruption
        case .late, .ready: break
        }
        deadline = .now + patience
        guard call() == 1 else { throw failure(.broken) }
    }

    /// Returns the last result of the statement, or the first error.
    private func answer() throws(DatabaseError) -> Rows {
        var last: Rows?
        var refusal: DatabaseError?
        while true {
            try waitForResult()
            guard let result = PQgetResult(handle) else { break }
            let rows = Rows(result)
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: last = rows
            default: refusal = refusal ?? failure(PQstatus(handle) == CONNECTION_OK ? .refused : .broken, result)
            }
        }
        if let refusal { throw refusal }
        guard let last else { throw failure(.broken) }
        return last
    }

    private func waitForResult() throws(DatabaseError) {
        while true {
            let flushed = PQflush(handle)
            // The server's last message says more than the lost connection.
            guard flushed >= 0 || PQisBusy(handle) == 0 else { throw failure(.broken) }
            if flushed <= 0, PQisBusy(handle) == 0 { return }
            switch interrupter.wait(for: PQsocket(handle), to: flushed == 1 ? .both : .reading, until: deadline) {
            case .ready: if PQconsumeInput(handle) == 0, PQisBusy(handle) != 0 { throw failure(.broken) }
            case .interrupted: throw .interruption
            case .late: throw DatabaseError(kind: .unanswered, state: nil, reason: "the server did not respond in time")
            }
        }
    }

    private func failure(_ kind: DatabaseError.Kind, _ result: OpaquePointer? = nil) -> DatabaseError {
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        let text = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        // A server that shuts down may have executed it before.
        let isLost = state.map { $0.hasPrefix("57P") || $0.hasPrefix("08") } ?? false
        return DatabaseError(kind: isLost ? .broken : kind, state: state, reason: text ?? "the connection was lost")
    }
}

extension DatabaseError {
    static var interruption: Self { Self(kind: .interrupted, state: nil, reason: "the operation was interrupted") }
}
#endif
