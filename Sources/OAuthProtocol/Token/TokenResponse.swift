public import AuthHubPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
