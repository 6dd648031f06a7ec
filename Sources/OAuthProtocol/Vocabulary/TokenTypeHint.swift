/// The kind of token that the client believes it has (RFC 7009 §4.1.2). An open set.
public struct TokenTypeHint: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let accessToken = Self(rawValue: "access_token")
    public static let refreshToken = Self(rawValue: "refresh_token")
}
