#if PostgreSQL
import CredentialStorage

extension CredentialStoreError {
    /// Creates an error of the store from one of the database.
    ///
    /// - Parameter changedSomething: Whether the statement would have changed something; then it matters whether it was executed.
    init(_ error: DatabaseError, changing changedSomething: Bool) {
        let (code, advice) = Self.meaning(of: error, changing: changedSomething)
        self.init(code, "PostgreSQL: \(error); \(advice)", underlying: error)
    }

    private static func meaning(of error: DatabaseError, changing: Bool) -> (Code, String) {
        switch error.kind {
        case .interrupted: return (.cancelled, "the task was cancelled")
        case .broken, .unanswered:
            let outcome = changing ? "it is not known whether the change was made; read the record before you try again" : "try again"
            return (.timedOut, "the server did not respond within the recovery time; \(outcome)")
        case .untrusted:
            return (
                .refused,
                "no password was sent; give the server a certificate for its host name, and name its certificate authority in sslrootcert if the system does not trust it, or choose another sslmode in the connection string"
            )
        case .unreachable, .refused: break
        }
        switch error.state {
        case "25006": return (.refused, "the server is a standby or read-only; name the primary, or all servers, in the connection string")
        case "28000", "28P01": return (.refused, "the server does not let this role log in; check the role, its password and pg_hba.conf")
        case "3D000": return (.unavailable, "the database does not exist; create it, or correct the connection string")
        case "3F000", "42P01", "42703", "42883":
            return (.unavailable, "the store's tables are missing or altered; call migrate() with a role that may create them")
        case "42501":
            return (.refused, "the role lacks a privilege; grant the privileges listed in the documentation of PostgreSQLCredentialStore")
        case "53100": return (.full, "the server's disk is full; the old record is unchanged; free some space")
        case "53200": return (.failed, "the server is out of memory; the old record is unchanged; try again")
        case "53300": return (.unavailable, "the server has too many connections; lower the programs' limits, or raise the server's")
        case "54000": return (.tooLarge, "store less")
        case "55P03", "57014":
            return (.timedOut, "the statement took too long; nothing was changed; try again, or check the server's load")
        case "XX001", "XX002": return (.failed, "the server's files are damaged; check its log")
        case .some where error.kind == .refused: return (.failed, "nothing was changed; check the server's log")
        default:
            return error.reason == DatabaseError.noPassword
                ? (.refused, "set it in a password file (~/.pgpass) or in the connection string")
                : (.unavailable, "nothing was changed; check that the server is running and that the connection string is right")
        }
    }
}
#endif
