public import AuthHubPrimitives

/// A request that exchanges one token for another (RFC 8693 §2.1), for example to act on behalf of another user, to call another API, or to
/// reduce access.
public struct TokenExchange: Sendable {
    /// A token and its type.
    public struct TypedToken: Sendable {
        /// The token.
        package let value: Secret<String>
        /// The type of the token.
        package let type: TokenTypeURI

        /// Creates a token with a type; by default, it is an access token.
        public init(_ value: Secret<String>, _ type: TokenTypeURI = .accessToken) {
            self.value = value
            self.type = type
        }
    }

    /// The token of the party on whose behalf the request is made.
    package var subject: TypedToken
    /// The token of the acting party, if that is someone else.
    package var actor: TypedToken?
    /// The requested type; nil leaves the choice to the server.
    package var requestedTokenType: TokenTypeURI?
    /// The APIs that the token is for (RFC 8707).
    package var resources: [ResourceIndicator]
    /// The APIs that the token is for, by names that client and server have agreed on.
    package var audiences: [String]
    /// The requested scope of the new token; empty leaves the choice to the server.
    package var scope: Scope

    /// Creates a token exchange.
    ///
    /// - Parameters:
    ///   - subject: The token of the party on whose behalf the new token is requested.
    ///   - actor: The token of the acting party; nil if it is not a different party.
    ///   - requestedTokenType: The requested type; if nil, the server chooses it.
    ///   - resources: The APIs that the token is for (RFC 8707).
    ///   - audiences: The APIs that the token is for, by names that client and server have agreed on.
    ///   - scope: The requested scope; if empty, the server chooses it.
    public init(
        of subject: TypedToken, actor: TypedToken? = nil, for requestedTokenType: TokenTypeURI? = nil,
        resources: [ResourceIndicator] = [], audiences: [String] = [], scope: Scope = []
    ) {
        self.subject = subject
        self.actor = actor
        self.requestedTokenType = requestedTokenType
        self.resources = resources
        self.audiences = audiences
        self.scope = scope
    }
}

/// The type of a token (RFC 8693 §3). Values other than the constants are possible.
public struct TokenTypeURI: RawRepresentable, Sendable, Hashable {
    /// The URI, as it is sent.
    public let rawValue: String

    /// Creates a type from its URI, which need not be registered.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An access token that the authorization server issued.
    public static let accessToken = Self(rawValue: "urn:ietf:params:oauth:token-type:access_token")
    /// A refresh token that the authorization server issued.
    public static let refreshToken = Self(rawValue: "urn:ietf:params:oauth:token-type:refresh_token")
    /// An ID token (OpenID Connect Core 1.0 §2).
    public static let idToken = Self(rawValue: "urn:ietf:params:oauth:token-type:id_token")
    /// A JSON Web Token of any kind (RFC 7519).
    package static let jwt = Self(rawValue: "urn:ietf:params:oauth:token-type:jwt")
}

extension TokenRequest {
    static let tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"

    /// Exchanges a token for another. Read the response with ``TokenExchangeResponse``.
    ///
    /// - Throws: ``OAuthError``: `.misuse` if a token or an audience is empty, or a type is not a URI; `.configuration` if the endpoint is
    ///   unusable.
    package static func tokenExchange(
        _ exchange: TokenExchange, client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) -> TokenRequest {
        var form: FormParameters = ["grant_type": tokenExchangeGrant]
        form.append(resources: exchange.resources)
        for audience in exchange.audiences {
            guard !audience.isEmpty else { throw OAuthError(.misuse, "an audience is empty") }
            form.append("audience", audience)
        }
        form.append(exchange.scope, at: server)
        if let type = exchange.requestedTokenType { form.append("requested_token_type", try type.checked()) }
        try form.append(exchange.subject, as: "subject_token")
        if let actor = exchange.actor { try form.append(actor, as: "actor_token") }
        let authentication = try ClientAuthentication(client, at: server)
        return TokenRequest(
            message: try BackChannelRequest(form: form, to: try server.url(of: .token), as: authentication), scope: exchange.scope,
            soleOrigin: MixUpDefence.soleOrigin(at: server, beginningAt: \.token))
    }
}

extension FormParameters {
    fileprivate mutating func append(_ token: TokenExchange.TypedToken, as name: String) throws(OAuthError) {
        guard !token.value.reveal().isEmpty else { throw OAuthError(.misuse, "the \(name) is empty") }
        append(name, token.value.reveal())
        append(name + "_type", try token.type.checked())
    }
}

extension TokenTypeURI {
    fileprivate func checked() throws(OAuthError) -> String {
        guard isAbsoluteURI(rawValue) else { throw OAuthError(.misuse, "the token type is not an absolute URI") }
        return rawValue
    }
}
