/// A method of client authentication (`token_endpoint_auth_method` in RFC 7591 §2). Values other than the constants are possible.
public struct ClientAuthenticationMethod: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    /// Creates a method from its name, which need not be registered.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// No authentication: the body contains only the client ID.
    public static let none = Self(rawValue: "none")
    /// HTTP Basic: the client ID and the secret, each form-encoded, in `Authorization` (RFC 6749 §2.3.1).
    public static let basic = Self(rawValue: "client_secret_basic")
    /// The client ID and the secret in the body (RFC 6749 §2.3.1).
    public static let post = Self(rawValue: "client_secret_post")
    /// A token that the client signs with its private key for each request (OpenID Connect Core 1.0 §9, RFC 7523 §2.2).
    public static let privateKeyJWT = Self(rawValue: "private_key_jwt")
    /// A token that the client signs with its secret for each request (OpenID Connect Core 1.0 §9, RFC 7523 §2.2). The secret must have at
    /// least 32 bytes.
    public static let clientSecretJWT = Self(rawValue: "client_secret_jwt")

    /// The methods that the library can use.
    package static let supported: [Self] = [.none, .basic, .post, .privateKeyJWT, .clientSecretJWT]
}
