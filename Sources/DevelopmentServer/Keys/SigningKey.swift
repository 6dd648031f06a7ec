import AuthHubPrimitives
import Crypto
import CryptoExtras

/// A private key that signs tokens.
struct SigningKey: Sendable {
    private enum Material: Sendable {
        case p256(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey, _RSA.Signing.Padding)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    let id: String
    let algorithm: SigningAlgorithm
    private let material: Material

    /// Creates a key.
    ///
    /// - Parameter slot: The RSA key to use, for the algorithms with RSA.
    /// - Returns: nil if the algorithm has no private keys, or if no key can be generated.
    init?(_ algorithm: SigningAlgorithm, slot: RSAKeyPool.Slot) {
        switch algorithm {
        case .es256: material = .p256(P256.Signing.PrivateKey())
        case .edDSA: material = .ed25519(Curve25519.Signing.PrivateKey())
        case .rs256, .ps256:
            guard let key = RSAKeyPool.key(slot) else { return nil }
            material = .rsa(key, algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5)
        case .hs256: return nil
        }
        self.algorithm = algorithm
        id = Base64URL.encode(randomBytes(count: 8))
    }
}

extension SigningKey {
    /// The public key as a JSON Web Key (RFC 7517 §4).
    var publicKey: JSONObject {
        var members = parameters
        members["use"] = "sig"
        members["alg"] = .string(algorithm.rawValue)
        members["kid"] = .string(id)
        return members
    }

    private var parameters: JSONObject {
        switch material {
        case .p256(let key): return key.publicKey.members
        case .rsa(let key, _): return key.publicKey.members
        case .ed25519(let key): return key.publicKey.members
        }
    }

    /// The public key as attackers would use it as the key of a MAC: as PEM, or if that does not exist, the bytes.
    var publicBytes: [UInt8] {
        switch material {
        case .p256(let key): Array(key.publicKey.pemRepresentation.utf8)
        case .rsa(let key, _): Array(key.publicKey.pemRepresentation.utf8)
        case .ed25519(let key): Array(key.publicKey.rawRepresentation)
        }
    }

    /// Returns the signature of bytes in the form of RFC 7518 §3, or nil if signing fails.
    func signature(of bytes: [UInt8]) -> [UInt8]? {
        switch material {
        case .p256(let key): (try? key.signature(for: bytes)).map { Array($0.rawRepresentation) }
        case .rsa(let key, let padding): (try? key.signature(for: bytes, padding: padding)).map { Array($0.rawRepresentation) }
        case .ed25519(let key): (try? key.signature(for: bytes)).map { Array($0) }
        }
    }

    func isValid(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
        switch material {
        case .p256(let key):
            (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { key.publicKey.isValidSignature($0, for: bytes) } ?? false
        case .rsa(let key, let padding):
            key.publicKey.isValidSignature(_RSA.Signing.RSASignature(rawRepresentation: signature), for: bytes, padding: padding)
        case .ed25519(let key): key.publicKey.isValidSignature(signature, for: bytes)
        }
    }
}

extension P256.Signing.PublicKey {
    /// The members `kty`, `crv`, `x` and `y` of a JSON Web Key (RFC 7518 §6.2.1).
    var members: JSONObject { JSONObject(curve: "P-256", point: Array(rawRepresentation)) }
}

extension P384.Signing.PublicKey {
    /// The members `kty`, `crv`, `x` and `y` of a JSON Web Key (RFC 7518 §6.2.1).
    var members: JSONObject { JSONObject(curve: "P-384", point: Array(rawRepresentation)) }
}

extension Curve25519.Signing.PublicKey {
    /// The members `kty`, `crv` and `x` of a JSON Web Key (RFC 8037 §2).
    var members: JSONObject { JSONObject(edwardsPoint: Array(rawRepresentation)) }
}

extension JSONObject {
    /// Creates the public part of an EC key from its uncompressed point, without the first byte.
    init(curve: String, point: [UInt8]) {
        self.init()
        self["kty"] = "EC"
        self["crv"] = .string(curve)
        self["x"] = .string(Base64URL.encode(point.prefix(point.count / 2)))
        self["y"] = .string(Base64URL.encode(point.suffix(point.count / 2)))
    }

    /// Creates the public part of an Ed25519 key.
    init(edwardsPoint: [UInt8]) {
        self.init()
        self["kty"] = "OKP"
        self["crv"] = "Ed25519"
        self["x"] = .string(Base64URL.encode(edwardsPoint))
    }
}
