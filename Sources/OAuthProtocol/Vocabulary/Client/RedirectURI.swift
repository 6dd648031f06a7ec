import AuthHubPrimitives

/// The URI that the authorization server redirects the browser to.
public struct RedirectURI: Sendable, Hashable {
    /// A kind of redirect URI and its parts.
    package enum Kind: Sendable, Hashable {
        /// `http://127.0.0.1:PORT` and a path. Port 0 means any free port (RFC 8252 §7.3).
        case loopback(port: UInt16, path: String)
        /// A private-use scheme and the part after its colon (RFC 8252 §7.1).
        case customScheme(String, path: String)
        /// An https URL that the program claims (RFC 8252 §7.2).
        case https(host: String, path: String)
    }

    /// The kind of the URI and its parts.
    package let kind: Kind

    /// The loopback URI `http://127.0.0.1:PORT/callback` with any free port.
    public static let loopback = loopback()

    /// Creates a loopback redirect URI (RFC 8252 §7.3).
    ///
    /// - Parameters:
    ///   - port: The port; 0 means any free port. Some servers accept only the registered port.
    ///   - path: The registered path, including its leading slash.
    public static func loopback(port: UInt16 = 0, path: String = "/callback") -> Self {
        Self(kind: .loopback(port: port, path: path))
    }

    /// Creates a redirect URI with a custom scheme: `SCHEME:PATH`, such as `com.example.app:/callback` (RFC 8252 §7.1).
    ///
    /// Any program can claim any scheme (RFC 8252 §8.6), but PKCE makes a stolen authorization code useless.
    ///
    /// - Parameters:
    ///   - scheme: The scheme without the colon. Use the reversed name of a domain that you own.
    ///   - path: The registered part after the colon, including its leading slash.
    public static func customScheme(_ scheme: String, path: String = "/callback") -> Self {
        Self(kind: .customScheme(scheme, path: path))
    }

    /// Creates an https redirect URI on the default port: `https://HOST/PATH` (RFC 8252 §7.2).
    ///
    /// - Parameters:
    ///   - host: A host that you own. On Apple systems, its association file must name the program.
    ///   - path: The registered path, including its leading slash.
    public static func https(host: String, path: String) -> Self {
        Self(kind: .https(host: host, path: path))
    }
}

extension RedirectURI {
    /// Creates a redirect URI from its registered form, such as `http://127.0.0.1/callback`, `https://app.example.com/callback` or
    /// `com.example.app:/callback`. A loopback URI without a port can use any free port.
    ///
    /// - Returns: nil if the string is not a usable redirect URI, for example if it has a query, or if it is an http URL with a host other
    ///   than 127.0.0.1.
    public init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"?#\\".utf8.contains($0) })
        else { return nil }
        let scheme = text[..<colon]
        let rest = text[text.index(after: colon)...]
        guard let first = scheme.utf8.first, first.isASCIILetter, rest.hasPrefix("/"),
            scheme.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
        else { return nil }
        switch scheme.lowercased() {
        case "http":
            guard let origin = Origin(url: text), origin.host == "127.0.0.1", let path = Self.path(of: rest),
                let port = UInt16(exactly: origin.port)
            else { return nil }
            let hasPort = rest.dropFirst(2).prefix { $0 != "/" }.contains(":")
            self = .loopback(port: hasPort ? port : 0, path: path)
        case "https":
            guard let origin = Origin(url: text), origin.port == 443, let path = Self.path(of: rest) else { return nil }
            self = .https(host: origin.host, path: path)
        default:
            self = .customScheme(String(scheme), path: String(rest))
        }
    }

    private static func path(of rest: Substring) -> String? {
        guard rest.hasPrefix("//"), !rest.contains("@") else { return nil }
        let path = rest.dropFirst(2).drop { $0 != "/" }
        return path.isEmpty ? nil : String(path)
    }
}

extension RedirectURI: CustomStringConvertible {
    /// The registered form. It contains no port if a loopback URI can use any free port.
    public var description: String {
        switch kind {
        case .loopback(0, let path): "http://127.0.0.1\(path)"
        case .loopback(let port, let path): "http://127.0.0.1:\(port)\(path)"
        case .customScheme(let scheme, let path): "\(scheme):\(path)"
        case .https(let host, let path): "https://\(host)\(path)"
        }
    }
}
