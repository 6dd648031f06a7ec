import OAuthProtocol

/// The scope that a sign-in at an OpenID provider requests if the user types none. With it, the server says who signed in, and issues a
/// refresh token if it does so only on request.
enum IdentityScope {
    private static let names = ["openid", "profile", "email"]
    /// Requested only from a server that lists it: others may reject it (OpenID Connect Core 1.0 §11).
    private static let refreshing = "offline_access"

    /// Returns the scope at a server; nil if the server is not an OpenID provider (OpenID Connect Core 1.0 §3.1.2.1).
    ///
    /// - Parameter metadata: The server's metadata; nil if it has none.
    static func scope(at metadata: ServerMetadata?) -> Scope? {
        guard let metadata else { return nil }
        if let offered = metadata.scopes {
            return offered.contains("openid") ? Scope((names + [refreshing]).filter(offered.contains)) : nil
        }
        return metadata.endpoints.jwks != nil && metadata.idTokenAlgorithms != nil ? Scope(names) : nil
    }
}
