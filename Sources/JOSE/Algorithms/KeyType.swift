/// A type of key that is supported, by its name in JOSE (RFC 7518 §6.1, RFC 8037 §2).
package enum KeyType: String, Sendable {
    case rsa = "RSA"
    case ec = "EC"
    case okp = "OKP"
    case oct
}

/// An elliptic curve that is supported, by its name in JOSE (RFC 7518 §6.2.1.1, RFC 8037 §2).
package enum Curve: String, Sendable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"
    case ed25519 = "Ed25519"
    case x25519 = "X25519"

    package var keyType: KeyType {
        switch self {
        case .p256, .p384, .p521: .ec
        case .ed25519, .x25519: .okp
        }
    }

    /// The length of a coordinate, and of a private key, in bytes.
    package var coordinateLength: Int {
        switch self {
        case .p256, .ed25519, .x25519: 32
        case .p384: 48
        case .p521: 66
        }
    }
}
