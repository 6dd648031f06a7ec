#if PostgreSQL
import CredentialStorage

extension CredentialStoreError {
    /// Creates an error of the store from one of the database.
    ///
    /// - Parameter changedSomething: Whether the statement would have changed something; then it matters whether it was executed.
    init(_ error: DatabaseError, changing changedSomething: Bool) {
        let (code, advice) = Self.meaning(of: error, changing: changedSomething)
        self.init(code, "PostgreSQL: \(error). \(advice)", underlying: error)
    }

    private static func meaning(of error: DatabaseError, changing: Bool) -> (Code, String) {
        switch error.kind {
        case .interrupted: return (.cancelled, "The task was cancelled.")
        case .broken, .unanswered:
            let outcome = changing ? "It is not known whether the change was made; read the record before you try again." : "Try again."
            return (.timedOut, "The server has not answered within the time to recover. \(outcome)")
        case .untrusted:
            return (
                .refused,
                "No password was sent. Give the server a certificate for its host name, and name its authority in sslrootcert if the system does not know it; or choose another sslmode in the connection string."
            )
        case .unreachable, .refused: break
        }
        switch error.state {
        case "25006": return (.refused, "The server takes no changes: it is a standby or read only. Name the primary, or all servers.")
        case "28000", "28P01": return (.refused, "The server does not let this role in. Check the role, its password and pg_hba.conf.")
        case "3D000": return (.unavailable, "There is no such database. Create it, or correct the connection string.")
        case "3F000", "42P01", "42703", "42883":
            return (.unavailable, "The tables of the store are missing or altered. Call migrate() with a role that may create them.")
        case "42501": return (.refused, "The role lacks a right. Grant it what the documentation of PostgreSQLCredentialStore lists.")
        case "53100": return (.full, "The server's disk is full, and the old record stands. Make room.")
        case "53200": return (.failed, "The server is out of memory, and the old record stands. Try again.")
        case "53300": return (.unavailable, "The server has too many connections. Lower the limits of the programs, or raise the server's.")
        case "54000": return (.tooLarge, "Store less.")
        case "55P03", "57014":
            return (.timedOut, "The statement took too long, and nothing was changed. Try again, or look at the server's load.")
        case "XX001", "XX002": return (.failed, "The server's files are damaged. Look at its log.")
        case .some where error.kind == .refused: return (.failed, "Nothing was changed. Look at the server's log.")
        default:
            return error.reason == DatabaseError.noPassword
                ? (.refused, "Give it in a password file (~/.pgpass) or in the connection string.")
                : (.unavailable, "Check that the server runs and that the connection string names it. Nothing was changed.")
        }
    }
}
#endif
