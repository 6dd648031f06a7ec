import AuthHubPrimitives
import Crypto
import CryptoExtras

/// AES-CBC with a truncated HMAC over everything (RFC 7518 §5.2). The case is the hash function of the HMAC.
enum CBCWithHMAC: Hashable {
    case sha256, sha384, sha512

    /// The length of the MAC key, of the encryption key, and of the tag, in bytes.
    var partLength: Int {
        switch self {
        case .sha256: 16
        case .sha384: 24
        case .sha512: 32
        }
    }

    /// Checks the tag, in constant time, and only then decrypts; nil if either fails.
    func open(_ content: SealedContent, with key: SymmetricKey, authenticating data: [UInt8]) -> [UInt8]? {
        let keys = parts(of: key)
        let expected = tag(over: data, content.initializationVector, content.ciphertext, with: keys.mac)
        guard constantTimeEqual(expected, content.tag),
            let vector = try? AES._CBC.IV(ivBytes: content.initializationVector),
            let plaintext = try? AES._CBC.decrypt(content.ciphertext, using: keys.encryption, iv: vector)
        else { return nil }
        return Array(plaintext)
    }

    func seal(
        _ plaintext: [UInt8], with key: SymmetricKey, authenticating data: [UInt8], initializationVector vector: [UInt8]
    ) throws -> SealedContent {
        let keys = parts(of: key)
        let ciphertext = Array(try AES._CBC.encrypt(plaintext, using: keys.encryption, iv: AES._CBC.IV(ivBytes: vector)))
        return SealedContent(
            initializationVector: vector, ciphertext: ciphertext, tag: tag(over: data, vector, ciphertext, with: keys.mac))
    }

    private func parts(of key: SymmetricKey) -> (mac: SymmetricKey, encryption: SymmetricKey) {
        key.withUnsafeBytes { bytes in
            (SymmetricKey(data: Array(bytes.prefix(partLength))), SymmetricKey(data: Array(bytes.dropFirst(partLength))))
        }
    }

    private func tag(over data: [UInt8], _ vector: [UInt8], _ ciphertext: [UInt8], with key: SymmetricKey) -> [UInt8] {
        let authenticated = data + vector + ciphertext + (UInt64(data.count) * 8).bigEndianBytes
        let code =
            switch self {
            case .sha256: Array(HMAC<SHA256>.authenticationCode(for: authenticated, using: key))
            case .sha384: Array(HMAC<SHA384>.authenticationCode(for: authenticated, using: key))
            case .sha512: Array(HMAC<SHA512>.authenticationCode(for: authenticated, using: key))
            }
        return Array(code.prefix(partLength))
    }
}
