import AuthHubPrimitives
import Crypto

/// The agreement on a key with the holder of a public key (RFC 7518 §4.6).
struct KeyAgreement: Sendable {
    /// The public part of the key that was generated for this agreement.
    let ephemeralKey: JSONObject
    private let secret: [UInt8]

    /// Generates a key, and agrees on a secret with the holder of a public key; returns nil if the public key cannot be used.
    init?(with key: JSONObject) {
        func bytes(_ name: String) -> [UInt8] { key[name]?.string.flatMap { Base64URL.decode($0) } ?? [] }
        let point = bytes("x") + bytes("y")
        switch key["crv"]?.string {
        case "P-256":
            let own = P256.KeyAgreement.PrivateKey()
            guard let other = try? P256.KeyAgreement.PublicKey(rawRepresentation: point),
                let shared = try? own.sharedSecretFromKeyAgreement(with: other)
            else { return nil }
            self.init(shared, JSONObject(curve: "P-256", point: Array(own.publicKey.rawRepresentation)))
        case "P-384":
            let own = P384.KeyAgreement.PrivateKey()
            guard let other = try? P384.KeyAgreement.PublicKey(rawRepresentation: point),
                let shared = try? own.sharedSecretFromKeyAgreement(with: other)
            else { return nil }
            self.init(shared, JSONObject(curve: "P-384", point: Array(own.publicKey.rawRepresentation)))
        case "P-521":
            let own = P521.KeyAgreement.PrivateKey()
            guard let other = try? P521.KeyAgreement.PublicKey(rawRepresentation: point),
                let shared = try? own.sharedSecretFromKeyAgreement(with: other)
            else { return nil }
            self.init(shared, JSONObject(curve: "P-521", point: Array(own.publicKey.rawRepresentation)))
        case "X25519":
            let own = Curve25519.KeyAgreement.PrivateKey()
            guard let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes("x")),
                let shared = try? own.sharedSecretFromKeyAgreement(with: other)
            else { return nil }
            var members = JSONObject()
            members["kty"] = "OKP"
            members["crv"] = "X25519"
            members["x"] = .string(Base64URL.encode(Array(own.publicKey.rawRepresentation)))
            self.init(shared, members)
        default: return nil
        }
    }

    private init(_ shared: SharedSecret, _ ephemeralKey: JSONObject) {
        secret = shared.withUnsafeBytes { Array($0) }
        self.ephemeralKey = ephemeralKey
    }

    /// Derives a key for an algorithm (NIST SP 800-56A §5.8.1 with SHA-256, without the names of the parties).
    func key(for algorithm: String, size: Int) -> [UInt8] {
        let name = Array(algorithm.utf8)
        let none = UInt32(0).bigEndianBytes
        let info = UInt32(name.count).bigEndianBytes + name + none + none + UInt32(size * 8).bigEndianBytes
        var key: [UInt8] = []
        var round: UInt32 = 1
        while key.count < size {
            key += Array(SHA256.hash(data: round.bigEndianBytes + secret + info))
            round += 1
        }
        return Array(key.prefix(size))
    }
}
