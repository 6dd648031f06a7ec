import AuthHubPrimitives

extension TokenRequest {
    /// Exchanges a code for tokens, at the token endpoint and with the redirect URI of the authorization request.
    ///
    /// - Parameter resources: The APIs that the access token is for: those of the sign-in, or some of them (RFC 8707 §2.2).
    /// - Throws: ``OAuthError`` with `.misuse` if the code belongs to another client, `.configuration` if the endpoint is unusable.
    package static func exchange(
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
            scope: granted.flatMap {
                Scope(granted: $0, separators: server.grantedScopeSeparators, requested: code.pending.scope)
            } ?? code.pending.scope,
            soleOrigin: code.pending.soleOrigin, idToken: code.pending.idToken(for: client, at: server), user: code.user)
    }
}
