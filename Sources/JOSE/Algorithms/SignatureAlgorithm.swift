/// An algorithm for signatures and message authentication codes, by its name in JOSE (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2).
///
/// A value may have any name, but only the algorithms below are supported. A signature with any other algorithm, such as `none`, is never
/// accepted, even if the algorithm is in an allow-list.
public struct SignatureAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The name, such as `ES256`. Names are case-sensitive.
    public let rawValue: String

    /// Creates an algorithm with a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    public static let rs256 = Self(rawValue: "RS256")
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    public static let rs384 = Self(rawValue: "RS384")
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    public static let rs512 = Self(rawValue: "RS512")
    /// RSASSA-PSS with SHA-256.
    public static let ps256 = Self(rawValue: "PS256")
    /// RSASSA-PSS with SHA-384.
    public static let ps384 = Self(rawValue: "PS384")
    /// RSASSA-PSS with SHA-512.
    public static let ps512 = Self(rawValue: "PS512")
    /// ECDSA with P-256 and SHA-256.
    public static let es256 = Self(rawValue: "ES256")
    /// ECDSA with P-384 and SHA-384.
    public static let es384 = Self(rawValue: "ES384")
    /// ECDSA with P-521 and SHA-512.
    public static let es512 = Self(rawValue: "ES512")
    /// EdDSA with Ed25519, by the name of RFC 9864.
    public static let ed25519 = Self(rawValue: "Ed25519")
    /// EdDSA with Ed25519, by the older name of RFC 8037. An allow-list with one of the two names accepts both.
    public static let edDSA = Self(rawValue: "EdDSA")
    /// HMAC with SHA-256. The key is the client secret.
    public static let hs256 = Self(rawValue: "HS256")
    /// HMAC with SHA-384. The key is the client secret.
    public static let hs384 = Self(rawValue: "HS384")
    /// HMAC with SHA-512. The key is the client secret.
    public static let hs512 = Self(rawValue: "HS512")
}

extension SignatureAlgorithm: CustomStringConvertible {
    public var description: String { rawValue }
}
