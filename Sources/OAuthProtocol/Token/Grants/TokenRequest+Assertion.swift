package import AuthHubPrimitives

extension TokenRequest {
    /// Requests a token for an assertion: a signed statement of another issuer about a user or a program (RFC 7523 §2.1). The client
    /// authenticates as usual, or sends only its ID.
    ///
    /// - Parameters:
    ///   - resources: The APIs that the token is for (RFC 8707 §2.2).
    ///   - authorizationDetails: The requested access in detail (RFC 9396 §6).
    /// - Throws: ``OAuthError``: `.misuse` if the assertion is not a signed token, `.configuration` if the endpoint is unusable.
    package static func assertion(
        _ assertion: Secret<String>, scope: Scope, resources: [ResourceIndicator] = [], authorizationDetails: AuthorizationDetails? = nil,
        client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) -> TokenRequest {
        guard UnverifiedAssertion(assertion) != nil else {
            throw OAuthError(.misuse, "the assertion is not a signed JSON Web Token")
        }
        let authentication = try ClientAuthentication(client, at: server)
        var form: FormParameters = [
            "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion.reveal(),
        ]
        form.append(scope, at: server)
        form.append(resources: resources, details: authorizationDetails)
        return TokenRequest(
            message: try BackChannelRequest(form: form, to: try server.url(of: .token), as: authentication), scope: scope,
            soleOrigin: MixUpDefence.soleOrigin(at: server, beginningAt: \.token))
    }
}
