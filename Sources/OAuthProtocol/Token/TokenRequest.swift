public import AuthHubPrimitives

/// A request to the token endpoint (RFC 6749 §3.2).
public struct TokenRequest: Sendable {
    public internal(set) var message: BackChannelRequest
    /// The scope that was asked for: what an answer without one means (RFC 6749 §5.1).
    public let scope: Scope
    /// Whether a response without a `token_type` keeps the type of the token that is refreshed, of which there is only one.
    var keepsTokenType = false

    /// The only origin that may get the tokens; nil if any of the server's endpoints may.
    package var soleOrigin: Origin?

    /// Exchanges a code for tokens, at the endpoint that was pinned when the sign-in began, with the redirect URI of that request.
    ///
    /// - Parameter resources: The APIs that the access token is for: those of the sign-in, or some of them (RFC 8707 §2.2).
    /// - Throws: ``OAuthError`` with `.misuse` for a code of another client, `.configuration` for an unusable endpoint.
    public static func exchange(
        _ code: AuthorizationCode, resources: [ResourceIndicator] = [], client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) -> TokenRequest {
        guard code.pending.clientID == client.id else { throw OAuthError(.misuse, "the code belongs to another client") }
        var form: FormParameters = [
            "grant_type": "authorization_code",
            "code": code.value.reveal(),
            "redirect_uri": code.pending.redirectURI,
        ]
        form.append(resources: resources)
        let quirks = server.quirks
        if quirks.authorization.codeChallenge.isSent { form.append("code_verifier", code.pending.verifier.value.reveal()) }
        quirks.requests.complete(&form, for: .codeExchange)
        let authentication = try ClientAuthentication(client, at: server)
        let granted = quirks.authorization.callbackNamesGrantedScope ? code.grantedScope : nil
        return TokenRequest(
            message: try BackChannelRequest(form: form, to: code.pending.tokenEndpoint, as: authentication),
            scope: granted.map { Scope($0, separators: server.grantedScopeSeparators) } ?? code.pending.scope,
            soleOrigin: code.pending.soleOrigin)
    }

    /// Refreshes an access token, for the same scope. If the response has no `token_type`, the type stays the same, because there is only
    /// one.
    ///
    /// - Parameter resources: The APIs that the new one is for: those that were granted, or some of them (RFC 8707 §2.2).
    public static func refresh(
        _ refreshToken: Secret<String>, scope: Scope, resources: [ResourceIndicator] = [], client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) -> TokenRequest {
        var form: FormParameters = ["grant_type": "refresh_token", "refresh_token": refreshToken.reveal()]
        form.append(resources: resources)
        server.quirks.requests.complete(&form, for: .refresh)
        let authentication = try ClientAuthentication(withOptionalSecretOf: client, at: server)
        return TokenRequest(
            message: try BackChannelRequest(form: form, to: try server.address(of: .token), as: authentication), scope: scope,
            keepsTokenType: true)
    }
}
