public import AuthHubPrimitives
public import Platform

/// The claims of a signed access token (RFC 9068 §2.2), which has passed every check.
///
/// They say what the authorization server granted. Your API decides whether that is enough for a request: compare ``scope`` with the access
/// that the request needs.
public struct AccessTokenClaims: Sendable, Hashable {
    /// The authorization server that issued the token (`iss`).
    public let issuer: String
    /// The user who granted the access, or the client itself if no user is involved (`sub`). It is unique only together with ``issuer``.
    public let subject: String
    /// The APIs that the token is for (`aud`), which include the one that was named for the check.
    public let audience: [String]
    /// The client that the token was issued to (`client_id`).
    public let clientID: String
    /// The identifier of the token (`jti`).
    public let tokenID: String
    /// The granted scope (`scope`); empty if the token names none.
    public let scope: Scope
    /// When the token was issued (`iat`).
    public let issuedAt: Date
    /// When the token expires (`exp`).
    public let expiresAt: Date
    /// When the user authenticated (`auth_time`); nil if the server does not say.
    public let authenticatedAt: Date?
    /// All claims, as the server sent them, such as `acr`, `groups` and `roles`.
    public let claims: JSONObject
}
