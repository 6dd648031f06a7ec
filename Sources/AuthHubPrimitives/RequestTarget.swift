/// The parts of a URL that an HTTP request contains.
///
/// Unlike Foundation's `URL`, which normalizes and repairs, this type keeps a URL as it was written, or rejects it.
package struct RequestTarget: Sendable, Hashable {
    /// `http` or `https`; nil if only a path was given.
    package let scheme: String?
    /// The host and port as written, with the host in lower case; nil if only a path was given.
    package let authority: String?
    /// The path and query as written, at least `/`.
    package let path: String

    /// Creates a target from a URL or path. A fragment is removed.
    ///
    /// - Returns: nil for other schemes, user information, an empty host or an invalid port, and if the path or query contains characters
    ///   that must be percent-encoded (RFC 3986 §3.3) or a `%` without two hexadecimal digits.
    package init?(_ url: some StringProtocol) {
        self.init(parsing: Substring(url))
    }

    /// Creates a target from separate parts, each of which is checked as in a URL.
    ///
    /// - Returns: nil if a URL of these parts is invalid, or if the path does not begin with a slash or has a fragment.
    package init?(scheme: String, authority: String, path: String) {
        guard Origin(scheme: scheme, authority: authority) != nil, path.utf8.first == UInt8(ascii: "/") else { return nil }
        self.init(scheme: scheme.inLowerCase, authority: authority.inLowerCase, path: path[...])
    }

    private init?(parsing url: Substring) {
        // As an array, because access to the bytes of a substring is much slower.
        let bytes = Array(url.utf8), slash = UInt8(ascii: "/")
        // In ASCII, each character is one byte, so no combining mark can hide a delimiter.
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let text = bytes.prefix { $0 != UInt8(ascii: "#") }
        if text.first == slash, text.dropFirst().first != slash {
            self.init(scheme: nil, authority: nil, path: text)
            return
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8) else { return nil }
        let scheme = String(decoding: text[..<colon], as: UTF8.self).inLowerCase
        let afterScheme = text[colon...].dropFirst(3)
        let host = afterScheme.prefix { $0 != slash && $0 != UInt8(ascii: "?") }
        let authority = String(decoding: host, as: UTF8.self).inLowerCase
        guard Origin(scheme: scheme, authority: authority) != nil else { return nil }
        let rest = afterScheme[host.endIndex...]
        self.init(scheme: scheme, authority: authority, path: rest.first == slash ? rest : [slash] + rest)
    }

    init?(scheme: String?, authority: String?, path: Substring) {
        guard Self.isWellFormed(path.utf8) else { return nil }
        self.scheme = scheme
        self.authority = authority
        self.path = String(path)
    }

    private init?(scheme: String?, authority: String?, path: ArraySlice<UInt8>) {
        guard Self.isWellFormed(path) else { return nil }
        self.scheme = scheme
        self.authority = authority
        self.path = String(decoding: path, as: UTF8.self)
    }

    /// The target as a URL, or as a path if it has no scheme and authority.
    package var url: String {
        guard let scheme, let authority else { return path }
        return "\(scheme)://\(authority)\(path)"
    }
}

extension RequestTarget {
    private static func isWellFormed(_ path: some Sequence<UInt8>) -> Bool {
        var rest = path.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard rest.next()?.hexadecimalDigit != nil, rest.next()?.hexadecimalDigit != nil else { return false }
            } else if !isLiteral(byte) {
                return false
            }
        }
        return true
    }

    /// Returns whether a byte is allowed unencoded in a path or query (RFC 3986 §3.3, §3.4).
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
