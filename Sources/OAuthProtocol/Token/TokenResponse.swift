public import AuthHubPrimitives
public import Platform

/// The tokens that a server issued (RFC 6749 §5.1). The response has passed all checks.
public struct TokenResponse: Sendable {
    /// The access token for requests to APIs.
    public let accessToken: Secret<String>
    /// The type of the access token, which determines how requests carry it.
    public let tokenType: TokenType
    /// The time the access token expires; nil if the server does not say.
    public let expiresAt: Date?
    /// The refresh token; nil if none was issued. If a refresh issues no new refresh token, the old one stays valid (RFC 6749 §6).
    public let refreshToken: Secret<String>?
    /// When the refresh token expires, if the server says so (`refresh_token_expires_in`).
    package let refreshTokenExpiresAt: Date?
    /// The granted scope. If the response names none, it is the requested scope (RFC 6749 §5.1).
    public let scope: Scope
    /// The only origin that may get the tokens; nil if any of the server's endpoints may (RFC 9700 §4.4).
    package internal(set) var soleOrigin: Origin?
    let members: Secret<JSONObject>
    /// The irregularities of an accepted response, as log messages that contain nothing from the response.
    package let irregularities: [String]

    /// Creates a response from tokens that another program obtained, for example to move a user from another client library to a session.
    ///
    /// - Parameters:
    ///   - accessToken: The access token.
    ///   - tokenType: The type of the access token.
    ///   - expiresAt: The time the access token expires; nil if it is unknown.
    ///   - refreshToken: The refresh token, if there is one.
    ///   - scope: The granted scope.
    /// - Throws: ``OAuthError`` with `.misuse` if a token is empty or has characters that are not allowed in tokens.
    public init(
        accessToken: Secret<String>, tokenType: TokenType = .bearer, expiresAt: Date? = nil, refreshToken: Secret<String>? = nil,
        scope: Scope = []
    ) throws(OAuthError) {
        guard isUsableToken(accessToken.reveal()) else {
            throw OAuthError(.misuse, "the access token is empty or has characters that are not allowed in tokens (RFC 6750 §2.1)")
        }
        guard refreshToken.map({ IssuedTokens.refreshToken($0.reveal()) != nil }) ?? true else {
            throw OAuthError(.misuse, "the refresh token is empty or has characters that are not allowed in tokens (RFC 6749 App. A.17)")
        }
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        refreshTokenExpiresAt = nil
        self.scope = scope
        soleOrigin = nil
        members = Secret(JSONObject())
        irregularities = []
    }

    /// Returns a member of the response as received, for members that providers add. It may be secret. An `id_token` is not verified.
    package func member(_ name: String) -> Secret<JSONValue>? {
        members.reveal()[name].map(Secret.init)
    }

    /// Returns an error with the tokens of this response, which must be revoked because the response failed a check.
    package func rejected(because error: OAuthError) -> OAuthError {
        var error = error
        error.issued = IssuedTokens(accessToken: accessToken, refreshToken: refreshToken, mustBeRevoked: true, soleOrigin: soleOrigin)
        return error
    }
}
