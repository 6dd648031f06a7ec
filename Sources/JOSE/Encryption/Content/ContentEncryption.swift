/// An algorithm that encrypts and authenticates the content of an encrypted token: the header's `enc` (RFC 7518 §5).
///
/// A value can have any name, but only the algorithms below are supported.
public struct ContentEncryption: RawRepresentable, Hashable, Sendable {
    /// The name in the header, such as `A128GCM`.
    public let rawValue: String

    /// Creates a value from a name, which may be one that is not supported.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// AES-GCM with 128 bits (RFC 7518 §5.3).
    public static let a128GCM = Self(rawValue: "A128GCM")
    /// AES-GCM with 192 bits (RFC 7518 §5.3).
    public static let a192GCM = Self(rawValue: "A192GCM")
    /// AES-GCM with 256 bits (RFC 7518 §5.3).
    public static let a256GCM = Self(rawValue: "A256GCM")
    /// AES-CBC with 128 bits, and HMAC with SHA-256 (RFC 7518 §5.2.3). It is the default of OpenID Connect if a client registers only a key
    /// management algorithm.
    public static let a128CBCHS256 = Self(rawValue: "A128CBC-HS256")
    /// AES-CBC with 192 bits, and HMAC with SHA-384 (RFC 7518 §5.2.4).
    public static let a192CBCHS384 = Self(rawValue: "A192CBC-HS384")
    /// AES-CBC with 256 bits, and HMAC with SHA-512 (RFC 7518 §5.2.5).
    public static let a256CBCHS512 = Self(rawValue: "A256CBC-HS512")
}

extension ContentEncryption {
    /// Whether this module implements the algorithm.
    package var isSupported: Bool { cipher != nil }

    /// The implementation of the algorithm; nil if it is not supported.
    var cipher: ContentCipher? {
        switch self {
        case .a128GCM: .gcm(keyLength: 16)
        case .a192GCM: .gcm(keyLength: 24)
        case .a256GCM: .gcm(keyLength: 32)
        case .a128CBCHS256: .cbc(.sha256)
        case .a192CBCHS384: .cbc(.sha384)
        case .a256CBCHS512: .cbc(.sha512)
        default: nil
        }
    }
}
