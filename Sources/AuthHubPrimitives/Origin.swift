/// A scheme, host and port (RFC 6454 §4). Whether a server may receive a credential depends on its origin.
public struct Origin: Sendable, Hashable {
    /// The scheme in lower case, such as `https`.
    public let scheme: String
    /// The host in lower case, with brackets around an IPv6 address. A trailing dot is preserved: `example.com.` is a different host than
    /// `example.com`.
    public let host: String
    /// The port. If the URL names none, it is the default port of the scheme.
    public let port: Int

    /// Creates an origin from its parts. They are converted to lower case, but not validated.
    public init(scheme: String, host: String, port: Int) {
        self.scheme = scheme.inLowerCase
        self.host = host.inLowerCase
        self.port = port
    }

    /// Creates an origin from a scheme and an authority.
    ///
    /// - Returns: nil if the scheme is neither http nor https, if there is user information, if the host is neither a name of ASCII
    ///   letters, digits, `-`, `.`, `_` and `~` nor an address in brackets, or if the port is not in 1 to 65535.
    package init?(scheme: some StringProtocol, authority: some StringProtocol) {
        self.init(scheme: String(scheme), of: Substring(authority))
    }

    // Not generic, because this initializer runs more than once for every request.
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
            // RFC 3986 §3.2.2 allows more characters, but they cannot occur in a host name, and programs interpret them differently.
            guard hostEnd > bytes.startIndex, bytes[..<hostEnd].allSatisfy(\.isUnreserved) else { return nil }
        }
        guard let port = hostEnd == bytes.endIndex ? defaultPort : Self.port(bytes[hostEnd...]) else { return nil }
        self.init(scheme: scheme, host: String(authority[..<hostEnd]), port: port)
    }

    /// Creates the origin of a URL; nil if the URL is not absolute, or its host or port is not valid.
    public init?(url: some StringProtocol) {
        guard let target = RequestTarget(url), let scheme = target.scheme, let authority = target.authority else { return nil }
        self.init(scheme: scheme, authority: authority)
    }

    /// Whether the host is this machine, by a literal loopback address or the name `localhost` (RFC 8252 §8.3 prefers the literals).
    package var isLoopback: Bool {
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

    /// Returns the port after a colon.
    private static func port(_ text: Substring.UTF8View) -> Int? {
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit),
            let port = UInt16(Substring(digits)), port > 0
        else { return nil }
        return Int(port)
    }

    /// Checks only the characters; the resolver decides whether it is an address. Zone names are not valid in URLs that leave the machine.
    private static func isIPv6(_ text: Substring.UTF8View) -> Bool {
        text.count(where: { $0 == UInt8(ascii: ":") }) >= 2
            && text.allSatisfy { $0.hexadecimalDigit != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }
}

extension String {
    /// Whether the host has four decimal numbers of which the first is 127: `127.evil.example` is a name, not an address.
    fileprivate var isLoopbackIPv4: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                part.utf8.allSatisfy(\.isASCIIDigit) && (part.count == 1 || part.first != "0") && UInt8(part) != nil
            }
    }
}
