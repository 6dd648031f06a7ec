import AuthHubPrimitives
import Crypto
import CryptoExtras

/// A public key that a client or another issuer has published.
enum VerificationKey: Sendable {
    case p256(P256.Signing.PublicKey)
    case rsa(_RSA.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)

    /// Creates a key from a JSON Web Key; nil if its type is not supported or it is not valid.
    init?(_ members: JSONObject) {
        func bytes(_ name: String) -> [UInt8]? { members[name]?.string.flatMap { Base64URL.decode($0) } }
        switch (members["kty"]?.string, members["crv"]?.string) {
        case ("EC", "P-256"?):
            guard let x = bytes("x"), let y = bytes("y"), let key = try? P256.Signing.PublicKey(rawRepresentation: x + y) else {
                return nil
            }
            self = .p256(key)
        case ("RSA", _):
            guard let n = bytes("n"), let e = bytes("e"), let key = try? _RSA.Signing.PublicKey(n: n, e: e) else { return nil }
            self = .rsa(key)
        case ("OKP", "Ed25519"?):
            guard let x = bytes("x"), let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x) else { return nil }
            self = .ed25519(key)
        default: return nil
        }
    }

    /// Whether a token has a valid signature by this key.
    func isSigner(of token: CompactToken) -> Bool {
        switch (self, token.header["alg"]?.string) {
        case (.p256(let key), "ES256"?):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature) else { return false }
            return key.isValidSignature(signature, for: token.signed)
        case (.rsa(let key), "RS256"?): return isValid(token, key, .insecurePKCS1v1_5)
        case (.rsa(let key), "PS256"?): return isValid(token, key, .PSS)
        case (.ed25519(let key), "EdDSA"?), (.ed25519(let key), "Ed25519"?): return key.isValidSignature(token.signature, for: token.signed)
        default: return false
        }
    }

    private func isValid(_ token: CompactToken, _ key: _RSA.Signing.PublicKey, _ padding: _RSA.Signing.Padding) -> Bool {
        key.isValidSignature(_RSA.Signing.RSASignature(rawRepresentation: token.signature), for: token.signed, padding: padding)
    }
}
