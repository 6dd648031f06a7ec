import AuthHubPrimitives
import Crypto

/// An encrypted content with what is needed to decrypt it (RFC 7516 §5.1).
struct SealedContent: Sendable {
    let initializationVector: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]
}

/// The implementation of a ``ContentEncryption``. Lengths are in bytes.
enum ContentCipher: Hashable {
    case gcm(keyLength: Int)
    case cbc(CBCWithHMAC)

    var keyLength: Int {
        switch self {
        case .gcm(let keyLength): keyLength
        case .cbc(let cbc): 2 * cbc.partLength
        }
    }

    var initializationVectorLength: Int {
        switch self {
        case .gcm: 12
        case .cbc: 16
        }
    }

    var tagLength: Int {
        switch self {
        case .gcm: 16
        case .cbc(let cbc): cbc.partLength
        }
    }

    /// Whether all lengths that the algorithm fixes are right. (AES-GCM would accept other initialization vectors.)
    func accepts(_ content: SealedContent) -> Bool {
        content.initializationVector.count == initializationVectorLength && content.tag.count == tagLength
    }

    /// Decrypts the content; nil if the tag is not valid for the key and the authenticated data.
    func open(_ content: SealedContent, with key: SymmetricKey, authenticating data: [UInt8]) -> [UInt8]? {
        guard accepts(content), key.bitCount == keyLength * 8 else { return nil }
        switch self {
        case .gcm: return Self.openGCM(content, with: key, authenticating: data)
        case .cbc(let cbc): return cbc.open(content, with: key, authenticating: data)
        }
    }

    private static func openGCM(_ content: SealedContent, with key: SymmetricKey, authenticating data: [UInt8]) -> [UInt8]? {
        guard let nonce = try? AES.GCM.Nonce(data: content.initializationVector),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: content.ciphertext, tag: content.tag),
            let plaintext = try? AES.GCM.open(box, using: key, authenticating: data)
        else { return nil }
        return Array(plaintext)
    }
}

extension ContentCipher {
    /// Encrypts content with a random initialization vector.
    ///
    /// - Throws: An error of the crypto library if the key has the wrong length.
    func seal(_ plaintext: [UInt8], with key: SymmetricKey, authenticating data: [UInt8]) throws -> SealedContent {
        switch self {
        case .gcm:
            let box = try AES.GCM.seal(plaintext, using: key, authenticating: data)
            return SealedContent(
                initializationVector: Array(box.nonce), ciphertext: Array(box.ciphertext), tag: Array(box.tag))
        case .cbc(let cbc):
            let vector = randomBytes(count: initializationVectorLength)
            return try cbc.seal(plaintext, with: key, authenticating: data, initializationVector: vector)
        }
    }
}
