/// An algorithm that encrypts the content key of an encrypted token, or agrees on it: the header's `alg` (RFC 7518 §4).
///
/// A value can have any name, but only the algorithms below are supported. `RSA1_5` is not, because its padding lets attackers decrypt
/// tokens (RFC 8725 §3.2). The `PBES2` algorithms are not, because the sender chooses how much work they cost.
public struct KeyManagementAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The name in the header, such as `ECDH-ES`.
    public let rawValue: String

    /// Creates a value from a name, which may be one that is not supported.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// RSA with OAEP and SHA-1 (RFC 7518 §4.3). OAEP does not need a hash function that resists collisions.
    public static let rsaOAEP = Self(rawValue: "RSA-OAEP")
    /// RSA with OAEP and SHA-256 (RFC 7518 §4.3).
    public static let rsaOAEP256 = Self(rawValue: "RSA-OAEP-256")
    /// Key agreement with an ephemeral key; the agreed key is the content key (RFC 7518 §4.6, RFC 8037 §3.2).
    public static let ecdhES = Self(rawValue: "ECDH-ES")
    /// Key agreement; the agreed key of 128 bits wraps the content key (RFC 7518 §4.6).
    public static let ecdhESA128KW = Self(rawValue: "ECDH-ES+A128KW")
    /// Key agreement; the agreed key of 192 bits wraps the content key (RFC 7518 §4.6).
    public static let ecdhESA192KW = Self(rawValue: "ECDH-ES+A192KW")
    /// Key agreement; the agreed key of 256 bits wraps the content key (RFC 7518 §4.6).
    public static let ecdhESA256KW = Self(rawValue: "ECDH-ES+A256KW")
    /// AES key wrap with a shared key of 128 bits (RFC 7518 §4.4).
    public static let a128KW = Self(rawValue: "A128KW")
    /// AES key wrap with a shared key of 192 bits (RFC 7518 §4.4).
    public static let a192KW = Self(rawValue: "A192KW")
    /// AES key wrap with a shared key of 256 bits (RFC 7518 §4.4).
    public static let a256KW = Self(rawValue: "A256KW")
    /// AES-GCM with a shared key of 128 bits (RFC 7518 §4.7).
    public static let a128GCMKW = Self(rawValue: "A128GCMKW")
    /// AES-GCM with a shared key of 192 bits (RFC 7518 §4.7).
    public static let a192GCMKW = Self(rawValue: "A192GCMKW")
    /// AES-GCM with a shared key of 256 bits (RFC 7518 §4.7).
    public static let a256GCMKW = Self(rawValue: "A256GCMKW")
    /// The shared key is the content key (RFC 7518 §4.5).
    public static let direct = Self(rawValue: "dir")
}

extension KeyManagementAlgorithm {
    /// What an algorithm does with the content key. Lengths are in bytes.
    enum Method: Hashable {
        case rsa(RSAPadding)
        /// Key agreement; if there is no wrapping key, the agreed key is the content key.
        case agreement(wrappingKeyLength: Int?)
        case keyWrap(keyLength: Int)
        case gcmKeyWrap(keyLength: Int)
        case direct
    }

    /// The hash function of OAEP.
    enum RSAPadding {
        case sha1, sha256
    }

    /// Whether this module implements the algorithm.
    package var isSupported: Bool { method != nil }

    /// What the algorithm does; nil if it is not supported.
    var method: Method? {
        switch self {
        case .rsaOAEP: .rsa(.sha1)
        case .rsaOAEP256: .rsa(.sha256)
        case .ecdhES: .agreement(wrappingKeyLength: nil)
        case .ecdhESA128KW: .agreement(wrappingKeyLength: 16)
        case .ecdhESA192KW: .agreement(wrappingKeyLength: 24)
        case .ecdhESA256KW: .agreement(wrappingKeyLength: 32)
        case .a128KW: .keyWrap(keyLength: 16)
        case .a192KW: .keyWrap(keyLength: 24)
        case .a256KW: .keyWrap(keyLength: 32)
        case .a128GCMKW: .gcmKeyWrap(keyLength: 16)
        case .a192GCMKW: .gcmKeyWrap(keyLength: 24)
        case .a256GCMKW: .gcmKeyWrap(keyLength: 32)
        case .direct: .direct
        default: nil
        }
    }
}
