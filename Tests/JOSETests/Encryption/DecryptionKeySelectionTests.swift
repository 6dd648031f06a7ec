import AuthHubPrimitives
import JOSE
import Testing

/// Which keys are tried for a token.
struct DecryptionKeySelectionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The members that each key has besides the shared bytes.
        let keys: [JSONValue]
        var algorithm = KeyManagementAlgorithm.a128KW
        var encryption = ContentEncryption.a128GCM
        var keyID: String?
        /// nil if the token is decrypted.
        var error: JOSEError.Code?
    }

    private static let wrong: JSONValue = ["k": "AAAAAAAAAAAAAAAAAAAAAA"]

    @Test(arguments: [
        Row(testDescription: "no keys", keys: [], error: .noKey),
        Row(testDescription: "one key without members", keys: [[:]]),
        Row(testDescription: "ID45: no ID in the header", keys: [["kid": "a"]]),
        Row(testDescription: "the same ID", keys: [["kid": "a"]], keyID: "a"),
        Row(testDescription: "ID44: another ID", keys: [["kid": "b"]], keyID: "a", error: .noKey),
        Row(testDescription: "ID44: the key has no ID, but the header has one", keys: [[:]], keyID: "a", error: .noKey),
        Row(testDescription: "the IDs differ in bytes only", keys: [["kid": "e\u{301}"]], keyID: "é", error: .noKey),
        Row(testDescription: "the right one of two IDs", keys: [["kid": "b"], ["kid": "a"]], keyID: "a"),
        Row(testDescription: "ID46: the second of two keys without ID", keys: [wrong, [:]]),
        Row(testDescription: "ID46: the fourth of four keys", keys: [wrong, wrong, wrong, [:]]),
        Row(testDescription: "ID46: five keys that fit", keys: [[:], wrong, wrong, wrong, wrong], error: .ambiguousKey),
        Row(testDescription: "five keys, but only one fits", keys: Array(repeating: ["use": "enc", "alg": "A128GCMKW"], count: 4) + [[:]]),
        Row(testDescription: "two keys with the same ID", keys: [["kid": "a", "k": "AAAAAAAAAAAAAAAAAAAAAA"], ["kid": "a"]], keyID: "a"),
        Row(testDescription: "the same alg", keys: [["alg": "A128KW"]]),
        Row(testDescription: "another alg", keys: [["alg": "A128GCMKW"]], error: .noKey),
        Row(testDescription: "an alg of another case", keys: [["alg": "a128kw"]], error: .noKey),
        Row(testDescription: "the key's alg is the enc, but the algorithm is not dir", keys: [["alg": "A128GCM"]], error: .noKey),
        Row(testDescription: "dir: the key's alg is the enc", keys: [["alg": "A128GCM"]], algorithm: .direct),
        Row(testDescription: "dir: the key's alg is dir", keys: [["alg": "dir"]], algorithm: .direct),
        Row(testDescription: "dir: the key's alg is another enc", keys: [["alg": "A256GCM"]], algorithm: .direct, error: .noKey),
        Row(
            testDescription: "dir: a key of another length", keys: [["k": .string(String(repeating: "A", count: 43))]], algorithm: .direct,
            error: .noKey),
        Row(testDescription: "a key of another length", keys: [["k": .string(String(repeating: "A", count: 43))]], error: .noKey),
        Row(testDescription: "ID48: key_ops has unwrapKey", keys: [["key_ops": ["wrapKey", "unwrapKey"]]]),
        Row(testDescription: "ID48: key_ops has wrapKey only", keys: [["key_ops": ["wrapKey"]]], error: .noKey),
        Row(testDescription: "ID48: key_ops is empty", keys: [["key_ops": []]], error: .noKey),
        Row(testDescription: "ID48: dir needs decrypt", keys: [["key_ops": ["unwrapKey"]]], algorithm: .direct, error: .noKey),
        Row(testDescription: "ID48: dir with decrypt", keys: [["key_ops": ["decrypt"]]], algorithm: .direct),
        Row(testDescription: "ID11: an EC key for A128KW", keys: [TestDecryptionKeys.bob], error: .noKey),
    ])
    func `tries the keys that fit`(row: Row) throws {
        let bytes = Array<UInt8>(0..<16)
        let keys = try row.keys.map { others in
            let members = try #require(others.object)
            if members["k"] == nil && members["kty"] == nil { return try TestDecryptionKeys.symmetric(bytes, others) }
            return try key(members)
        }
        var sender: JSONValue = [:]
        if let keyID = row.keyID { sender = ["kid": .string(keyID)] }
        let token = try encrypt("content", for: TestDecryptionKeys.symmetric(bytes, sender), row.algorithm, row.encryption)
        if let code = row.error {
            #expect(error { () throws(JOSEError) in try decrypt(token, keys) }?.code == code)
        } else {
            #expect(try decrypt(token, keys) == "content")
        }
    }

    private func key(_ members: JSONObject) throws -> DecryptionKey {
        var members = members
        if members["kty"] == nil { members["kty"] = "oct" }
        return try DecryptionKey(Secret(members))
    }

    @Test(arguments: [Curve.p384, .p521, .x25519].map(\.rawValue))
    func `a key on a different curve than epk does not fit`(curve: String) throws {
        let other = try TestDecryptionKeys.key(for: .ecdhES, .a128GCM, on: #require(Curve(rawValue: curve)))
        let token = try encrypt(for: TestDecryptionKeys.key(for: .ecdhES, .a128GCM), .ecdhES, .a128GCM)
        #expect(error { () throws(JOSEError) in try decrypt(token, [other]) }?.code == .noKey)
    }

    struct PolicyRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let policy: DecryptionPolicy
        var isAllowed = false
    }

    @Test(
        "ID06: the policy is checked before keys are",
        arguments: [
            PolicyRow(
                testDescription: "both", policy: DecryptionPolicy(keyManagement: [.a128KW, .ecdhES], contentEncryption: [.a128GCM]),
                isAllowed: true),
            PolicyRow(testDescription: "another alg", policy: DecryptionPolicy(keyManagement: [.ecdhES], contentEncryption: [.a128GCM])),
            PolicyRow(testDescription: "another enc", policy: DecryptionPolicy(keyManagement: [.a128KW], contentEncryption: [.a256GCM])),
            PolicyRow(testDescription: "nothing", policy: DecryptionPolicy(keyManagement: [], contentEncryption: [])),
        ])
    func policy(row: PolicyRow) throws {
        let key = try TestDecryptionKeys.symmetric(Array(0..<16))
        let token = try encrypt(for: key, .a128KW, .a128GCM)
        if row.isAllowed {
            #expect(throws: Never.self) { try decrypt(token, [key], allowing: row.policy) }
        } else {
            #expect(error { () throws(JOSEError) in try decrypt(token, [], allowing: row.policy) }?.code == .notAllowed)
        }
    }
}
