public import AuthHubPrimitives
import Crypto
public import OAuthProtocol
public import Platform

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

    /// The only origin that may get the token; nil if any of the server's endpoints may (RFC 9700 §4.4).
    package let soleOrigin: Origin?

    init(value: Secret<String>, type: TokenType, scope: Scope, expiresAt: Date?, soleOrigin: Origin?) {
        self.value = value
        self.type = type
        self.scope = scope
        self.expiresAt = expiresAt
        self.soleOrigin = soleOrigin
    }

    init(_ credential: Credential) {
        value = credential.accessToken
        type = credential.tokenType
        scope = credential.scope
        expiresAt = credential.expiresAt
        soleOrigin = credential.soleOrigin
    }
}

extension AccessToken {
    /// A name for the token that does not reveal it: 72 bits of its hash. Another token has another name.
    package var fingerprint: String {
        Base64URL.encode(SHA256.hash(data: Array(value.reveal().utf8)).prefix(9))
    }
}
