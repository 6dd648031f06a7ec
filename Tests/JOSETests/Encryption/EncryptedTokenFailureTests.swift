import AuthHubPrimitives
import Crypto
import Testing

@testable import JOSE

/// ID58: all failures of a key or a tag are the same error.
struct EncryptedTokenFailureTests {
    static let failure = JOSEError(.decryptionFailed, "the token cannot be decrypted")

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let algorithm: KeyManagementAlgorithm
        var encryption = ContentEncryption.a128CBCHS256
        let change: @Sendable (inout TokenParts) -> Void
    }

    static let parts: [(name: String, change: @Sendable (inout TokenParts) -> Void)] = [
        ("the first byte of the encrypted key", { $0.encryptedKey.flip(0) }),
        ("the last byte of the encrypted key", { $0.encryptedKey.flip($0.encryptedKey.count - 1) }),
        ("an encrypted key without its last byte", { $0.encryptedKey.removeLast() }),
        ("an encrypted key with one more byte", { $0.encryptedKey.append(0) }),
        ("an encrypted key of one byte", { $0.encryptedKey = [0] }),
        ("an encrypted key of zeros", { $0.encryptedKey = Array(repeating: 0, count: $0.encryptedKey.count) }),
        ("an encrypted key of 255s", { $0.encryptedKey = Array(repeating: 255, count: $0.encryptedKey.count) }),
        ("the initialization vector", { $0.initializationVector.flip(3) }),
        ("the first byte of the ciphertext", { $0.ciphertext.flip(0) }),
        ("the last byte of the ciphertext", { $0.ciphertext.flip($0.ciphertext.count - 1) }),
        ("no ciphertext", { $0.ciphertext = [] }),
        ("a ciphertext that is not whole blocks", { $0.ciphertext.removeLast() }),
        ("the first byte of the tag", { $0.tag.flip(0) }),
        ("the last byte of the tag", { $0.tag.flip($0.tag.count - 1) }),
        ("the header, which the tag authenticates", { $0.header["x"] = 1 }),
    ]

    static let rows = KeyManagementAlgorithm.supported.flatMap { algorithm in
        [ContentEncryption.a128CBCHS256, .a256GCM].flatMap { encryption in
            parts.enumerated()
                .filter { $0.offset > 6 || ![.direct, .ecdhES].contains(algorithm) }
                .map { part in
                    Row(
                        testDescription: "\(algorithm.rawValue), \(encryption.rawValue): \(part.element.name)", algorithm: algorithm,
                        encryption: encryption, change: part.element.change)
                }
        }
    }

    @Test("ID58: there is one error for every change", arguments: rows)
    func oneError(row: Row) throws {
        let key = try TestDecryptionKeys.key(for: row.algorithm, row.encryption)
        var parts = try TokenParts(encrypt(for: key, row.algorithm, row.encryption))
        row.change(&parts)
        #expect(throws: Self.failure) { try decrypt(parts.token, [key]) }
    }

    @Test("ID58: the error does not say whether the right key was there", arguments: KeyManagementAlgorithm.supported.map(\.rawValue))
    func wrongKey(algorithm: String) throws {
        let algorithm = KeyManagementAlgorithm(rawValue: algorithm)
        let token = try encrypt(for: TestDecryptionKeys.key(for: algorithm, .a128GCM), algorithm, .a128GCM)
        let other: DecryptionKey =
            switch algorithm.method {
            case .rsa: try TestDecryptionKeys.otherRSA.get()
            case .agreement: try TestDecryptionKeys.key(for: algorithm, .a128GCM)
            default:
                try DecryptionKey(
                    Secret(
                        TestDecryptionKeys.members(
                            of: DecryptionKey(clientSecret: Secret("another secret"), for: algorithm, with: .a128GCM), without: "alg")))
            }
        #expect(throws: Self.failure) { try decrypt(token, [other]) }
        #expect(throws: Never.self) { try JSONWebEncryption(token) }
    }

    @Test("ID58: a content key of another length is the same error, even if it was wrapped correctly", arguments: [1, 15, 17, 24, 32, 64])
    func lengthOfContentKey(length: Int) throws {
        let key = try TestDecryptionKeys.rsa.get()
        var parts = try TokenParts(encrypt(for: key, .rsaOAEP256, .a128GCM))
        guard case .rsa(let publicKey) = try EncryptionKey(key).material else {
            Issue.record("not an RSA key")
            return
        }
        parts.encryptedKey = try publicKey.encrypt(Array(repeating: 7, count: length), .sha256)
        #expect(throws: Self.failure) { try decrypt(parts.token, [key]) }
    }

    @Test("ID58: wrong padding of a content with a valid tag is the same error", arguments: [0, 2, 17, 255])
    func padding(last: UInt8) throws {
        let key = try TestDecryptionKeys.symmetric(Array(0..<32))
        let header = Base64URL.encode(#"{"alg":"dir","enc":"A128CBC-HS256"}"#.utf8)
        let block = Array(repeating: UInt8(1), count: 15) + [last]
        // Encrypting adds a block of padding. Without it, the last block has another padding.
        let shared = SymmetricKey(data: Array<UInt8>(0..<32))
        let vector = Array(repeating: UInt8(9), count: 16)
        let whole = try CBCWithHMAC.sha256.seal(block, with: shared, authenticating: Array(header.utf8), initializationVector: vector)
        let ciphertext = Array(whole.ciphertext.prefix(16))
        let signed = Array(header.utf8) + vector + ciphertext + (UInt64(header.utf8.count) * 8).bigEndianBytes
        let tag = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: Array<UInt8>(0..<16))).prefix(16)
        let token = Secret(([header, ""] + [vector, ciphertext, Array(tag)].map { Base64URL.encode($0) }).joined(separator: "."))
        #expect(throws: Self.failure) { try decrypt(token, [key]) }
    }

    /// The coordinates of points of small order (RFC 7748 §6.1), in hexadecimal.
    static let smallOrder = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    @Test("JK15: rejects a token whose secret is zero, which anyone can create for any X25519 key", arguments: smallOrder)
    func zeroSecret(point: String) throws {
        let key = try TestDecryptionKeys.key(for: .ecdhES, .a128GCM, on: .x25519)
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(point.dropFirst($0).prefix(2), radix: 16) }
        var header = JSONObject()
        header["alg"] = "ECDH-ES"
        header["enc"] = "A128GCM"
        header["epk"] = ["kty": "OKP", "crv": "X25519", "x": .string(Base64URL.encode(bytes))]
        let encoded = Base64URL.encode(JSONValue.object(header).serialized())
        let contentKey = ConcatKDF.key(
            from: Array(repeating: 0, count: 32), algorithm: "A128GCM", partyU: [], partyV: [], length: 16)
        let content = try ContentCipher.gcm(keyLength: 16).seal(Array("forged".utf8), with: contentKey, authenticating: Array(encoded.utf8))
        let parts = [[], content.initializationVector, content.ciphertext, content.tag].map { Base64URL.encode($0) }
        #expect(throws: Self.failure) { try decrypt(Secret(([encoded] + parts).joined(separator: ".")), [key]) }
    }

    @Test func `rejects a token if any of its characters is changed`() throws {
        let key = try TestDecryptionKeys.symmetric(Array(0..<16))
        let token = try encrypt(for: key, .a128KW, .a128CBCHS256).reveal()
        let characters = Array(token.utf8)
        for index in characters.indices {
            for other in "AQx_." where characters[index] != other.asciiValue {
                var changed = characters
                changed[index] = other.asciiValue ?? 0
                let text = Secret(String(decoding: changed, as: UTF8.self))
                #expect(throws: JOSEError.self, "character \(index)") { try decrypt(text, [key]) }
            }
        }
    }

    @Test func `rejects a token if it is cut off anywhere`() throws {
        let key = try TestDecryptionKeys.key(for: .ecdhESA128KW, .a128GCM)
        let token = try encrypt(for: key, .ecdhESA128KW, .a128GCM).reveal()
        for length in 0..<token.count {
            #expect(throws: JOSEError.self, "\(length) characters") { try decrypt(Secret(String(token.prefix(length))), [key]) }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func flip(_ index: Int) {
        if indices.contains(index) { self[index] ^= 1 }
    }
}
