package import AuthHubPrimitives
import HTTPTypes

/// A request for information about a token (RFC 7662 §2.1). Most servers require the client to authenticate.
package struct IntrospectionRequest: Sendable {
    /// The HTTP request. It holds the token.
    package let message: BackChannelRequest

    /// Creates a request that the client authenticates.
    ///
    /// - Parameter hint: The kind of token, if known: `access_token` or `refresh_token`.
    /// - Throws: ``OAuthError``: `.misuse` if the token is empty; `.configuration` if the server has no usable endpoint.
    package init(
        _ token: Secret<String>, hint: TokenTypeHint? = nil, client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) {
        let endpoint = try Self.endpoint(for: token, at: server)
        message = try BackChannelRequest(
            form: Self.form(token, hint), to: endpoint, as: try ClientAuthentication(client, at: server))
    }

    /// Creates a request that a separate access token authorizes, if the server accepts that.
    package init(
        _ token: Secret<String>, hint: TokenTypeHint? = nil, authorizedBy accessToken: Secret<String>, at server: ProviderProfile
    ) throws(OAuthError) {
        let endpoint = try Self.endpoint(for: token, at: server)
        guard isUsableToken(accessToken.reveal()) else {
            throw OAuthError(.misuse, "the access token is empty or has characters that are not allowed in tokens")
        }
        message = try BackChannelRequest(to: endpoint) { head in
            head.headerFields[.authorization] = "Bearer \(accessToken.reveal())"
            return Array(Self.form(token, hint).encoded().utf8)
        }
    }

    private static func endpoint(for token: Secret<String>, at server: ProviderProfile) throws(OAuthError) -> String {
        guard !token.reveal().isEmpty else { throw OAuthError(.misuse, "the token is empty") }
        return try server.url(of: .introspection)
    }

    private static func form(_ token: Secret<String>, _ hint: TokenTypeHint?) -> FormParameters {
        var form: FormParameters = ["token": token.reveal()]
        form.append("token_type_hint", ifPresent: hint?.rawValue)
        return form
    }
}
