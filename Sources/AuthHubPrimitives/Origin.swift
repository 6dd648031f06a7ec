/// Scheme, host and port: what decides who may see a credential (RFC 6454 §4).
public struct Origin: Sendable, Hashable {
    public let scheme: String
    /// In lower case; an IPv6 address in brackets.
    public let host: String
    public let port: Int

    public init(scheme: String, host: String, port: Int) {
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
    }

    /// - Returns: nil where the authority holds user information, an empty host or a port that is none.
    public init?(scheme: some StringProtocol, authority: some StringProtocol) {
        guard !authority.isEmpty, !authority.contains(where: { "@/?#\\ ".contains($0) }) else { return nil }
        let hostEnd: String.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let host = authority[..<hostEnd]
        let rest = authority[hostEnd...]
        guard !host.isEmpty else { return nil }
        let defaultPort = scheme.lowercased() == "http" ? 80 : 443
        if rest.isEmpty {
            self.init(scheme: String(scheme), host: String(host), port: defaultPort)
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let port = UInt16(digits), port > 0
            else { return nil }
            self.init(scheme: String(scheme), host: String(host), port: Int(port))
        }
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
        let isDefault = port == (scheme == "http" ? 80 : 443)
        return "\(scheme)://\(host)" + (isDefault ? "" : ":\(port)")
    }
}

extension String {
    /// Four decimal numbers, the first 127: `127.evil.example` is a name, not an address.
    fileprivate var isLoopbackIPv4: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
