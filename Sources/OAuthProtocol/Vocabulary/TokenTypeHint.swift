/// A hint about the type of the token in a request (RFC 7009 §2.1). Values other than the constants are possible (§4.1.2).
public struct TokenTypeHint: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    /// Creates a hint from its name, which need not be registered.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The hint for an access token (RFC 7009 §2.1).
    public static let accessToken = Self(rawValue: "access_token")
    /// The hint for a refresh token (RFC 7009 §2.1).
    public static let refreshToken = Self(rawValue: "refresh_token")
}
