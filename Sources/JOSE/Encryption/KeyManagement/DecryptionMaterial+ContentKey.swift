import Crypto

extension DecryptionMaterial {
    /// Decrypts a token's content key, or computes it; nil if that fails.
    ///
    /// - Parameter encryption: The algorithm of the content, whose name ECDH-ES needs.
    func contentKey(
        _ encryptedKey: [UInt8], _ algorithm: KeyManagementAlgorithm, _ parameters: KeyManagementParameters,
        for encryption: ContentEncryption, _ cipher: ContentCipher
    ) -> SymmetricKey? {
        switch (self, parameters) {
        case (.rsa(let key), .rsa(let padding)):
            key.decrypt(encryptedKey, padding).map { SymmetricKey(data: $0) }
        case (.agreement(let key), .agreement(let agreement)):
            if let length = agreement.wrappingKeyLength {
                agreement.key(with: key, algorithm: algorithm.rawValue, length: length).flatMap { Self.unwrap(encryptedKey, with: $0) }
            } else {
                agreement.key(with: key, algorithm: encryption.rawValue, length: cipher.keyLength)
            }
        case (.symmetric(let key), .keyWrap):
            Self.unwrap(encryptedKey, with: key)
        case (.symmetric(let key), .gcmKeyWrap(let length, let vector, let tag)):
            ContentCipher.gcm(keyLength: length)
                .open(SealedContent(initializationVector: vector, ciphertext: encryptedKey, tag: tag), with: key, authenticating: [])
                .map { SymmetricKey(data: $0) }
        case (.symmetric(let key), .direct): key
        default: nil
        }
    }

    private static func unwrap(_ encryptedKey: [UInt8], with key: SymmetricKey) -> SymmetricKey? {
        try? AES.KeyWrap.unwrap(encryptedKey, using: key)
    }
}

extension KeyManagementParameters.Agreement {
    fileprivate func key(with privateKey: KeyAgreementPrivateKey, algorithm: String, length: Int) -> SymmetricKey? {
        privateKey.sharedSecret(with: ephemeralKey).map {
            ConcatKDF.key(from: $0, algorithm: algorithm, partyU: partyU, partyV: partyV, length: length)
        }
    }
}
