import AuthHubPrimitives
import Crypto
import CryptoExtras

/// An algorithm for encrypting the content of a token, by its name in RFC 7518 §5.1.
package enum ContentCipher: String, Sendable, Hashable, CaseIterable {
    case a128CBC = "A128CBC-HS256"
    case a192CBC = "A192CBC-HS384"
    case a256CBC = "A256CBC-HS512"
    case a128GCM = "A128GCM"
    case a192GCM = "A192GCM"
    case a256GCM = "A256GCM"
}

extension ContentCipher {
    struct Sealed {
        let initializationVector: [UInt8]
        let ciphertext: [UInt8]
        let tag: [UInt8]
    }

    /// The number of bytes of its key.
    var keySize: Int {
        switch self {
        case .a128GCM: 16
        case .a192GCM: 24
        case .a128CBC, .a256GCM: 32
        case .a192CBC: 48
        case .a256CBC: 64
        }
    }

    /// Encrypts content, and authenticates additional data.
    func seal(_ content: [UInt8], key: [UInt8], authenticating data: [UInt8]) -> Sealed? {
        switch self {
        case .a128GCM, .a192GCM, .a256GCM: Self.sealWithGCM(content, key: key, authenticating: data)
        case .a128CBC: sealWithCBC(content, key: key, authenticating: data) { HMAC<SHA256>.code(of: $0, key: $1) }
        case .a192CBC: sealWithCBC(content, key: key, authenticating: data) { HMAC<SHA384>.code(of: $0, key: $1) }
        case .a256CBC: sealWithCBC(content, key: key, authenticating: data) { HMAC<SHA512>.code(of: $0, key: $1) }
        }
    }

    /// RFC 7518 §5.3.
    static func sealWithGCM(_ content: [UInt8], key: [UInt8], authenticating data: [UInt8] = []) -> Sealed? {
        let vector = randomBytes(count: 12)
        guard let nonce = try? AES.GCM.Nonce(data: vector),
            let box = try? AES.GCM.seal(content, using: SymmetricKey(data: key), nonce: nonce, authenticating: data)
        else { return nil }
        return Sealed(initializationVector: vector, ciphertext: Array(box.ciphertext), tag: Array(box.tag))
    }

    /// RFC 7518 §5.2.2.1: the first half of the key is for the MAC, the second half for the encryption.
    private func sealWithCBC(
        _ content: [UInt8], key: [UInt8], authenticating data: [UInt8], mac: (_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8]
    ) -> Sealed? {
        let half = key.count / 2
        let vector = randomBytes(count: 16)
        guard let iv = try? AES._CBC.IV(ivBytes: vector),
            let encrypted = try? AES._CBC.encrypt(content, using: SymmetricKey(data: Array(key.suffix(half))), iv: iv)
        else { return nil }
        let ciphertext = Array(encrypted)
        let bits = UInt64(data.count) * 8
        let code = mac(data + vector + ciphertext + bits.bigEndianBytes, Array(key.prefix(half)))
        return Sealed(initializationVector: vector, ciphertext: ciphertext, tag: Array(code.prefix(half)))
    }
}

extension HMAC {
    fileprivate static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        Array(authenticationCode(for: bytes, using: SymmetricKey(data: key)))
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
