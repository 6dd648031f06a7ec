import AuthHubPrimitives
import Crypto
import CryptoExtras

/// A private or symmetric key of the crypto library.
enum PrivateSigningKey: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)
    case p521(P521.Signing.PrivateKey)
    case ed25519(Curve25519.Signing.PrivateKey)
    case symmetric(SymmetricKey)

    /// The size of new RSA keys.
    private static let rsaSize = _RSA.Signing.KeySize.bits2048

    /// Generates a key.
    init(generating properties: SignatureAlgorithm.Properties) throws(JOSEError) {
        switch (properties.keyType, properties.curve) {
        case (.rsa, _):
            guard let key = try? _RSA.Signing.PrivateKey(keySize: Self.rsaSize) else {
                throw JOSEError(.unusableKey, "the crypto library could not generate an RSA key")
            }
            self = .rsa(key)
        case (_, .p256): self = .p256(P256.Signing.PrivateKey())
        case (_, .p384): self = .p384(P384.Signing.PrivateKey())
        case (_, .p521): self = .p521(P521.Signing.PrivateKey())
        case (_, .ed25519): self = .ed25519(Curve25519.Signing.PrivateKey())
        default: throw JOSEError(.notAllowed, "keys for this algorithm cannot be generated")
        }
    }

    /// Parses a private key (RFC 7518 §6.2.2, §6.3.2, RFC 8037 §2), without comparing it with its public members.
    init(_ members: KeyMembers) throws(JOSEError) {
        let key: Self? =
            switch try members.type() {
            case .rsa: try Self.rsa(members)
            case .ec: try Self.onCurve(members, type: .ec)
            case .okp: try Self.onCurve(members, type: .okp)
            case .oct: throw JOSEError(.unusableKey, "the key is symmetric; only private keys can sign here")
            }
        guard let key else { throw JOSEError(.unusableKey, "the private key is not valid") }
        self = key
    }

    private static func rsa(_ members: KeyMembers) throws(JOSEError) -> Self? {
        guard !members.contains("oth") else { throw JOSEError(.unusableKey, "RSA keys with more than two primes are not supported") }
        let (modulus, exponent) = (try members.integer("n"), try members.integer("e"))
        let (privateExponent, first, second) = (try members.integer("d"), try members.integer("p"), try members.integer("q"))
        return (try? _RSA.Signing.PrivateKey(n: modulus, e: exponent, d: privateExponent, p: first, q: second)).map(Self.rsa)
    }

    private static func onCurve(_ members: KeyMembers, type: KeyType) throws(JOSEError) -> Self? {
        let curve = try members.curve(for: type)
        let bytes = try members.bytes("d", count: curve.coordinateLength)
        return switch curve {
        case .p256: (try? P256.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.p256)
        case .p384: (try? P384.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.p384)
        case .p521: (try? P521.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.p521)
        case .ed25519: (try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.ed25519)
        case .x25519: throw JOSEError(.unusableKey, "an X25519 key cannot sign")
        }
    }
}

extension PrivateSigningKey {
    /// The public key that belongs to the private key.
    var publicKey: ParsedKey {
        get throws(JOSEError) {
            switch self {
            case .rsa(let key):
                guard let numbers = try? key.publicKey.getKeyPrimitives() else {
                    throw JOSEError(.unusableKey, "the private key is not valid")
                }
                return .rsa(try RSAPublicKey(modulus: Array(numbers.modulus), exponent: Array(numbers.publicExponent)))
            case .p256(let key): return .p256(key.publicKey)
            case .p384(let key): return .p384(key.publicKey)
            case .p521(let key): return .p521(key.publicKey)
            case .ed25519(let key): return .ed25519(key.publicKey)
            case .symmetric(let key): return .symmetric(Secret(key))
            }
        }
    }

    /// The private members of the JSON Web Key; nil if the key is symmetric.
    var privateMembers: JSONObject? {
        switch self {
        case .rsa(let key):
            guard var members = PKCS1PrivateKey.members(of: Array(key.derRepresentation))?.reveal() else { return nil }
            for name in ["n", "e"] { members[name] = nil }
            return members
        case .p256(let key): return Self.member(Array(key.rawRepresentation))
        case .p384(let key): return Self.member(Array(key.rawRepresentation))
        case .p521(let key): return Self.member(Array(key.rawRepresentation))
        case .ed25519(let key): return Self.member(Array(key.rawRepresentation))
        case .symmetric: return nil
        }
    }

    private static func member(_ bytes: [UInt8]) -> JSONObject {
        var members = JSONObject()
        members["d"] = .string(Base64URL.encode(bytes))
        return members
    }

    /// Signs bytes in the format of JOSE (RFC 7518 §3).
    func signature(for bytes: [UInt8], _ properties: SignatureAlgorithm.Properties) throws -> [UInt8] {
        switch properties.hash {
        case .sha256: try signature(for: bytes, properties.scheme, hash: SHA256.self)
        case .sha384: try signature(for: bytes, properties.scheme, hash: SHA384.self)
        case .sha512: try signature(for: bytes, properties.scheme, hash: SHA512.self)
        }
    }

    private func signature<Hash: HashFunction>(
        for bytes: [UInt8], _ scheme: SignatureAlgorithm.Properties.Scheme, hash: Hash.Type
    ) throws -> [UInt8] {
        switch self {
        case .rsa(let key):
            let padding = scheme == .rsaPSS ? _RSA.Signing.Padding.PSS : .insecurePKCS1v1_5
            return Array(try key.signature(for: Hash.hash(data: bytes), padding: padding).rawRepresentation)
        case .p256(let key): return Array(try key.signature(for: Hash.hash(data: bytes)).rawRepresentation)
        case .p384(let key): return Array(try key.signature(for: Hash.hash(data: bytes)).rawRepresentation)
        case .p521(let key): return Array(try key.signature(for: Hash.hash(data: bytes)).rawRepresentation)
        case .ed25519(let key): return Array(try key.signature(for: bytes))
        case .symmetric(let key): return Array(HMAC<Hash>.authenticationCode(for: bytes, using: key))
        }
    }
}
