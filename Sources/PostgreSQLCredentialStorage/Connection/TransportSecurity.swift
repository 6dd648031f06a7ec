#if PostgreSQL
import CPostgreSQL
import CredentialStorage
import Platform

/// The security of the connection to one server, from the connection string, the service file, the environment and libpq's defaults.
///
/// libpq's default is `sslmode=prefer`: an attacker on the network who claims that the server has no TLS gets the password in the clear. So
/// a server that is neither behind a Unix socket nor at a loopback address must prove its name (`verify-full`), unless the caller chose
/// another mode.
struct TransportSecurity: Sendable {
    static let strict = "verify-full"

    /// The options to add to the connection string.
    let additions: [String: String]
    /// The mode that the caller chose, if it does not require a server on the network to prove its name; nil otherwise.
    let weakMode: String?

    /// Determines the security of a connection. Blocks while names are resolved.
    ///
    /// - Parameters:
    ///   - options: The options of one server, from the connection string.
    ///   - environment: Returns the value of a variable by its name.
    ///   - accountHome: The user's home folder in the system's user database.
    init(
        of options: [String: String], environment: (String) -> String?, accountHome: () -> String? = CredentialStorage.accountHome
    ) {
        let settings = Self.settings(options)
        // "prefer" in a service file looks like libpq's default: it does not count as a choice.
        let isChosen =
            options["sslmode"]?.isEmpty == false || environment("PGSSLMODE") != nil || (settings["sslmode"] ?? "prefer") != "prefer"
        let mode = isChosen ? settings["sslmode"] : Self.strict
        if let loopback = Self.loopbackAddresses(settings) {
            weakMode = nil
            additions = isChosen ? [:] : loopback
            return
        }
        weakMode = mode == Self.strict ? nil : mode
        var additions: [String: String] = isChosen ? [:] : ["sslmode": Self.strict]
        if mode == Self.strict, settings["sslrootcert"] == nil,
            !Self.hasOwnRoots(environment("HOME").flatMap { $0.isEmpty ? nil : $0 } ?? accountHome())
        {
            additions["sslrootcert"] = Self.systemRoots(environment)
        }
        self.additions = additions
    }
}

extension TransportSecurity {
    /// Returns the settings that libpq would use, even an `sslmode` that it rejects; empty if it cannot read the service file.
    private static func settings(_ options: [String: String]) -> [String: String] {
        // An impossible value: libpq puts all settings together, finds it, and gives up before it resolves a name or opens a socket.
        let handle = Session.start(options.merging(["channel_binding": "impossible"]) { $1 })
        defer { PQfinish(handle) }
        guard let found = PQconninfo(handle) else { return [:] }
        defer { PQconninfoFree(found) }
        var settings: [String: String] = [:]
        var option = found
        while let keyword = option.pointee.keyword {
            let keyword = String(cString: keyword)
            if ["host", "hostaddr", "port", "sslmode", "sslrootcert"].contains(keyword), let value = option.pointee.val, value[0] != 0 {
                settings[keyword] = String(cString: value)
            }
            option += 1
        }
        // There is always a port.
        return settings["port"] == nil ? [:] : settings
    }

    /// Resolves the hosts.
    ///
    /// - Returns: nil if any of the hosts is on the network; otherwise the addresses that the names resolve to. libpq must use these and
    ///   not resolve the names again: they may resolve to other addresses by then.
    private static func loopbackAddresses(_ settings: [String: String]) -> [String: String]? {
        guard !settings.isEmpty else { return nil }
        if let addresses = settings["hostaddr"] { return list(addresses).allSatisfy(isLoopback) ? [:] : nil }
        // Without a host, libpq uses its default socket.
        guard let hosts = settings["host"].map(list) else { return [:] }
        var found: [(host: String, address: String)] = []
        for host in hosts {
            if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") {
                found.append((host, ""))
                continue
            }
            let addresses = addresses(of: host)
            guard !addresses.isEmpty, addresses.allSatisfy(isLoopback) else { return nil }
            found += addresses.map { (host, $0) }
        }
        // A single port applies to any number of hosts; of several ports, each belongs to one host.
        guard found.contains(where: { !$0.address.isEmpty }) else { return [:] }
        guard found.count == hosts.count || settings["port"]?.contains(",") != true else { return nil }
        return [
            "host": found.map(\.host).joined(separator: ","), "hostaddr": found.map(\.address).joined(separator: ","),
        ]
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func isLoopback(_ address: String) -> Bool {
        var four = in_addr()
        if inet_pton(AF_INET, address, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return false }
        return withUnsafeBytes(of: six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }

    /// Resolves a host, which may be an address, as libpq does; empty if it has no address.
    private static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = streamSocket
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var found: [String] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ai_next
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            // An address that cannot be converted to text is not a loopback address.
            let isText = getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            let address = isText ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "unknown"
            if !found.contains(address) { found.append(address) }
        }
        return found
    }
}

extension TransportSecurity {
    /// Returns whether the user has a root certificate file at libpq's default path.
    private static func hasOwnRoots(_ home: String?) -> Bool {
        home.map { access("\($0)/.postgresql/root.crt", F_OK) == 0 } ?? false
    }

    /// Returns the value of `sslrootcert` for the authorities that the system trusts; nil if there is none.
    private static func systemRoots(_ environment: (String) -> String?) -> String? {
        if PQlibVersion() >= 160_000 { return "system" }
        return ([environment("SSL_CERT_FILE")].compactMap(\.self) + rootFiles).first { access($0, R_OK) == 0 }
    }

    /// Debian, Fedora, SUSE, and Alpine with Apple's systems.
    private static let rootFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
}

#if canImport(Glibc)
private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
private let streamSocket = SOCK_STREAM
#endif
#endif
