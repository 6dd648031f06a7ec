package import AuthHubPrimitives

extension SignatureAlgorithm {
    /// The parts of an algorithm, and its requirements for a key.
    package struct Properties: Sendable, Hashable {
        package enum Scheme: Sendable { case rsaPKCS1, rsaPSS, ecdsa, edDSA, hmac }

        package let scheme: Scheme
        package let hash: HashAlgorithm
        package let keyType: KeyType
        /// The curve of the key; nil if the key is not on a curve.
        package let curve: Curve?
        /// The length of a signature in bytes; nil for RSA, because it is the length of the modulus.
        package let signatureLength: Int?

        fileprivate init(_ scheme: Scheme, _ hash: HashAlgorithm, _ keyType: KeyType, _ curve: Curve? = nil, length: Int? = nil) {
            self.scheme = scheme
            self.hash = hash
            self.keyType = keyType
            self.curve = curve
            signatureLength = length
        }
    }

    /// The properties of the algorithm; nil if it is not supported.
    package var properties: Properties? {
        switch self {
        case .rs256: Properties(.rsaPKCS1, .sha256, .rsa)
        case .rs384: Properties(.rsaPKCS1, .sha384, .rsa)
        case .rs512: Properties(.rsaPKCS1, .sha512, .rsa)
        case .ps256: Properties(.rsaPSS, .sha256, .rsa)
        case .ps384: Properties(.rsaPSS, .sha384, .rsa)
        case .ps512: Properties(.rsaPSS, .sha512, .rsa)
        case .es256: Properties(.ecdsa, .sha256, .ec, .p256, length: 64)
        case .es384: Properties(.ecdsa, .sha384, .ec, .p384, length: 96)
        case .es512: Properties(.ecdsa, .sha512, .ec, .p521, length: 132)
        case .ed25519, .edDSA: Properties(.edDSA, .sha512, .okp, .ed25519, length: 64)
        case .hs256: Properties(.hmac, .sha256, .oct, length: 32)
        case .hs384: Properties(.hmac, .sha384, .oct, length: 48)
        case .hs512: Properties(.hmac, .sha512, .oct, length: 64)
        default: nil
        }
    }

    /// Whether two names stand for the same algorithm, as `EdDSA` and `Ed25519` do.
    package func isSame(as other: Self) -> Bool {
        self == other || (properties?.scheme == .edDSA && other.properties?.scheme == .edDSA)
    }

    /// The base64url-encoded left half of the hash of a token or code, as in `at_hash` and `c_hash` (OpenID Connect Core 1.0 §3.1.3.6); nil
    /// if the algorithm is not supported.
    package func leftHalfHash(of value: Secret<String>) -> String? {
        guard let hash = properties?.hash else { return nil }
        return Base64URL.encode(hash.digest(of: value).prefix(hash.length / 2))
    }
}

extension Set<SignatureAlgorithm> {
    /// All supported algorithms whose signatures a public key verifies.
    package static let publicKeyAlgorithms: Self = [
        .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .edDSA,
    ]

    /// Whether the set contains the algorithm, by any of its names, and the algorithm is supported.
    package func allows(_ algorithm: SignatureAlgorithm) -> Bool {
        guard let properties = algorithm.properties else { return false }
        return contains(algorithm) || (properties.scheme == .edDSA && (contains(.edDSA) || contains(.ed25519)))
    }
}
