package import AuthHubPrimitives

/// A request to the token endpoint (RFC 6749 §3.2).
package struct TokenRequest: Sendable {
    /// The request to send; it holds a code, a token or other credentials.
    package internal(set) var message: BackChannelRequest
    /// The requested scope, which a response without a scope grants (RFC 6749 §5.1).
    package let scope: Scope
    /// Whether a response without a `token_type` keeps the type of the refreshed token. Only one type is possible.
    var keepsTokenType = false

    /// Whether a refresh token in the response is used. Otherwise, each new access token needs a new grant.
    package var takesRefreshToken = true

    /// The only origin that may get the tokens; nil if any of the server's endpoints may.
    package var soleOrigin: Origin?
    /// The requirements for the ID token of the response; nil if none is expected.
    package var idToken: IDTokenExpectation?
    /// The description of the user in the callback of the sign-in, a JSON object that is not signed; nil if there is none.
    package var user: Secret<String>?

    /// Refreshes an access token. If the response has no `token_type`, the type stays the same, because there is only one.
    ///
    /// - Parameters:
    ///   - scope: The granted scope.
    ///   - narrowed: The part of the scope to request for the new token (RFC 6749 §6); empty for all of it.
    ///   - resources: The APIs that the new token is for: those that were granted, or some of them (RFC 8707 §2.2).
    package static func refresh(
        _ refreshToken: Secret<String>, scope: Scope, narrowed: Scope = [], resources: [ResourceIndicator] = [], client: OAuthClient,
        at server: ProviderProfile
    ) throws(OAuthError) -> TokenRequest {
        var form: FormParameters = ["grant_type": "refresh_token", "refresh_token": refreshToken.reveal()]
        form.append(resources: resources)
        form.append(narrowed, at: server)
        server.quirks.requests.complete(&form, for: .refresh)
        let authentication = try ClientAuthentication(withOptionalSecretOf: client, at: server)
        return TokenRequest(
            message: try BackChannelRequest(form: form, to: try server.url(of: .token), as: authentication),
            scope: narrowed.isEmpty ? scope : narrowed, keepsTokenType: true,
            idToken: IDTokenExpectation(scope: scope, client: client, at: server))
    }
}
