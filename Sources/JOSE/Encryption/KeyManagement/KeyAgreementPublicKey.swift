import AuthHubPrimitives
import Crypto

/// A public key for key agreement: a recipient's key, or the sender's ephemeral key, `epk`.
enum KeyAgreementPublicKey: Sendable {
    case p256(P256.KeyAgreement.PublicKey)
    case p384(P384.KeyAgreement.PublicKey)
    case p521(P521.KeyAgreement.PublicKey)
    case x25519(Curve25519.KeyAgreement.PublicKey)

    /// Creates a key from the members of a JSON Web Key. The point must be on the curve, and each coordinate must have the curve's length.
    init(_ members: KeyMembers) throws(JOSEError) {
        let curve = try members.curve(for: members.type())
        let x = try members.bytes("x", count: curve.coordinateLength)
        let y = try curve.keyType == .ec ? members.bytes("y", count: curve.coordinateLength) : []
        do {
            self =
                switch curve {
                case .p256: .p256(try P256.KeyAgreement.PublicKey(rawRepresentation: x + y))
                case .p384: .p384(try P384.KeyAgreement.PublicKey(rawRepresentation: x + y))
                case .p521: .p521(try P521.KeyAgreement.PublicKey(rawRepresentation: x + y))
                case .x25519: .x25519(try Curve25519.KeyAgreement.PublicKey(rawRepresentation: x))
                case .ed25519: throw JOSEError(.unusableKey, "the key is for signatures, not for key agreement")
                }
        } catch {
            throw error as? JOSEError ?? JOSEError(.unusableKey, "the key is not a point on its curve")
        }
    }

    var curve: Curve {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        case .x25519: .x25519
        }
    }

    /// The coordinates: x and y, or x only for X25519.
    var bytes: [UInt8] {
        switch self {
        case .p256(let key): Array(key.rawRepresentation)
        case .p384(let key): Array(key.rawRepresentation)
        case .p521(let key): Array(key.rawRepresentation)
        case .x25519(let key): Array(key.rawRepresentation)
        }
    }

    /// `kty`, `crv` and the coordinates.
    var members: JSONObject {
        var members = JSONObject()
        members["kty"] = .string(curve.keyType.rawValue)
        members["crv"] = .string(curve.rawValue)
        members["x"] = .string(Base64URL.encode(bytes.prefix(curve.coordinateLength)))
        if curve.keyType == .ec { members["y"] = .string(Base64URL.encode(bytes.dropFirst(curve.coordinateLength))) }
        return members
    }
}
