/// An algorithm for encrypting or agreeing on the key of a token's content, by its name in RFC 7518 §4.1.
package enum KeyManagement: String, Sendable, Hashable, CaseIterable {
    case rsaOAEP = "RSA-OAEP"
    case rsaOAEP256 = "RSA-OAEP-256"
    case ecdhES = "ECDH-ES"
    case ecdhES128 = "ECDH-ES+A128KW"
    case ecdhES192 = "ECDH-ES+A192KW"
    case ecdhES256 = "ECDH-ES+A256KW"
    case a128KW = "A128KW"
    case a192KW = "A192KW"
    case a256KW = "A256KW"
    case a128GCMKW = "A128GCMKW"
    case a192GCMKW = "A192GCMKW"
    case a256GCMKW = "A256GCMKW"
    /// The key that client and server share encrypts the content itself.
    case direct = "dir"
}

extension KeyManagement {
    /// Whether the key is derived from the client secret, instead of the client's public key.
    var isSymmetric: Bool {
        switch self {
        case .rsaOAEP, .rsaOAEP256, .ecdhES, .ecdhES128, .ecdhES192, .ecdhES256: false
        case .a128KW, .a192KW, .a256KW, .a128GCMKW, .a192GCMKW, .a256GCMKW, .direct: true
        }
    }

    /// The number of bytes of the key that wraps the content's key; nil if there is none.
    var wrappingKeySize: Int? {
        switch self {
        case .ecdhES128, .a128KW, .a128GCMKW: 16
        case .ecdhES192, .a192KW, .a192GCMKW: 24
        case .ecdhES256, .a256KW, .a256GCMKW: 32
        case .rsaOAEP, .rsaOAEP256, .ecdhES, .direct: nil
        }
    }
}

/// The algorithms with which a client wants tokens to be encrypted: `…_encrypted_response_alg` and `…_encrypted_response_enc` (OpenID
/// Connect Dynamic Client Registration 1.0 §2).
package struct TokenEncryption: Sendable, Hashable {
    package var algorithm: KeyManagement
    package var cipher: ContentCipher

    /// Creates a choice of algorithms.
    package init(_ algorithm: KeyManagement, _ cipher: ContentCipher = .a128CBC) {
        self.algorithm = algorithm
        self.cipher = cipher
    }
}
