public import AuthHubPrimitives
import Crypto

/// A key that decrypts tokens: an RSA private key, an EC private key on P-256, P-384 or P-521, an X25519 private key, or a symmetric key.
public struct DecryptionKey: Sendable {
    /// The key's ID, `kid`; nil if it has none.
    public let keyID: String?

    /// The private or symmetric JSON Web Key, from which ``init(_:)`` creates the key again. Store it where credentials are stored.
    public let privateMembers: Secret<JSONObject>

    /// The public key, with `enc` as its use, to publish it or to register it at a server; nil if the key is symmetric.
    public let publicKey: JSONWebKey?

    let material: Secret<DecryptionMaterial>
    /// The `alg` of the key: the only algorithm that it can be used with; nil if there is no restriction.
    let algorithmName: String?
    /// The `key_ops` of the key; nil if there is no restriction.
    let operations: [String]?
    /// Whether the key also fits tokens with a key ID that it does not have.
    let fitsAnyKeyID: Bool

    /// Creates a key from a private or symmetric JSON Web Key (RFC 7517, RFC 7518 §6, RFC 8037 §2).
    ///
    /// An RSA key needs its primes `p` and `q`. A symmetric key needs the length that an algorithm has: 16, 24, 32, 48 or 64 bytes.
    ///
    /// - Throws: ``JOSEError`` with `.malformed` if a member is missing or has the wrong format, or with `.unusableKey` if the key is not
    ///   supported, is not safe to use, is not for encryption, or if its private and public members do not belong together.
    public init(_ privateMembers: Secret<JSONObject>) throws(JOSEError) {
        try self.init(privateMembers, fitsAnyKeyID: false)
    }

    init(_ privateMembers: Secret<JSONObject>, fitsAnyKeyID: Bool) throws(JOSEError) {
        let members = KeyMembers(privateMembers.reveal())
        guard try members.string("use") ?? "enc" == "enc" else {
            throw JOSEError(.unusableKey, "the use of the key is not enc")
        }
        keyID = try members.string("kid")
        algorithmName = try members.string("alg")
        operations = try members.strings("key_ops")
        material = Secret(try DecryptionMaterial(members))
        publicKey = try privateMembers.reveal().publicKeyForEncryption
        self.privateMembers = privateMembers
        self.fitsAnyKeyID = fitsAnyKeyID
    }
}

extension DecryptionKey {
    /// Whether the key is the one that a header asks for (RFC 7516 §5.2), as far as its members tell.
    func fits(_ header: JSONWebEncryption.Header) -> Bool {
        material.reveal().fits(header.parameters, header.cipher)
            && fits(keyID: header.keyID)
            && fits(header.algorithm, header.encryption)
            && fits(operationsFor: header.parameters)
    }

    private func fits(keyID other: String?) -> Bool {
        guard let other, !fitsAnyKeyID else { return true }
        return keyID.map { $0.hasSameBytes(as: other) } ?? false
    }

    private func fits(_ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption) -> Bool {
        guard let algorithmName else { return true }
        // The key of `dir` is a content key, and says so: its `alg` is usually the name of a content encryption (RFC 7520 §5.6.1).
        return algorithmName == algorithm.rawValue || algorithm == .direct && algorithmName == encryption.rawValue
    }

    private func fits(operationsFor parameters: KeyManagementParameters) -> Bool {
        guard let operations else { return true }
        let fitting =
            switch parameters {
            case .direct: ["decrypt"]
            case .agreement: ["deriveKey", "deriveBits"]
            default: ["unwrapKey", "decrypt"]
            }
        return operations.contains(where: fitting.contains)
    }
}

extension JSONObject {
    /// The public half of a private key, checked; nil if the key is symmetric.
    var publicKeyForEncryption: JSONWebKey? {
        get throws(JOSEError) {
            guard self["kty"] != "oct" else { return nil }
            var members = self
            // The operations of a private key are not those of the public key.
            for name in KeyMembers.privateNames + ["key_ops"] { members[name] = nil }
            members["use"] = "enc"
            return try JSONWebKey(members)
        }
    }
}
