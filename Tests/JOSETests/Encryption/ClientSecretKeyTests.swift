import AuthHubPrimitives
import JOSE
import Testing

/// Symmetric keys from a client secret (OpenID Connect Core §10.2).
struct ClientSecretKeyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let algorithm: KeyManagementAlgorithm
        let encryption: ContentEncryption
        let key: String

        var testDescription: String { "\(algorithm.rawValue), \(encryption.rawValue)" }
    }

    static let secret = Secret("correct horse battery staple é")

    /// Computed with Python's hashlib.
    private static let sha256 = "TiykQamqqsoNtL9Gf7jOw0Omflu3r9OmNOGhtAiuwFk"
    private static let first24 = "TiykQamqqsoNtL9Gf7jOw0Omflu3r9Om"
    private static let first16 = "TiykQamqqsoNtL9Gf7jOww"
    private static let sha384 = "-280mSIhTYbRsbF6c44weVEUp0baWG4TNEmugmZ73ytfHkwWW3DTYEekvLvHeP6q"
    private static let sha512 = "To5FFIFTIM1VoufQ0Q_U-mqHzMl_ULw2XdXuz-0hyE3aixag_CNNIVIs69N9FP1Pmsj4PT57oh1tiax1nuGe2w"

    @Test(arguments: [
        Row(algorithm: .a128KW, encryption: .a256CBCHS512, key: first16),
        Row(algorithm: .a192KW, encryption: .a128GCM, key: first24),
        Row(algorithm: .a256KW, encryption: .a128GCM, key: sha256),
        Row(algorithm: .a128GCMKW, encryption: .a128GCM, key: first16),
        Row(algorithm: .a192GCMKW, encryption: .a128GCM, key: first24),
        Row(algorithm: .a256GCMKW, encryption: .a128GCM, key: sha256),
        Row(algorithm: .direct, encryption: .a128GCM, key: first16),
        Row(algorithm: .direct, encryption: .a192GCM, key: first24),
        Row(algorithm: .direct, encryption: .a256GCM, key: sha256),
        Row(algorithm: .direct, encryption: .a128CBCHS256, key: sha256),
        Row(algorithm: .direct, encryption: .a192CBCHS384, key: sha384),
        Row(algorithm: .direct, encryption: .a256CBCHS512, key: sha512),
    ])
    func `derives a key of the length that the algorithm needs`(row: Row) throws {
        let key = try DecryptionKey(clientSecret: Self.secret, for: row.algorithm, with: row.encryption)
        #expect(key.privateMembers.reveal()["k"] == .string(row.key))
        let server = try TestDecryptionKeys.symmetric(text: row.key)
        #expect(try decrypt(encrypt("content", for: server, row.algorithm, row.encryption), [key]) == "content")
    }

    @Test(arguments: ["RSA-OAEP", "ECDH-ES", "ECDH-ES+A128KW", "RSA1_5", "PBES2-HS256+A128KW", "HS256"])
    func `derives no key for other algorithms`(algorithm: String) {
        let failure = error { () throws(JOSEError) in
            try DecryptionKey(clientSecret: Self.secret, for: KeyManagementAlgorithm(rawValue: algorithm), with: .a128GCM)
        }
        #expect(failure?.code == .notAllowed)
    }

    @Test func `derives no key for an unknown content encryption`() {
        let failure = error { () throws(JOSEError) in
            try DecryptionKey(clientSecret: Self.secret, for: .direct, with: ContentEncryption(rawValue: "A512GCM"))
        }
        #expect(failure?.code == .notAllowed)
    }

    @Test func `the key fits a token with any key ID, but only its algorithm`() throws {
        let key = try DecryptionKey(clientSecret: Self.secret, for: .a128KW, with: .a128GCM)
        let server = try TestDecryptionKeys.symmetric(text: Self.first16, ["kid": "chosen by the server"])
        #expect(try decrypt(encrypt("content", for: server, .a128KW, .a128GCM), [key]) == "content")
        let other = try encrypt(for: server, .a128GCMKW, .a128GCM)
        #expect(error { () throws(JOSEError) in try decrypt(other, [key]) }?.code == .noKey)
    }
}
