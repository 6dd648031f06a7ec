public import AuthHubPrimitives
import Crypto
import CryptoExtras
import Platform

extension SoftwareSigningKey {
    /// Creates a key from the text of a PEM file: a private RSA key, EC key (P-256, P-384, P-521) or Ed25519 key, in PKCS #8 (RFC 5958) or
    /// in the older formats for RSA and EC keys (RFC 8017 §A.1.2, RFC 5915).
    ///
    /// The key has no ID. An RSA key signs with RS256, or with another RSA algorithm if the receiver supports only that.
    ///
    /// - Throws: ``JOSEError`` with `.malformed` if the text is anything else, or with `.unusableKey` if the key is encrypted or not safe to
    ///   use.
    public init(pem: Secret<String>) throws(JOSEError) {
        let text = pem.reveal()
        guard !text.contains("ENCRYPTED") else {
            throw JOSEError(.unusableKey, "the private key is encrypted with a passphrase; decrypt it first, for example with openssl pkey")
        }
        guard let key = Self.parsed(text) else {
            throw JOSEError(.malformed, "the text is not a private RSA, EC or Ed25519 key in PEM format")
        }
        guard let members = key.privateMembers else { throw JOSEError(.unusableKey, "the private key is not valid") }
        var all = try key.publicKey.requiredMembers
        for member in members.members { all[member.name] = member.value }
        try self.init(Secret(all))
    }

    private static func parsed(_ pem: String) -> PrivateSigningKey? {
        if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) { return .p256(key) }
        if let key = try? P384.Signing.PrivateKey(pemRepresentation: pem) { return .p384(key) }
        if let key = try? P521.Signing.PrivateKey(pemRepresentation: pem) { return .p521(key) }
        if isEd25519(pem), let key = try? Curve25519.Signing.PrivateKey(pemRepresentation: pem) { return .ed25519(key) }
        return (try? _RSA.Signing.PrivateKey(pemRepresentation: pem)).map(PrivateSigningKey.rsa)
    }

    /// Whether a PKCS #8 key is for Ed25519 (RFC 8410 §3). The crypto library does not compare the identifier.
    private static func isEd25519(_ pem: String) -> Bool {
        let lines = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        let identifier: [UInt8] = [0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70]
        guard let der = Data(base64Encoded: lines.joined()), der.count > 12 else { return false }
        return Array(der.dropFirst(5).prefix(identifier.count)) == identifier
    }
}
