import AuthHubPrimitives

/// The identifier of a protected resource, from which the URL of its metadata follows (RFC 9728 §1.2).
package struct ResourceIdentifier: Sendable, Hashable {
    /// The URL as given to the initializer.
    package let text: String
    /// The policy that the URL was checked against.
    package let transport: TransportPolicy

    /// - Parameter transport: For a resource on this machine, ``TransportPolicy/insecureHTTPOnLoopbackForDevelopment``.
    /// - Throws: ``OAuthError`` with `.configuration` if the string is not an https URL, or has user information or a fragment.
    package init(_ text: String, transport: TransportPolicy = .httpsOnly) throws(OAuthError) {
        guard transport.allows(text) else {
            throw OAuthError(
                .configuration,
                "the resource must be an https URL without user information or fragment; http is only allowed on loopback, and only if enabled"
            )
        }
        self.text = text
        self.transport = transport
    }

    /// The URLs where metadata may be: with the well-known path between host and path (RFC 9728 §3.1), then at the root, as servers of the
    /// Model Context Protocol have it.
    ///
    /// A slash at the end of the path stays, unlike in RFC 8414 §3.1; a slash after the host is removed.
    package var metadataURLs: [String] {
        guard let target = RequestTarget(text), let scheme = target.scheme, let authority = target.authority else { return [] }
        let place = "\(scheme)://\(authority)/.well-known/oauth-protected-resource"
        let rest = target.path == "/" || target.path.hasPrefix("/?") ? String(target.path.dropFirst()) : target.path
        return rest.isEmpty ? [place] : [place + rest, place]
    }
}

/// The rule that compares `resource` in a metadata document with the URL that the metadata was requested for.
public enum ResourceMatching: Sendable, Hashable {
    /// The two URLs are identical byte by byte (RFC 9728 §3.3), except for a slash directly after the host.
    case identical
    /// `resource` may also be a parent path of the requested URL on the same origin, for APIs that publish one metadata document for all
    /// their URLs.
    ///
    /// Anyone who controls one path of a host can then publish metadata that names the paths above it.
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
