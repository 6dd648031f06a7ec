/// A method of client authentication (RFC 7591 §2, `token_endpoint_auth_method`). An open set.
public struct ClientAuthenticationMethod: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    /// Creates a method from its name, registered or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The client ID only, in the body.
    public static let none = Self(rawValue: "none")
    /// Client ID and secret, each form-encoded, as HTTP Basic credentials (RFC 6749 §2.3.1).
    public static let basic = Self(rawValue: "client_secret_basic")
    /// Client ID and secret in the body.
    public static let post = Self(rawValue: "client_secret_post")
}
