#if PostgreSQL
import AuthHubPrimitives
import CPostgreSQL
import CredentialStorage
import Platform

extension Session {
    /// Connects to the first server that accepts changes.
    ///
    /// - Parameter statementTimeout: The timeout after which the server itself cancels a statement.
    static func connect(
        to string: ConnectionString, statementTimeout: Duration, until deadline: ContinuousClock.Instant, interrupter: Interrupter,
        reached: @escaping DatabaseStepHook
    ) throws(DatabaseError) -> Session {
        var last = DatabaseError(kind: .unreachable, state: nil, reason: "the time ran out before a connection was attempted")
        for server in string.servers {
            do throws(DatabaseError) {
                let limit = min(deadline, .now + server.timeout)
                let handle = try open(server, until: limit, interrupter)
                let session = Session(handle: handle, interrupter: interrupter, reached: reached)
                session.patience = ContinuousClock.now.duration(to: limit)
                try session.equip(statementTimeout)
                return session
            } catch {
                guard error.kind != .interrupted else { throw error }
                last = error
            }
        }
        // Nothing of the caller's data was sent.
        throw DatabaseError(kind: last.kind == .untrusted ? .untrusted : .unreachable, state: last.state, reason: last.reason)
    }

    private func equip(_ statementTimeout: Duration) throws(DatabaseError) {
        let milliseconds = statementTimeout.milliseconds
        try run(
            text: """
                SET statement_timeout = \(milliseconds); SET idle_in_transaction_session_timeout = \(milliseconds);
                SET search_path = pg_catalog; SET client_encoding = 'UTF8'; SET synchronous_commit = on;
                SET client_min_messages = error
                """)
    }

    private static func open(
        _ server: ConnectionString.Server, until deadline: ContinuousClock.Instant, _ interrupter: Interrupter
    ) throws(DatabaseError) -> OpaquePointer {
        let given = server.options.reveal()
        let security = TransportSecurity(of: given, environment: processEnvironment)
        guard let handle = start(given.merging(security.additions) { $1 }) else {
            throw DatabaseError(kind: .unreachable, state: nil, reason: "there is no memory for a connection")
        }
        // Include codes in the server's messages, which may be in any language.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        var wantsToWrite = true
        while true {
            guard PQstatus(handle) != CONNECTION_BAD else { throw failure(server, handle) }
            switch interrupter.wait(for: PQsocket(handle), to: wantsToWrite ? .writing : .reading, until: deadline) {
            case .interrupted:
                PQfinish(handle)
                throw .interruption
            case .late:
                PQfinish(handle)
                throw DatabaseError(kind: .unreachable, state: nil, reason: "\(server.name) did not accept the connection in time")
            case .ready: break
            }
            switch PQconnectPoll(handle) {
            case PGRES_POLLING_OK: return handle
            case PGRES_POLLING_FAILED: throw failure(server, handle)
            case PGRES_POLLING_WRITING: wantsToWrite = true
            default: wantsToWrite = false
            }
        }
    }

    /// Starts a connection.
    static func start(_ options: [String: String]) -> OpaquePointer? {
        let pointers = options.map { (strdup($0.key), strdup($0.value)) }
        defer {
            for (keyword, value) in pointers {
                free(keyword)
                if let value {
                    // One of them is the password.
                    memset(value, 0, strlen(value))
                    free(value)
                }
            }
        }
        let keywords = pointers.map { UnsafePointer($0.0) } + [nil]
        let values = pointers.map { UnsafePointer($0.1) } + [nil]
        let handle = PQconnectStartParams(keywords, values, 0)
        // By default, libpq writes the server's notices to standard error, however many there are and whatever they contain.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        return handle
    }

    /// Creates an error from libpq's message. Because the message may quote the connection string, only parts that are known to be
    /// harmless are used.
    private static func failure(_ server: ConnectionString.Server, _ handle: OpaquePointer) -> DatabaseError {
        let message = String(cString: PQerrorMessage(handle))
        let needsPassword = PQconnectionNeedsPassword(handle) != 0
        PQfinish(handle)
        if needsPassword { return DatabaseError(kind: .unreachable, state: nil, reason: DatabaseError.noPassword) }
        if let doubt = doubts.first(where: { message.contains($0.said) }) {
            return DatabaseError(kind: .untrusted, state: nil, reason: "\(server.name): \(doubt.means)")
        }
        let phrase = phrases.first { message.contains($0.said) }
        let reason = phrase?.means ?? "the connection failed"
        return DatabaseError(kind: .unreachable, state: state(in: message) ?? phrase?.state, reason: "\(server.name): \(reason)")
    }

    /// The reasons why libpq rejects a server that must prove its name.
    private static let doubts: [(said: String, means: String)] = [
        ("does not support SSL", "the server offers no TLS"),
        ("root certificate", "there is no certificate authority to verify the server"),
        ("host name must be specified", "the connection string has no host name to verify the certificate against"),
        ("does not match host name", "the server's certificate is for another name"),
        ("certificate", "the server's certificate was not accepted"),
    ]

    private static let phrases: [(said: String, means: String, state: String?)] = [
        ("Connection refused", "no server is listening at this address", nil),
        ("No such file or directory", "no server is listening at this address", nil),
        ("could not translate host name", "the host name is not known", nil),
        ("session is read-only", "the server is read-only", "25006"),
        ("server is in hot standby mode", "the server is read-only", "25006"),
        ("Permission denied", "the operating system does not allow the connection", nil),
        ("Network is unreachable", "the network is down", nil),
        ("No route to host", "there is no route to the host", nil),
        ("SSL", "no secure connection could be made", nil),
        ("server closed the connection", "the server closed the connection", nil),
        ("28P01", "the server did not accept the password", nil),
    ]

    /// Returns the code in `FATAL:  28P01: …`.
    private static func state(in message: String) -> String? {
        let parts = message.split(separator: ":", omittingEmptySubsequences: false)
        for part in parts.dropFirst().dropLast() {
            let code = part.drop { $0 == " " }
            let isCode = code.utf8.count == 5 && code.utf8.allSatisfy { 48...57 ~= $0 || 65...90 ~= $0 }
            if isCode, part.hasPrefix("  ") { return String(code) }
        }
        return nil
    }
}
#endif
