import AuthHubPrimitives

extension TokenResponse {
    /// What was granted in detail (RFC 9396 §7); nil where the answer does not say. It may be other or less than was asked for:
    /// ``AuthorizationDetails/matches(_:)`` tells.
    ///
    /// - Throws: ``OAuthError`` with `.invalidResponse` for what is no array of objects with a `type`. The tokens are good all the same.
    public func authorizationDetails() throws(OAuthError) -> AuthorizationDetails? {
        guard let value = members.reveal()["authorization_details"], value != .null else { return nil }
        do {
            return try AuthorizationDetails(json: value)
        } catch {
            throw OAuthError(.invalidResponse, "the token response's authorization_details: \(error.explanation)")
        }
    }
}
