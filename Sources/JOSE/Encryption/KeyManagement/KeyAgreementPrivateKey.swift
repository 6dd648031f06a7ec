import AuthHubPrimitives
import Crypto

/// A private key for key agreement.
enum KeyAgreementPrivateKey: Sendable {
    case p256(P256.KeyAgreement.PrivateKey)
    case p384(P384.KeyAgreement.PrivateKey)
    case p521(P521.KeyAgreement.PrivateKey)
    case x25519(Curve25519.KeyAgreement.PrivateKey)

    /// Generates a key; nil if the curve is not one for key agreement.
    init?(on curve: Curve) {
        switch curve {
        case .p256: self = .p256(P256.KeyAgreement.PrivateKey())
        case .p384: self = .p384(P384.KeyAgreement.PrivateKey())
        case .p521: self = .p521(P521.KeyAgreement.PrivateKey())
        case .x25519: self = .x25519(Curve25519.KeyAgreement.PrivateKey())
        case .ed25519: return nil
        }
    }

    /// Creates a key from the members of a JSON Web Key. The private and the public members must belong together.
    init(_ members: KeyMembers) throws(JOSEError) {
        let publicKey = try KeyAgreementPublicKey(members)
        let bytes = try members.bytes("d", count: publicKey.curve.coordinateLength)
        do {
            self =
                switch publicKey {
                case .p256: .p256(try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes))
                case .p384: .p384(try P384.KeyAgreement.PrivateKey(rawRepresentation: bytes))
                case .p521: .p521(try P521.KeyAgreement.PrivateKey(rawRepresentation: bytes))
                case .x25519: .x25519(try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes))
                }
        } catch {
            throw JOSEError(.unusableKey, "the private key is out of the curve's range")
        }
        guard self.publicKey.bytes == publicKey.bytes else {
            throw JOSEError(.unusableKey, "the private key does not belong to the public key")
        }
    }

    var publicKey: KeyAgreementPublicKey {
        switch self {
        case .p256(let key): .p256(key.publicKey)
        case .p384(let key): .p384(key.publicKey)
        case .p521(let key): .p521(key.publicKey)
        case .x25519(let key): .x25519(key.publicKey)
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .p256(let key): Array(key.rawRepresentation)
        case .p384(let key): Array(key.rawRepresentation)
        case .p521(let key): Array(key.rawRepresentation)
        case .x25519(let key): Array(key.rawRepresentation)
        }
    }

    /// Returns the secret that both sides can compute; nil if the keys are on different curves, or if the secret does not depend on this
    /// key.
    func sharedSecret(with publicKey: KeyAgreementPublicKey) -> [UInt8]? {
        let secret =
            switch (self, publicKey) {
            case (.p256(let own), .p256(let other)): try? own.sharedSecretFromKeyAgreement(with: other)
            case (.p384(let own), .p384(let other)): try? own.sharedSecretFromKeyAgreement(with: other)
            case (.p521(let own), .p521(let other)): try? own.sharedSecretFromKeyAgreement(with: other)
            case (.x25519(let own), .x25519(let other)): try? own.sharedSecretFromKeyAgreement(with: other)
            default: SharedSecret?.none
            }
        guard let bytes = secret?.withUnsafeBytes({ Array($0) }) else { return nil }
        // A point of small order leads to zeros with every X25519 key (RFC 7748 §6.1), and the crypto library does not reject it.
        guard bytes.reduce(0, |) != 0 else { return nil }
        return bytes
    }
}
