package import AuthHubPrimitives
import Crypto

extension JSONWebEncryption {
    /// Encrypts content for the owner of a key (RFC 7516 §5.1).
    ///
    /// - Parameter contentType: The header's `cty`; `JWT` if the content is a signed token.
    /// - Throws: ``JOSEError`` with `.notAllowed` if an algorithm is not supported, or with `.unusableKey` if it does not fit the key.
    package static func encrypting(
        _ plaintext: Secret<[UInt8]>, for key: EncryptionKey, _ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption,
        contentType: String? = nil
    ) throws(JOSEError) -> Secret<String> {
        guard let method = algorithm.method, let cipher = encryption.cipher else {
            throw JOSEError(.notAllowed, "alg or enc is not supported")
        }
        guard key.algorithmName ?? algorithm.rawValue == algorithm.rawValue else {
            throw JOSEError(.unusableKey, "the key is for another algorithm")
        }
        var header = JSONObject()
        header["alg"] = .string(algorithm.rawValue)
        header["enc"] = .string(encryption.rawValue)
        header["kid"] = key.keyID.map(JSONValue.string)
        header["cty"] = contentType.map(JSONValue.string)
        do {
            let contentKey = try key.material.contentKey(method, cipher, &header)
            let protectedHeader = Base64URL.encode(JSONValue.object(header).serialized())
            let content = try cipher.seal(plaintext.reveal(), with: contentKey.key, authenticating: Array(protectedHeader.utf8))
            let parts = [contentKey.encrypted, content.initializationVector, content.ciphertext, content.tag]
            return Secret(([protectedHeader] + parts.map { Base64URL.encode($0) }).joined(separator: "."))
        } catch {
            throw JOSEError(.unusableKey, "the algorithm does not fit the key")
        }
    }
}

/// A content key, and what the recipient gets to compute it; empty if the recipient needs nothing.
private typealias ContentKey = (key: SymmetricKey, encrypted: [UInt8])

extension EncryptionMaterial {
    /// Generates or computes a content key, and adds the parameters of the algorithm to the header.
    ///
    /// - Throws: Any error if the method does not fit the key.
    fileprivate func contentKey(
        _ method: KeyManagementAlgorithm.Method, _ cipher: ContentCipher, _ header: inout JSONObject
    ) throws -> ContentKey {
        let random = SymmetricKey(size: SymmetricKeySize(bitCount: cipher.keyLength * 8))
        switch (self, method) {
        case (.rsa(let key), .rsa(let padding)):
            return (random, try key.encrypt(random.bytes, padding))
        case (.agreement(let key), .agreement(let length)):
            let agreed = try key.agreedKey(length: length ?? cipher.keyLength, for: length == nil ? "enc" : "alg", &header)
            return length == nil ? (agreed, []) : (random, Array(try AES.KeyWrap.wrap(random, using: agreed)))
        case (.symmetric(let key), .keyWrap(let length)) where key.bitCount == length * 8:
            return (random, Array(try AES.KeyWrap.wrap(random, using: key)))
        case (.symmetric(let key), .gcmKeyWrap(let length)) where key.bitCount == length * 8:
            let wrapped = try ContentCipher.gcm(keyLength: length).seal(random.bytes, with: key, authenticating: [])
            header["iv"] = .string(Base64URL.encode(wrapped.initializationVector))
            header["tag"] = .string(Base64URL.encode(wrapped.tag))
            return (random, wrapped.ciphertext)
        case (.symmetric(let key), .direct) where key.bitCount == cipher.keyLength * 8:
            return (key, [])
        default:
            throw CryptoKitError.incorrectKeySize
        }
    }
}

extension KeyAgreementPublicKey {
    /// Agrees on a key with a new ephemeral key, which is added to the header.
    ///
    /// - Parameter name: The header parameter whose value the derivation includes.
    fileprivate func agreedKey(length: Int, for name: String, _ header: inout JSONObject) throws -> SymmetricKey {
        guard let ephemeralKey = KeyAgreementPrivateKey(on: curve), let secret = ephemeralKey.sharedSecret(with: self) else {
            throw CryptoKitError.incorrectParameterSize
        }
        header["epk"] = .object(ephemeralKey.publicKey.members)
        return ConcatKDF.key(from: secret, algorithm: header[name]?.string ?? "", partyU: [], partyV: [], length: length)
    }
}

extension SymmetricKey {
    fileprivate var bytes: [UInt8] {
        withUnsafeBytes { Array($0) }
    }
}
