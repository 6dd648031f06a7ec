public import AuthHubPrimitives

/// The client of RFC 6749 §1.1: the program that asks for access, as it is registered at the authorization server.
public struct OAuthClient: Sendable {
    public var id: String
    /// Only where the provider demands one: a program that people install cannot keep a secret (RFC 8252 §8.5).
    public var secret: Secret<String>?
    public var redirectURI: RedirectURI
    /// How the client names itself at the token endpoint; nil leaves it to the provider's profile and metadata.
    public var authentication: ClientAuthenticationMethod?

    public init(
        id: String,
        secret: Secret<String>? = nil,
        redirectURI: RedirectURI = .loopback,
        authentication: ClientAuthenticationMethod? = nil
    ) {
        self.id = id
        self.secret = secret
        self.redirectURI = redirectURI
        self.authentication = authentication
    }
}

/// Where the authorization server sends the person back to.
public struct RedirectURI: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// `http://127.0.0.1:PORT` and a path; port 0 stands for any free one (RFC 8252 §7.3).
        case loopback(port: UInt16, path: String)
        /// A private-use scheme and what follows its colon (RFC 8252 §7.1).
        case customScheme(String, path: String)
        /// An https address of the program's own (RFC 8252 §7.2).
        case https(host: String, path: String)
    }

    public let kind: Kind

    /// `http://127.0.0.1:PORT/callback` on a free port.
    public static let loopback = loopback()

    /// - Parameters:
    ///   - port: 0 takes a free one; some servers accept only the registered port.
    ///   - path: With its leading slash, as registered.
    public static func loopback(port: UInt16 = 0, path: String = "/callback") -> Self {
        Self(kind: .loopback(port: port, path: path))
    }

    /// `SCHEME:PATH`, such as `com.example.app:/callback`. Any program can claim any scheme (RFC 8252 §8.6): what keeps a stolen code
    /// from being of use is PKCE.
    ///
    /// - Parameters:
    ///   - scheme: Its name alone, without the colon; the reversed name of a domain that is yours.
    ///   - path: What follows the colon, with its leading slash, as registered.
    public static func customScheme(_ scheme: String, path: String = "/callback") -> Self {
        Self(kind: .customScheme(scheme, path: path))
    }

    /// `https://HOST/PATH`, on the default port.
    ///
    /// - Parameters:
    ///   - host: A host that is yours; on Apple systems it names the program in its association file.
    ///   - path: With its leading slash, as registered.
    public static func https(host: String, path: String) -> Self {
        Self(kind: .https(host: host, path: path))
    }
}

/// The ways of client authentication by name (RFC 7591 §2, `token_endpoint_auth_method`).
public struct ClientAuthenticationMethod: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The client id alone, in the body.
    public static let none = Self(rawValue: "none")
    /// Id and secret, each form-encoded, as HTTP Basic credentials (RFC 6749 §2.3.1).
    public static let basic = Self(rawValue: "client_secret_basic")
    /// Id and secret in the body.
    public static let post = Self(rawValue: "client_secret_post")
}
