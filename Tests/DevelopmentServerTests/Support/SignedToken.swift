import AuthHubPrimitives
import Crypto
import CryptoExtras

/// A signed token as a test reads it: strictly, and with swift-crypto only.
struct SignedToken {
    let header: JSONObject
    let claims: JSONObject
    let signature: [UInt8]
    let signed: [UInt8]

    init?(_ text: String?) {
        let parts = (text ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ part: Substring) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSONValue(strict: $0).object }
    }

    /// Whether a key of the set has the token's `kid`, if it has one, and verifies the token.
    func isSigned(byKeyIn set: JSONValue) -> Bool {
        (set["keys"]?.array ?? []).contains { key in
            (header["kid"] == nil || header["kid"] == key["kid"])
                && PublishedKey(key)?.verifies(signature, of: signed, header["alg"]) ?? false
        }
    }

    /// Whether `at_hash` belongs to the access token.
    func hasHash(of accessToken: String) -> Bool {
        let bytes = Array(accessToken.utf8)
        let hash = header["alg"] == "EdDSA" ? Array(SHA512.hash(data: bytes)).prefix(32) : Array(SHA256.hash(data: bytes)).prefix(16)
        return claims["at_hash"]?.string == Base64URL.encode(hash)
    }
}

/// A key of a key set.
private enum PublishedKey {
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
    case rsa(_RSA.Signing.PublicKey)
    case symmetric(SymmetricKey)

    init?(_ key: JSONValue) {
        func bytes(_ name: String) -> [UInt8] { Base64URL.decode(key[name]?.string ?? "-") ?? [] }
        switch (key["kty"]?.string, key["crv"]?.string) {
        case ("EC", "P-256"):
            guard let key = try? P256.Signing.PublicKey(rawRepresentation: bytes("x") + bytes("y")) else { return nil }
            self = .p256(key)
        case ("EC", "P-384"):
            guard let key = try? P384.Signing.PublicKey(rawRepresentation: bytes("x") + bytes("y")) else { return nil }
            self = .p384(key)
        case ("OKP", "Ed25519"):
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes("x")) else { return nil }
            self = .ed25519(key)
        case ("RSA", nil):
            // The initializer with numbers rejects small keys.
            guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: DER.rsaKey(bytes("n"), bytes("e"))) else { return nil }
            self = .rsa(key)
        case ("oct", nil): self = .symmetric(SymmetricKey(data: bytes("k")))
        default: return nil
        }
    }

    func verifies(_ signature: [UInt8], of bytes: [UInt8], _ algorithm: JSONValue?) -> Bool {
        switch self {
        case .p256(let key):
            (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: bytes) } ?? false
        case .p384(let key):
            (try? P384.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: bytes) } ?? false
        case .ed25519(let key): key.isValidSignature(signature, for: bytes)
        case .symmetric(let key): HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: bytes, using: key)
        case .rsa(let key):
            key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: bytes,
                padding: algorithm == "PS256" ? .PSS : .insecurePKCS1v1_5)
        }
    }
}

/// The encoding of an RSA key in PKCS #1 (RFC 8017 §A.1.1).
private enum DER {
    static func rsaKey(_ modulus: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
        element(0x30, integer(modulus) + integer(exponent))
    }

    private static func integer(_ bytes: [UInt8]) -> [UInt8] {
        element(0x02, (bytes.first.map { $0 >= 0x80 } ?? true ? [0] : []) + bytes)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 128 ? [UInt8(count)] : count < 256 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag] + length + content
    }
}
