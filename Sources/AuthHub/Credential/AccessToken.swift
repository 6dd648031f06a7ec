public import AuthHubPrimitives
public import OAuthProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An access token for use outside the session.
public struct AccessToken: Sendable {
    /// Not to be shown or logged; where it goes, whoever takes it out answers for.
    public let value: Secret<String>
    /// How it is sent (RFC 6749 §7.1).
    public let type: TokenType
    /// What was granted, which may be less than was asked for.
    public let scope: Scope
    /// When it ends, by the wall clock here; nil where the server did not say.
    public let expiresAt: Date?

    init(_ credential: Credential) {
        value = credential.accessToken
        type = credential.tokenType
        scope = credential.scope
        expiresAt = credential.expiresAt
    }
}
