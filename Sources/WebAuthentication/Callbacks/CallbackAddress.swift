import AuthHubPrimitives

/// A redirect URI with a custom scheme or https, and the rule that recognizes its callbacks.
///
/// Use this type in authenticators that receive callbacks directly from their browser or from the system, without a listener.
public struct CallbackAddress: Sendable, Hashable {
    /// The redirect URI as registered. Callbacks are returned with this spelling, even if the browser changed upper and lower case.
    public let redirectURI: String
    /// The scheme in lower case.
    let scheme: String
    /// The host, only for https.
    private let host: String?
    private let path: String

    var isHTTPS: Bool { host != nil }

    /// Creates an address from a callback method.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the scheme, host or path is not valid; also for a loopback callback,
    ///   whose port is not known until it is bound, and for a pin page.
    public init(_ method: CallbackMethod) throws(WebAuthenticationError) {
        switch method {
        case .loopback:
            throw WebAuthenticationError(.cannotReceive, "a loopback callback needs a listener on 127.0.0.1")
        case .pinPage:
            throw WebAuthenticationError(.cannotReceive, "the text on the provider's page must be pasted; there is no callback")
        case .customScheme(let scheme, let path):
            guard Self.isPrivateUseScheme(scheme) else {
                throw WebAuthenticationError(
                    .cannotReceive,
                    "“\(scheme.prefix(60))” is not a valid custom scheme; give only its name without a colon, such as com.example.app")
            }
            guard Self.isPath(path) else { throw Self.badPath }
            (self.scheme, host, self.path) = (scheme.lowercased(), nil, path)
            redirectURI = "\(scheme):\(path)"
        case .https(let host, let path):
            guard Self.isHost(host) else {
                throw WebAuthenticationError(
                    .cannotReceive, "“\(host.prefix(60))” is not a host name; give it without scheme and port, such as app.example.com")
            }
            guard Self.isPath(path), !path.hasPrefix("//") else { throw Self.badPath }
            (scheme, self.host, self.path) = ("https", host.lowercased(), path)
            redirectURI = "https://\(host)\(path)"
        }
    }

    /// Returns the callback in a URL that the browser was redirected to; nil if the scheme, host, port or path differs in any way.
    ///
    /// Scheme and host are compared case-insensitively (RFC 3986 §6.2.2.1), the path byte by byte (RFC 9700 §4.1.3).
    public func callback(in url: String) -> CallbackURL? {
        guard url.utf8.count <= Self.maximumBytes, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), url[..<colon].lowercased() == scheme
        else { return nil }
        var rest = url.utf8[url.utf8.index(after: colon)...]
        if let host {
            guard rest.starts(with: "//".utf8) else { return nil }
            rest = rest.dropFirst(2)
            let authority = rest.prefix { !"/?#\\".utf8.contains($0) }
            guard let name = String(authority)?.lowercased(), name == host || name == host + ":443" else { return nil }
            rest = rest[authority.endIndex...]
        }
        let path = rest.prefix { !"?#".utf8.contains($0) }
        guard path.elementsEqual(self.path.utf8) else { return nil }
        return CallbackURL(redirectURI + String(url[path.endIndex...]))
    }

    /// A pattern that matches every callback and little else: `*` stands for anything. ``callback(in:)`` makes the final decision.
    var devToolsPattern: String {
        let authority = host.map { "//" + $0 } ?? ""
        return "\(scheme):\(authority)\(path.split(separator: "*", omittingEmptySubsequences: false).joined(separator: "\\*"))*"
    }

    /// The maximum length of a callback, in bytes.
    package static let maximumBytes = 64 * 1024

    /// Returns whether a scheme is valid by RFC 3986 §3.1, and does not already have a general meaning.
    private static func isPrivateUseScheme(_ scheme: String) -> Bool {
        guard scheme.utf8.count <= 128, scheme.utf8.first?.isASCIILetter == true else { return false }
        return scheme.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
            && !wellKnownSchemes.contains(scheme.lowercased())
    }

    private static let wellKnownSchemes: Set = [
        "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "http", "https", "intent", "javascript", "mailto", "tel",
        "vbscript", "view-source", "ws", "wss",
    ]

    private static func isHost(_ host: String) -> Bool {
        guard host.utf8.count <= 253 else { return false }
        return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isPath(_ path: String) -> Bool {
        path.hasPrefix("/") && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#\\".utf8.contains($0) }
    }

    private static var badPath: WebAuthenticationError {
        WebAuthenticationError(
            .cannotReceive, "the callback path must begin with “/” and have no query, fragment or spaces, such as /callback")
    }
}
