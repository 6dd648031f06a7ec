public import AuthHubPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The tokens that a server issued (RFC 6749 §5.1), after every check.
public struct TokenResponse: Sendable {
    public let accessToken: Secret<String>
    public let tokenType: TokenType
    /// nil where the server did not say: then only a refusal tells.
    public let expiresAt: Date?
    /// nil where none was issued; on a refresh the old one stays (RFC 6749 §6).
    public let refreshToken: Secret<String>?
    /// Where a server says so (`refresh_token_expires_in`).
    public let refreshTokenExpiresAt: Date?
    /// What was granted: what the server names, else what was asked for.
    public let scope: Scope
    /// The only origin that may get the tokens; nil if any of the server's endpoints may (RFC 9700 §4.4).
    package internal(set) var soleOrigin: Origin?
    let members: Secret<JSONObject>
    /// What was odd about the answer, and let pass: words for a log, which hold nothing of the answer.
    public let irregularities: [String]

    /// A member of the answer as it came, for what providers add. May be secret: an `id_token` is returned unjudged.
    public func member(_ name: String) -> Secret<JSONValue>? {
        members.reveal()[name].map(Secret.init)
    }
}
