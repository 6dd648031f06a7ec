package import AuthHubPrimitives

/// The tokens in a response of the token endpoint that is not accepted.
///
/// The server has issued them, and may have spent the refresh token that was sent (RFC 6749 §6): they must be stored or revoked.
package struct IssuedTokens: Sendable {
    package let accessToken: Secret<String>?
    package let refreshToken: Secret<String>?
    /// Further values of a refresh token that occurs twice. Only trying shows which one is valid.
    package internal(set) var otherRefreshTokens: [Secret<String>] = []
    /// Whether the access token must not be used. Those of a sign-in are revoked.
    package let mustBeRevoked: Bool
    /// The only origin that may get them; nil if any of the server's endpoints may.
    package let soleOrigin: Origin?

    init(accessToken: Secret<String>?, refreshToken: Secret<String>?, mustBeRevoked: Bool, soleOrigin: Origin?) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.mustBeRevoked = mustBeRevoked
        self.soleOrigin = soleOrigin
    }
}
