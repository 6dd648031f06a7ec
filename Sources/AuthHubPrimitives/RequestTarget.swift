/// The parts of a URL that an HTTP request carries.
///
/// Kept apart from Foundation's `URL`, which normalises and repairs: what is sent here is what was written, or it is refused.
public struct RequestTarget: Sendable, Hashable {
    /// `http` or `https`; nil where only a path was given.
    public let scheme: String?
    /// Host and port as written, the host in lower case; nil where only a path was given.
    public let authority: String?
    /// Path and query as written, at least `/`.
    public let path: String

    /// - Returns: nil for other schemes, for user information, an empty host, a bad port, and for a path or query with characters that
    ///   RFC 3986 §3.3 wants percent-encoded, or with a `%` that no two digits follow. A fragment is left out.
    public init?(_ url: some StringProtocol) {
        // In ASCII, each character is one byte: no combining mark can hide a delimiter.
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let text = Substring(url).prefix { $0 != "#" }
        if text.hasPrefix("/"), !text.hasPrefix("//") {
            self.init(scheme: nil, authority: nil, path: text)
            return
        }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let scheme = text[..<colon].lowercased()
        let afterScheme = text[text.index(colon, offsetBy: 3)...]
        let authority = afterScheme.prefix { $0 != "/" && $0 != "?" }
        guard Origin(scheme: scheme, authority: authority) != nil else { return nil }
        let rest = afterScheme[authority.endIndex...]
        self.init(scheme: scheme, authority: authority.lowercased(), path: rest.hasPrefix("/") ? rest : "/" + rest)
    }

    init?(scheme: String?, authority: String?, path: Substring) {
        guard Self.isWellFormed(path) else { return nil }
        self.scheme = scheme
        self.authority = authority
        self.path = String(path)
    }

    /// The target as a URL, or as a path where it has no scheme and no authority.
    public var url: String {
        guard let scheme, let authority else { return path }
        return "\(scheme)://\(authority)\(path)"
    }
}

extension RequestTarget {
    private static func isWellFormed(_ path: Substring) -> Bool {
        var rest = path.utf8.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard rest.next()?.hexadecimalDigit != nil, rest.next()?.hexadecimalDigit != nil else { return false }
            } else if !isLiteral(byte) {
                return false
            }
        }
        return true
    }

    /// Whether a byte may stand for itself in a path or a query (RFC 3986 §3.3, §3.4).
    static func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="),
            UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "?"):
            true
        default: byte.isUnreserved
        }
    }
}
