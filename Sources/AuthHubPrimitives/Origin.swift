/// Scheme, host and port: what decides who may see a credential (RFC 6454 §4).
public struct Origin: Sendable, Hashable {
    public let scheme: String
    /// In lower case; an IPv6 address in brackets. A name with a dot at its end is another host than without.
    public let host: String
    public let port: Int

    public init(scheme: String, host: String, port: Int) {
        self.scheme = scheme.inLowerCase
        self.host = host.inLowerCase
        self.port = port
    }

    /// - Returns: nil for other schemes than http and https, for user information, for a host that is neither a name of ASCII letters,
    ///   digits, `-`, `.`, `_` and `~` nor an address in brackets, and for a port that is not 1 to 65535.
    public init?(scheme: some StringProtocol, authority: some StringProtocol) {
        self.init(scheme: String(scheme), of: Substring(authority))
    }

    // Not generic: every request comes through here, more than once.
    private init?(scheme: String, of authority: Substring) {
        let scheme = scheme.inLowerCase
        guard let defaultPort = Self.defaultPort(of: scheme) else { return nil }
        let bytes = authority.utf8
        let hostEnd: Substring.Index
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")), Self.isIPv6(bytes[..<bracket].dropFirst()) else { return nil }
            hostEnd = bytes.index(after: bracket)
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            // RFC 3986 §3.2.2 knows more: the rest cannot stand in the name of a host, and is read differently by different programs.
            guard hostEnd > bytes.startIndex, bytes[..<hostEnd].allSatisfy(\.isUnreserved) else { return nil }
        }
        guard let port = hostEnd == bytes.endIndex ? defaultPort : Self.port(bytes[hostEnd...]) else { return nil }
        self.init(scheme: scheme, host: String(authority[..<hostEnd]), port: port)
    }

    /// The origin of an absolute URL.
    public init?(url: some StringProtocol) {
        guard let target = RequestTarget(url), let scheme = target.scheme, let authority = target.authority else { return nil }
        self.init(scheme: scheme, authority: authority)
    }

    /// Whether the host is this machine by its literal address or the name `localhost` (RFC 8252 §8.3 prefers the literals).
    public var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || host.isLoopbackIPv4
    }
}

extension Origin: CustomStringConvertible {
    public var description: String {
        "\(scheme)://\(host)" + (port == Self.defaultPort(of: scheme) ? "" : ":\(port)")
    }
}

extension Origin {
    private static func defaultPort(of scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    /// The port after a colon.
    private static func port(_ text: Substring.UTF8View) -> Int? {
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit),
            let port = UInt16(Substring(digits)), port > 0
        else { return nil }
        return Int(port)
    }

    /// By its characters; whether it is an address is for the resolver to say. Zone names are not for URLs that leave the machine.
    private static func isIPv6(_ text: Substring.UTF8View) -> Bool {
        text.count(where: { $0 == UInt8(ascii: ":") }) >= 2
            && text.allSatisfy { $0.hexadecimalDigit != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }
}

extension String {
    /// Four decimal numbers, the first 127: `127.evil.example` is a name, not an address.
    fileprivate var isLoopbackIPv4: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                part.utf8.allSatisfy(\.isASCIIDigit) && (part.count == 1 || part.first != "0") && UInt8(part) != nil
            }
    }
}
