import AuthHubPrimitives

extension DecryptionKey {
    /// Generates a key: RSA with 3,072 bits, or EC on P-256.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm that the key is for. The key has it as `alg`, so it decrypts no token with another algorithm.
    ///   - keyID: The key's ID; the key's thumbprint (RFC 7638) if nil.
    /// - Throws: ``JOSEError`` with `.notAllowed` if the algorithm uses a symmetric key, because servers derive those from the client secret.
    public static func generate(_ algorithm: KeyManagementAlgorithm, keyID: String? = nil) throws(JOSEError) -> Self {
        try generate(algorithm, on: .p256, keyID: keyID)
    }

    package static func generate(
        _ algorithm: KeyManagementAlgorithm, on curve: Curve, keyID: String? = nil
    ) throws(JOSEError) -> Self {
        var members: JSONObject
        switch algorithm.method {
        case .rsa: members = try RSADecryptionKey.generatedMembers()
        case .agreement:
            guard let key = KeyAgreementPrivateKey(on: curve) else {
                throw JOSEError(.notAllowed, "the curve is not one for key agreement")
            }
            members = key.publicKey.members
            members["d"] = .string(Base64URL.encode(key.bytes))
        default: throw JOSEError(.notAllowed, "the algorithm is not supported, or has no key pair")
        }
        members["use"] = "enc"
        members["alg"] = .string(algorithm.rawValue)
        if let keyID {
            members["kid"] = .string(keyID)
        } else {
            members["kid"] = try members.publicKeyForEncryption.map { .string($0.thumbprint) }
        }
        return try Self(Secret(members))
    }
}
