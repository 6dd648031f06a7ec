public import AuthHubPrimitives
public import Platform

/// The user who signed in, according to the authorization server's ID token (OpenID Connect Core 1.0 §2). The token's signature and claims
/// have passed every check.
public struct IDToken: Sendable, Hashable {
    /// The server that identified the user (`iss`).
    public let issuer: String
    /// The user's identifier at the issuer (`sub`). It is never reused for another user, and means nothing without ``issuer``.
    public let subject: String
    /// The clients that the token is for (`aud`), which include this one.
    public let audience: [String]
    /// When the token was issued (`iat`).
    public let issuedAt: Date
    /// When the token expires (`exp`). A sign-in may last longer: see ``AuthHub/OAuthSession``.
    public let expiresAt: Date
    /// When the user authenticated (`auth_time`); nil if the server does not say.
    public let authenticatedAt: Date?
    /// All claims, as the server sent them. Which ones there are depends on the server and on the granted scope.
    public let claims: JSONObject
    /// The signed token. It is a secret: a program that does not check the audience of tokens accepts it from anyone as the user's sign-in.
    package let text: Secret<String>

    /// The client that the token was issued to, if the token is for several (`azp`).
    public var authorizedParty: String? { claims["azp"]?.string }
    /// The session at the server (`sid`), which log-out messages name.
    package var sessionID: String? { claims["sid"]?.string }
    /// The authentication context class (`acr`).
    public var authenticationContextClass: String? { claims["acr"]?.string }
    /// How the user authenticated (`amr`), as identifiers such as `pwd` and `otp` (RFC 8176).
    public var authenticationMethods: [String] { claims["amr"]?.array?.compactMap(\.string) ?? [] }
    /// The name to show for the user: the claims `name`, `preferred_username` or `email`, or the subject.
    public var displayName: String {
        for claim in ["name", "preferred_username", "nickname", "email"] {
            if let text = claims[claim]?.displayString, !text.isEmpty { return displayable(text, limit: 200) }
        }
        return displayable(subject, limit: 200)
    }
}
