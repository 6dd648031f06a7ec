import AuthHubPrimitives
import JOSE
import Testing

struct EncryptionRoundTripTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let algorithm: KeyManagementAlgorithm
        let encryption: ContentEncryption
        var curve = Curve.p256

        var testDescription: String { "\(algorithm.rawValue), \(encryption.rawValue), \(curve.rawValue)" }
    }

    static let rows =
        KeyManagementAlgorithm.supported.flatMap { algorithm in
            ContentEncryption.supported.map { Row(algorithm: algorithm, encryption: $0) }
        }
        + [Curve.p384, .p521, .x25519].flatMap { curve in
            [
                Row(algorithm: .ecdhES, encryption: .a128GCM, curve: curve),
                Row(algorithm: .ecdhES, encryption: .a256CBCHS512, curve: curve),
                Row(algorithm: .ecdhESA256KW, encryption: .a128CBCHS256, curve: curve),
            ]
        }

    @Test(arguments: rows) func `decrypts what it encrypts`(row: Row) throws {
        let key = try TestDecryptionKeys.key(for: row.algorithm, row.encryption, on: row.curve)
        let content = Array("content with a zero \0 and an é".utf8)
        let token = try JSONWebEncryption.encrypting(
            Secret(content), for: EncryptionKey(key), row.algorithm, row.encryption, contentType: "JWT")
        let parsed = try JSONWebEncryption(token)
        #expect(parsed.header.algorithm == row.algorithm)
        #expect(parsed.header.encryption == row.encryption)
        #expect(parsed.header.keyID == "key")
        #expect(parsed.header.contentType == "JWT")
        let policy = DecryptionPolicy(keyManagement: [row.algorithm], contentEncryption: [row.encryption])
        #expect(try parsed.decrypted(by: [key], allowing: policy).reveal() == content)
    }

    @Test(arguments: ContentEncryption.supported.map(\.rawValue), [0, 1, 15, 16, 17, 1000])
    func `preserves content of any length`(encryption: String, length: Int) throws {
        let encryption = ContentEncryption(rawValue: encryption)
        let key = try TestDecryptionKeys.key(for: .direct, encryption)
        let content = String(repeating: "a", count: length)
        #expect(try decrypt(encrypt(content, for: key, .direct, encryption), [key]) == content)
    }

    @Test(arguments: ["ECDH-ES", "A128KW", "A128GCMKW"]) func `encrypts differently each time`(algorithm: String) throws {
        let algorithm = KeyManagementAlgorithm(rawValue: algorithm)
        let key = try TestDecryptionKeys.key(for: algorithm, .a128CBCHS256)
        let (first, second) = try (
            TokenParts(encrypt(for: key, algorithm, .a128CBCHS256)), TokenParts(encrypt(for: key, algorithm, .a128CBCHS256))
        )
        #expect(first.initializationVector != second.initializationVector)
        #expect(first.ciphertext != second.ciphertext)
        #expect(first.header != second.header || algorithm == .a128KW)
    }

    struct Misuse: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: @Sendable () throws -> DecryptionKey
        let algorithm: KeyManagementAlgorithm
        var encryption = ContentEncryption.a128GCM
        var code = JOSEError.Code.unusableKey
    }

    @Test(arguments: [
        Misuse(testDescription: "RSA with an EC key", key: { try TestDecryptionKeys.key(for: .ecdhES, .a128GCM) }, algorithm: .rsaOAEP),
        Misuse(
            testDescription: "ECDH-ES with an RSA key", key: { try TestDecryptionKeys.key(for: .rsaOAEP, .a128GCM) }, algorithm: .ecdhES),
        Misuse(testDescription: "a key that is too short", key: { try TestDecryptionKeys.symmetric(Array(0..<16)) }, algorithm: .a256KW),
        Misuse(testDescription: "a key that is too long", key: { try TestDecryptionKeys.symmetric(Array(0..<32)) }, algorithm: .a128GCMKW),
        Misuse(
            testDescription: "dir with a key of another length", key: { try TestDecryptionKeys.symmetric(Array(0..<16)) },
            algorithm: .direct,
            encryption: .a128CBCHS256),
        Misuse(testDescription: "a key for another algorithm", key: { try DecryptionKey.generate(.ecdhESA128KW) }, algorithm: .ecdhES),
        Misuse(
            testDescription: "RSA1_5", key: { try TestDecryptionKeys.key(for: .rsaOAEP, .a128GCM) },
            algorithm: KeyManagementAlgorithm(rawValue: "RSA1_5"),
            code: .notAllowed),
        Misuse(
            testDescription: "an unknown content encryption", key: { try TestDecryptionKeys.symmetric(Array(0..<16)) }, algorithm: .a128KW,
            encryption: ContentEncryption(rawValue: "A128CBC"), code: .notAllowed),
    ])
    func `does not encrypt with an algorithm that does not fit`(row: Misuse) throws {
        let key = try row.key()
        #expect(error { () throws(JOSEError) in try encrypt(for: key, row.algorithm, row.encryption) }?.code == row.code)
    }

    @Test func `does not encrypt for a key that is for signatures`() throws {
        var members = try #require(TestDecryptionKeys.key(for: .ecdhES, .a128GCM).publicKey).publicMembers
        members["use"] = "sig"
        let key = try JSONWebKey(members)
        #expect(error { () throws(JOSEError) in try EncryptionKey(key) }?.code == .unusableKey)
    }
}
