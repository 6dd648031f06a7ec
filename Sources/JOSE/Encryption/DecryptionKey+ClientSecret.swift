package import AuthHubPrimitives

extension DecryptionKey {
    /// Derives a symmetric key from a client secret (OpenID Connect Core §10.2): the left part of a SHA-2 hash of the secret.
    ///
    /// The key fits tokens with any key ID, because the server cannot have given it one.
    ///
    /// - Parameters:
    ///   - algorithm: `A*KW`, `A*GCMKW` or `dir`.
    ///   - encryption: The algorithm of the content. Its keys have the length of the derived key if the algorithm is `dir`.
    /// - Throws: ``JOSEError`` with `.notAllowed` if the algorithm does not use a symmetric key, or is not supported.
    package init(
        clientSecret: Secret<String>, for algorithm: KeyManagementAlgorithm, with encryption: ContentEncryption
    ) throws(JOSEError) {
        let length: Int? =
            switch algorithm.method {
            case .keyWrap(let length), .gcmKeyWrap(let length): length
            case .direct: encryption.cipher?.keyLength
            default: nil
            }
        guard let length else { throw JOSEError(.notAllowed, "the algorithm is not supported, or has no symmetric key") }
        let hash: HashAlgorithm =
            switch length {
            case ...32: .sha256
            case ...48: .sha384
            default: .sha512
            }
        let digest = hash.digest(of: clientSecret)
        let members: JSONValue = [
            "kty": "oct", "k": .string(Base64URL.encode(digest.prefix(length))), "use": "enc", "alg": .string(algorithm.rawValue),
        ]
        try self.init(Secret(members.object ?? JSONObject()), fitsAnyKeyID: true)
    }
}
