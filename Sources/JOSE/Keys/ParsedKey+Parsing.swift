import AuthHubPrimitives
import Crypto

extension ParsedKey {
    /// Parses a public key.
    package init(publicKey members: KeyMembers) throws(JOSEError) {
        switch try members.type() {
        case .rsa: self = .rsa(try RSAPublicKey(modulus: members.integer("n"), exponent: members.integer("e")))
        case .ec: try self.init(pointIn: members)
        case .okp: try self.init(keyIn: members)
        case .oct: throw JOSEError(.unusableKey, "the key is symmetric; a key set of a server must only have public keys")
        }
    }

    /// Parses a symmetric key (RFC 7518 §6.4).
    init(symmetricKey members: KeyMembers) throws(JOSEError) {
        guard try members.type() == .oct else { throw JOSEError(.unusableKey, "the key is not symmetric") }
        self = .symmetric(Secret(SymmetricKey(data: try members.bytes("k"))))
    }

    /// Parses a point on a NIST curve (RFC 7518 §6.2.1). Points that are not on the curve are rejected (RFC 8725 §3.4).
    private init(pointIn members: KeyMembers) throws(JOSEError) {
        let curve = try members.curve(for: .ec)
        let point = try members.bytes("x", count: curve.coordinateLength) + members.bytes("y", count: curve.coordinateLength)
        let key: ParsedKey? =
            switch curve {
            case .p256: (try? P256.Signing.PublicKey(rawRepresentation: point)).map(Self.p256)
            case .p384: (try? P384.Signing.PublicKey(rawRepresentation: point)).map(Self.p384)
            case .p521: (try? P521.Signing.PublicKey(rawRepresentation: point)).map(Self.p521)
            case .ed25519, .x25519: nil
            }
        guard let key else { throw JOSEError(.unusableKey, "the key is not a point on its curve") }
        self = key
    }

    /// Parses a key on Curve25519 (RFC 8037 §2).
    private init(keyIn members: KeyMembers) throws(JOSEError) {
        let curve = try members.curve(for: .okp)
        let bytes = try members.bytes("x", count: curve.coordinateLength)
        guard Curve25519Encoding.isSafe(bytes, on: curve) else {
            throw JOSEError(.unusableKey, "the key is a point of small order, or not encoded canonically")
        }
        let key: ParsedKey? =
            switch curve {
            case .ed25519: (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)).map(Self.ed25519)
            case .x25519: (try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes)).map(Self.x25519)
            case .p256, .p384, .p521: nil
            }
        guard let key else { throw JOSEError(.unusableKey, "the key is not a point on its curve") }
        self = key
    }
}
