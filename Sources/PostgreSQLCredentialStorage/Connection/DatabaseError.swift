#if PostgreSQL
/// A failure between this program and the server. Its text never contains parts of a connection string or a parameter.
struct DatabaseError: Error {
    enum Kind: Sendable {
        /// No connection could be opened; nothing was sent.
        case unreachable
        /// The server did not prove its identity; nothing was sent.
        case untrusted
        /// The connection was lost; the last statement may or may not have been executed.
        case broken
        /// The server did not respond in time; the last statement may or may not have been executed.
        case unanswered
        /// The caller was cancelled.
        case interrupted
        /// The server rejected the statement, and did nothing.
        case refused
    }

    let kind: Kind
    /// The server's error code (SQLSTATE), if there is one.
    let state: String?
    let reason: String
}

extension DatabaseError {
    /// Whether a retry may soon succeed: at another server, or at this one when it is available again.
    var isTransient: Bool {
        switch kind {
        case .broken, .unanswered: true
        case .interrupted, .untrusted: false
        case .unreachable, .refused: state.map { Self.isTransient($0) } ?? (kind == .unreachable && !isLackOfPassword)
        }
    }

    /// Whether the server may have executed the statement.
    var isUncertain: Bool { kind == .broken || kind == .unanswered }

    private var isLackOfPassword: Bool { reason == Self.noPassword }
    static let noPassword = "the server asks for a password, but none is set"

    /// Returns whether a retry may succeed after an error with this state. 08: connections; 25006: read only, as after a failover; 26000:
    /// prepared statements lost; 40001, 40P01: conflicts with others; 53300: too many connections; 57P01 to 57P03: the server is shutting
    /// down or starting.
    private static func isTransient(_ state: String) -> Bool {
        ["25006", "26000", "40001", "40P01", "53300", "57P01", "57P02", "57P03"].contains(state) || state.hasPrefix("08")
    }
}

extension DatabaseError: CustomStringConvertible {
    var description: String { state.map { "\(reason) (SQLSTATE \($0))" } ?? reason }
}
#endif
