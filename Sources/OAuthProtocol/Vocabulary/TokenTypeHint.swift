/// The kind of token that the client believes it has (RFC 7009 §4.1.2). An open set.
public struct TokenTypeHint: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    /// Creates a hint from its name, registered or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The hint for an access token (RFC 7009 §2.1).
    public static let accessToken = Self(rawValue: "access_token")
    /// The hint for a refresh token (RFC 7009 §2.1).
    public static let refreshToken = Self(rawValue: "refresh_token")
}
