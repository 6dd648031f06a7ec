/// Information about a connection string (libpq §34.1.1) without connecting: either `postgresql://…` or `key=value …`.
enum PostgreSQLConnection {
    /// Returns whether it contains a password, which everyone on the machine could read in the list of processes.
    static func holdsPassword(_ text: String) -> Bool {
        if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://"), let scheme = text.firstRange(of: "://") {
            let rest = text[scheme.upperBound...]
            // As in libpq: a question mark does not end a password.
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            let authority = rest[..<end]
            if let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") { return true }
            guard let query = rest.firstIndex(of: "?") else { return false }
            return rest[rest.index(after: query)...].split(separator: "&").contains { isPassword($0.prefix { $0 != "=" }) }
        }
        // Even inside quotes: rejecting an unusual database name is better than showing a password.
        return text.split(whereSeparator: { $0 == "=" }).dropLast().contains { part in
            isPassword(part.reversed().drop(while: \.isWhitespace).prefix { !$0.isWhitespace }.reversed())
        }
    }

    private static func isPassword(_ name: some Sequence<Character>) -> Bool {
        let name = String(name).lowercased()
        // A parameter name never needs percent-encoding, except to hide the name.
        return ["password", "sslpassword"].contains(name) || name.contains("%")
    }
}
