package import AuthHubPrimitives
package import Crypto

/// A parsed public or symmetric key.
package enum ParsedKey: Sendable {
    case rsa(RSAPublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(P521.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
    case x25519(Curve25519.KeyAgreement.PublicKey)
    case symmetric(Secret<SymmetricKey>)

    package var type: KeyType {
        switch self {
        case .rsa: .rsa
        case .p256, .p384, .p521: .ec
        case .ed25519, .x25519: .okp
        case .symmetric: .oct
        }
    }

    package var curve: Curve? {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        case .ed25519: .ed25519
        case .x25519: .x25519
        case .rsa, .symmetric: nil
        }
    }

    /// The members that a thumbprint is computed from, in alphabetical order (RFC 7638 §3.2, RFC 8037 §2).
    var requiredMembers: JSONObject {
        var members = JSONObject()
        members["crv"] = curve.map { .string($0.rawValue) }
        switch self {
        case .rsa(let key): members["e"] = .string(Base64URL.encode(key.exponent))
        case .symmetric(let key): members["k"] = .string(key.reveal().withUnsafeBytes { Base64URL.encode(Array($0)) })
        default: break
        }
        members["kty"] = .string(type.rawValue)
        switch self {
        case .rsa(let key): members["n"] = .string(Base64URL.encode(key.modulus))
        case .p256(let key): members.set(coordinates: Array(key.rawRepresentation))
        case .p384(let key): members.set(coordinates: Array(key.rawRepresentation))
        case .p521(let key): members.set(coordinates: Array(key.rawRepresentation))
        case .ed25519(let key): members["x"] = .string(Base64URL.encode(key.rawRepresentation))
        case .x25519(let key): members["x"] = .string(Base64URL.encode(key.rawRepresentation))
        case .symmetric: break
        }
        return members
    }
}

extension JSONObject {
    fileprivate mutating func set(coordinates: [UInt8]) {
        self["x"] = .string(Base64URL.encode(coordinates.prefix(coordinates.count / 2)))
        self["y"] = .string(Base64URL.encode(coordinates.suffix(coordinates.count / 2)))
    }
}
