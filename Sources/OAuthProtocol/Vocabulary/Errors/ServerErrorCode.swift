/// An error code of the registry of RFC 6749 §11.4, or a server's own code. An open set.
public struct ServerErrorCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let accessDenied = Self(rawValue: "access_denied")
    /// The user has not decided yet (RFC 8628 §3.5).
    public static let authorizationPending = Self(rawValue: "authorization_pending")
    /// The device code has expired (RFC 8628 §3.5).
    public static let expiredToken = Self(rawValue: "expired_token")
    public static let invalidClient = Self(rawValue: "invalid_client")
    public static let invalidGrant = Self(rawValue: "invalid_grant")
    public static let invalidRequest = Self(rawValue: "invalid_request")
    public static let invalidScope = Self(rawValue: "invalid_scope")
    public static let invalidTarget = Self(rawValue: "invalid_target")
    public static let serverError = Self(rawValue: "server_error")
    /// The client must poll less often (RFC 8628 §3.5).
    public static let slowDown = Self(rawValue: "slow_down")
    public static let temporarilyUnavailable = Self(rawValue: "temporarily_unavailable")
    public static let unauthorizedClient = Self(rawValue: "unauthorized_client")
    public static let unsupportedGrantType = Self(rawValue: "unsupported_grant_type")
    public static let unsupportedResponseType = Self(rawValue: "unsupported_response_type")
    public static let unsupportedTokenType = Self(rawValue: "unsupported_token_type")
}
