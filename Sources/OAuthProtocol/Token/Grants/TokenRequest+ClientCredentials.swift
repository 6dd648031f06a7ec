import AuthHubPrimitives

extension TokenRequest {
    /// Requests a token for the client itself, without a user (RFC 6749 §4.4).
    ///
    /// - Parameters:
    ///   - resources: The APIs that the token is for (RFC 8707 §2.2).
    ///   - authorizationDetails: The requested access in detail (RFC 9396 §6).
    /// - Throws: ``OAuthError``: `.misuse` if the client has no secret, because anyone could pretend to be it (§4.4.2); `.configuration` if
    ///   the endpoint is unusable.
    package static func clientCredentials(
        scope: Scope, resources: [ResourceIndicator] = [], authorizationDetails: AuthorizationDetails? = nil, client: OAuthClient,
        at server: ProviderProfile
    ) throws(OAuthError) -> TokenRequest {
        let authentication = try ClientAuthentication(client, at: server)
        guard authentication.method != .none else {
            throw OAuthError(.misuse, "the client credentials grant is for clients that authenticate, and this client has no secret")
        }
        var form: FormParameters = ["grant_type": "client_credentials"]
        form.append(scope, at: server)
        form.append(resources: resources, details: authorizationDetails)
        return TokenRequest(
            message: try BackChannelRequest(form: form, to: try server.url(of: .token), as: authentication), scope: scope,
            soleOrigin: MixUpDefence.soleOrigin(at: server, beginningAt: \.token))
    }
}

extension FormParameters {
    /// Appends the scope with the server's separator, unless it is empty.
    mutating func append(_ scope: Scope, at server: ProviderProfile) {
        if !scope.isEmpty { append("scope", scope.names.joined(separator: server.scopeSeparator)) }
    }
}
