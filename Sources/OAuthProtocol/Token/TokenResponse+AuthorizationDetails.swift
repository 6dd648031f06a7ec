import AuthHubPrimitives

extension TokenResponse {
    /// Returns the granted authorization details (RFC 9396 §7); nil if the response has none. They may differ from the requested ones;
    /// compare them with ``AuthorizationDetails/matches(_:)``.
    ///
    /// - Throws: ``OAuthError`` with `.invalidResponse` if the member is not an array of objects with a `type`. The tokens are valid
    ///   anyway.
    package func authorizationDetails() throws(OAuthError) -> AuthorizationDetails? {
        guard let value = members.reveal()["authorization_details"], value != .null else { return nil }
        do {
            return try AuthorizationDetails(json: value)
        } catch {
            throw OAuthError(.invalidResponse, "the token response's authorization_details: \(error.explanation)")
        }
    }
}
