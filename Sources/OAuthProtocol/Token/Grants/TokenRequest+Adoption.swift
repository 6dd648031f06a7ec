package import AuthHubPrimitives

extension TokenRequest {
    /// Refreshes with a refresh token that another program obtained, of which nothing else is known.
    ///
    /// - Parameter scope: The scope that counts as granted if the response has none.
    package static func adopting(
        _ refreshToken: Secret<String>, scope: Scope, resources: [ResourceIndicator] = [], client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) -> TokenRequest {
        guard IssuedTokens.refreshToken(refreshToken.reveal()) != nil else {
            throw OAuthError(.misuse, "the refresh token is empty or has characters that are not allowed in tokens (RFC 6749 App. A.17)")
        }
        var request = try refresh(refreshToken, scope: scope, resources: resources, client: client, at: server)
        request.soleOrigin = MixUpDefence.soleOrigin(at: server, beginningAt: \.token)
        return request
    }
}

extension TokenResponse {
    /// Returns the same tokens, bound to the origin that certainly issued them if only that of the token endpoint is known (RFC 9700 §4.4).
    package func adopted(at server: ProviderProfile) -> Self {
        var response = self
        response.soleOrigin = soleOrigin ?? MixUpDefence.soleOrigin(at: server, beginningAt: \.token)
        return response
    }
}
