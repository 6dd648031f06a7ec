public import AuthHubPrimitives

/// A client's metadata, published at the URL that is its client ID (OAuth Client ID Metadata Document, draft §3 and §4).
public enum ClientIDDocument {
    /// Why servers would reject a document.
    public enum Problem: Sendable, Hashable, CaseIterable {
        /// The URL is not https, or has user information.
        case urlIsNotHTTPS
        /// The URL has no path: something must follow the `/`.
        case urlHasNoPath
        /// A segment of the path is `.` or `..`, escaped or not.
        case urlHasDotSegments
        case urlHasFragment
        /// The document is not one JSON object.
        case isNotObject
        /// The member `client_id` is not the URL, byte for byte.
        case namesAnotherClient
        /// `token_endpoint_auth_method` requires a shared secret, which a published document cannot have.
        case authenticatesBySharedSecret
        /// The document holds a `client_secret`.
        case holdsSecret
    }

    /// Checks a document before you publish it.
    ///
    /// - Parameters:
    ///   - address: The URL where you publish it: the client ID.
    ///   - transport: Which URLs are allowed. Servers on other machines only accept https URLs.
    /// - Returns: All problems of both; empty if servers can accept them.
    public static func problems(
        of document: Secret<[UInt8]>, at address: String, transport: TransportPolicy = .httpsOnly
    ) -> Set<Problem> {
        var problems = problems(ofAddress: address, transport: transport)
        guard let members = try? JSONValue(strict: document.reveal()).object else { return problems.union([.isNotObject]) }
        if members["client_id"]?.string?.hasSameBytes(as: address) != true { problems.insert(.namesAnotherClient) }
        if members["token_endpoint_auth_method"]?.string?.hasPrefix("client_secret") ?? false {
            problems.insert(.authenticatesBySharedSecret)
        }
        if members["client_secret"] != nil || members["client_secret_expires_at"] != nil { problems.insert(.holdsSecret) }
        return problems
    }

    /// Returns the problems of the URL itself.
    package static func problems(ofAddress address: String, transport: TransportPolicy = .httpsOnly) -> Set<Problem> {
        var problems: Set<Problem> = []
        if address.utf8.contains(UInt8(ascii: "#")) { problems.insert(.urlHasFragment) }
        let plain = String(address.prefix { $0 != "#" })
        guard let target = RequestTarget(plain), transport.allows(plain) else { return problems.union([.urlIsNotHTTPS]) }
        let path = Substring(target.path.utf8.prefix { $0 != UInt8(ascii: "?") })
        if path == "/" { problems.insert(.urlHasNoPath) }
        let segments = path.lowercased().replacing("%2e", with: ".").split(separator: "/")
        if segments.contains(where: { $0 == "." || $0 == ".." }) { problems.insert(.urlHasDotSegments) }
        return problems
    }
}
