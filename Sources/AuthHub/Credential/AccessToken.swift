public import AuthHubPrimitives
public import OAuthProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An access token for use outside the session.
public struct AccessToken: Sendable {
    /// The token itself. Do not display or log it. Send it only to servers that it was issued for.
    public let value: Secret<String>
    /// The type of the token, which determines how to send it (RFC 6749 §7.1).
    public let type: TokenType
    /// The granted scope, which may be less than the requested scope.
    public let scope: Scope
    /// The time the token expires, by the local wall clock; nil if the server did not say.
    public let expiresAt: Date?

    init(_ credential: Credential) {
        value = credential.accessToken
        type = credential.tokenType
        scope = credential.scope
        expiresAt = credential.expiresAt
    }
}
