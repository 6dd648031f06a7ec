#if PostgreSQL
import AuthHubPrimitives
import CPostgreSQL
import CredentialStorage

/// The servers and the credentials for them, as libpq reads them: `host=… dbname=…`, or `postgresql://…`.
struct ConnectionString: Sendable {
    /// A server to try.
    struct Server: Sendable {
        let options: Secret<[String: String]>
        /// The timeout for connecting to it.
        let timeout: Duration
        /// A name that may be shown: only the host's name or path.
        let name: String
    }

    let servers: [Server]

    /// Parses a connection string.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable`. It quotes no part of the string, which may contain a password.
    init(_ text: String) throws(CredentialStoreError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let parsed = PQconninfoParse(text, &message) else {
            PQfreemem(message)
            throw CredentialStoreError(
                .unavailable,
                "the PostgreSQL connection string cannot be parsed; write “host=… dbname=… user=…”, or “postgresql://user@host/database” with special characters percent-encoded"
            )
        }
        defer { PQconninfoFree(parsed) }
        var options: [String: String] = [:]
        var option = parsed
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        servers = Self.servers(options)
    }

    /// The first mode with which a server on the network does not have to prove its name; nil if there is none.
    var weakMode: String? {
        for server in servers {
            if let mode = TransportSecurity(of: server.options.reveal(), environment: processEnvironment).weakMode { return mode }
        }
        return nil
    }

    /// Returns one server for each host, so that a host that does not respond does not use up the time of the next ones.
    private static func servers(_ options: [String: String]) -> [Server] {
        let given = options.merging(defaults) { given, _ in given }
        let timeout = options["connect_timeout"].flatMap { Int64($0) }.map { Duration.seconds(max($0, 2)) } ?? .seconds(3)
        let hosts = list(options["host"]), addresses = list(options["hostaddr"]), ports = list(options["port"])
        let count = max(hosts.count, addresses.count)
        guard count > 1 else { return [Server(options: Secret(given), timeout: timeout, name: shown(hosts.first ?? addresses.first))] }
        return (0..<count).map { index in
            var own = given
            own["host"] = index < hosts.count ? hosts[index] : nil
            own["hostaddr"] = index < addresses.count ? addresses[index] : nil
            own["port"] = ports.count == count ? ports[index] : ports.first
            return Server(options: Secret(own), timeout: timeout, name: shown(own["host"] ?? own["hostaddr"]))
        }
    }

    /// The defaults for options that are not set: only writable servers, and connections that detect when the other end is gone.
    private static let defaults = [
        "target_session_attrs": "read-write", "fallback_application_name": "authhub",
        "keepalives_idle": "10", "keepalives_interval": "3", "keepalives_count": "3", "tcp_user_timeout": "10000",
    ]

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",", omittingEmptySubsequences: text?.contains(",") != true).map(String.init)
    }

    /// Returns the host for messages. A misread URL may have a part of the password in the host's place.
    private static func shown(_ host: String?) -> String {
        guard let host, !host.isEmpty else { return "the default server" }
        let isPlain = host.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || "/._-:".utf8.contains(byte)
        }
        return isPlain ? host : "the server"
    }
}
#endif
