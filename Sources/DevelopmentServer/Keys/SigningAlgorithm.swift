import AuthHubPrimitives
import Crypto

/// An algorithm for signing tokens, by its name in RFC 7518 §3.1 and RFC 8037 §3.1.
package enum SigningAlgorithm: String, Sendable, Hashable, CaseIterable {
    case es256 = "ES256"
    case rs256 = "RS256"
    case ps256 = "PS256"
    /// Ed25519.
    case edDSA = "EdDSA"
    /// HMAC with the client secret, only for clients that have one.
    case hs256 = "HS256"
}

extension SigningAlgorithm {
    /// Returns the hash of an access token, a code or a state for an ID token: the left half of the hash by the algorithm's hash function
    /// (OpenID Connect Core 1.0 §3.1.3.6). Ed25519 uses SHA-512.
    func halfHash(of value: String) -> String {
        let bytes = Array(value.utf8)
        return switch self {
        case .edDSA: Base64URL.encode(Array(SHA512.hash(data: bytes)).prefix(32))
        case .es256, .rs256, .ps256, .hs256: Base64URL.encode(Array(SHA256.hash(data: bytes)).prefix(16))
        }
    }

    /// Returns the whole SHA-256 hash, which is not a valid `at_hash`.
    static func wholeHash(of accessToken: String) -> String {
        Base64URL.encode(SHA256.hash(data: Array(accessToken.utf8)))
    }

    /// Returns the left half of the SHA-384 hash, which is not a valid `at_hash` with these algorithms.
    static func otherHalfHash(of accessToken: String) -> String {
        Base64URL.encode(Array(SHA384.hash(data: Array(accessToken.utf8))).prefix(24))
    }
}
