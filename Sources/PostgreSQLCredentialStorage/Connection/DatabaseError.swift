#if PostgreSQL
/// What went wrong between this program and the server. Its text never holds what a connection string or a parameter says.
struct DatabaseError: Error {
    enum Kind: Sendable {
        /// No connection could be made; nothing was sent.
        case unreachable
        /// The server did not prove who it is; nothing was sent.
        case untrusted
        /// The connection was lost; what was sent last may have been done or not.
        case broken
        /// The server did not answer in time; what was sent last may have been done or not.
        case unanswered
        /// The caller was cancelled.
        case interrupted
        /// The server refused the statement, and did nothing.
        case refused
    }

    let kind: Kind
    /// The server's code for it (SQLSTATE), where there is one.
    let state: String?
    let reason: String
}

extension DatabaseError {
    /// Whether the same may succeed in a moment: at another server, or at this one when it is back.
    var isTransient: Bool {
        switch kind {
        case .broken, .unanswered: true
        case .interrupted, .untrusted: false
        case .unreachable, .refused: state.map { Self.isTransient($0) } ?? (kind == .unreachable && !isLackOfPassword)
        }
    }

    /// Whether the server may have done what it was asked to.
    var isUncertain: Bool { kind == .broken || kind == .unanswered }

    private var isLackOfPassword: Bool { reason == Self.noPassword }
    static let noPassword = "the server asks for a password, but none is set"

    /// 08: connections; 25006: read only, as after a failover; 26000: prepared statements forgotten; 40001, 40P01: others were in the way;
    /// 53300: too many connections; 57P01 to 57P03: the server goes down or comes up.
    private static func isTransient(_ state: String) -> Bool {
        ["25006", "26000", "40001", "40P01", "53300", "57P01", "57P02", "57P03"].contains(state) || state.hasPrefix("08")
    }
}

extension DatabaseError: CustomStringConvertible {
    var description: String { state.map { "\(reason) (SQLSTATE \($0))" } ?? reason }
}
#endif
