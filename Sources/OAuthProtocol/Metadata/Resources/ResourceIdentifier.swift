import AuthHubPrimitives

/// The name of a protected resource, which is also where its metadata lies (RFC 9728 §1.2).
public struct ResourceIdentifier: Sendable, Hashable {
    public let text: String
    public let transport: TransportPolicy

    /// - Parameter transport: For a resource on this machine, ``TransportPolicy/insecureHTTPOnLoopbackForDevelopment``.
    /// - Throws: ``OAuthError`` with `.configuration` for what is no https URL, for user information and for a fragment.
    public init(_ text: String, transport: TransportPolicy = .httpsOnly) throws(OAuthError) {
        guard transport.allows(text) else {
            throw OAuthError(
                .configuration,
                "the resource is not an https URL without user information or fragment; http is only allowed on loopback, and only if enabled"
            )
        }
        self.text = text
        self.transport = transport
    }

    /// Where metadata may lie: between host and path (RFC 9728 §3.1), then, as servers of the Model Context Protocol have it, at the root.
    ///
    /// A slash at the end of the path stays, which RFC 8414 §3.1 has removed; one behind the host is removed.
    package var metadataURLs: [String] {
        guard let target = RequestTarget(text), let scheme = target.scheme, let authority = target.authority else { return [] }
        let place = "\(scheme)://\(authority)/.well-known/oauth-protected-resource"
        let rest = target.path == "/" || target.path.hasPrefix("/?") ? String(target.path.dropFirst()) : target.path
        return rest.isEmpty ? [place] : [place + rest, place]
    }
}

/// Which `resource` a document may name, seen from the URL that was asked.
public enum ResourceMatching: Sendable, Hashable {
    /// The URL itself, byte for byte (RFC 9728 §3.3), a slash behind the host excepted.
    case identical
    /// Also what the URL lies under, on the same origin: for a request to a part of an API whose name is that of the whole. Whoever may
    /// answer for one path of a host can then speak for the others above it.
    case identicalOrAboveTheRequestedURLOnItsOrigin
}

extension ResourceIdentifier {
    func isNamed(_ other: String, _ matching: ResourceMatching) -> Bool {
        if other.hasSameBytes(as: text) { return true }
        guard transport.allows(other), let named = RequestTarget(other), let own = RequestTarget(text) else { return false }
        if named.path == "/", own.path == "/" { return other.withoutFinalSlash.hasSameBytes(as: text.withoutFinalSlash) }
        guard matching == .identicalOrAboveTheRequestedURLOnItsOrigin, Origin(url: other) == Origin(url: text), !named.path.contains("?")
        else { return false }
        let path = own.path.prefix { $0 != "?" }
        let folder = named.path.withoutFinalSlash
        guard !path.hasDotSegment, !named.path[...].hasDotSegment else { return false }
        return path == named.path || path == folder || path.utf8.starts(with: "\(folder)/".utf8)
    }
}

extension String {
    fileprivate var withoutFinalSlash: Substring { hasSuffix("/") ? dropLast() : self[...] }
}

extension Substring {
    /// Whether a server might read another path from it (RFC 3986 §5.2.4).
    var hasDotSegment: Bool {
        lowercased().split(separator: "/").contains { segment in
            [".", ".."].contains(segment.replacing("%2e", with: "."))
        }
    }
}
