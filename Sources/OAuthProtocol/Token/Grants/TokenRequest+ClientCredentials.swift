import AuthHubPrimitives

extension TokenRequest {
    /// Asks for a token for the client itself, with no person in it (RFC 6749 §4.4).
    ///
    /// - Parameters:
    ///   - resources: The APIs that the token is for (RFC 8707 §2.2).
    ///   - authorizationDetails: What access is asked for in detail (RFC 9396 §6).
    /// - Throws: ``OAuthError``: `.misuse` for a client without a secret, which anyone could pretend to be (§4.4.2); `.configuration` for
    ///   an unusable endpoint.
    public static func clientCredentials(
        scope: Scope, resources: [ResourceIndicator] = [], authorizationDetails: AuthorizationDetails? = nil, client: OAuthClient,
        at server: ProviderProfile
    ) throws(OAuthError) -> TokenRequest {
        let authentication = try ClientAuthentication(client, at: server)
        guard authentication.method != .none else {
            throw OAuthError(.misuse, "the client credentials grant is for clients that authenticate, and this one has no secret")
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
    /// The scope as this server takes it, unless it is empty.
    mutating func append(_ scope: Scope, at server: ProviderProfile) {
        if !scope.isEmpty { append("scope", scope.names.joined(separator: server.scopeSeparator)) }
    }
}
