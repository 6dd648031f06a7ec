public import AuthHubPrimitives
import HTTPTypes

/// Asks the server what a token is (RFC 7662 §2.1). The server may ask for the asker's authentication, and mostly does.
public struct IntrospectionRequest: Sendable {
    /// What is sent; it holds the token.
    public let message: BackChannelRequest

    /// - Parameter hint: What kind of token it is, where that is known: `access_token` or `refresh_token`.
    /// - Throws: ``OAuthError``: `.misuse` for an empty token; `.configuration` where the server has no usable endpoint.
    public init(
        _ token: Secret<String>, hint: TokenTypeHint? = nil, client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) {
        let endpoint = try Self.endpoint(for: token, at: server)
        message = try BackChannelRequest(
            form: Self.form(token, hint), to: endpoint, as: try ClientAuthentication(client, at: server))
    }

    /// The same, authorized by an access token of its own, where the server takes that.
    public init(
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
