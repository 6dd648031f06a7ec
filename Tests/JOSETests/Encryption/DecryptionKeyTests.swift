import AuthHubPrimitives
import JOSE
import Testing

struct DecryptionKeyTests {
    enum Kind: String, CaseIterable {
        case rsa, ec, x25519, oct

        func members() throws -> JSONObject {
            switch self {
            case .rsa: return try TestDecryptionKeys.rsa.get().privateMembers.reveal()
            case .ec: return try #require(TestDecryptionKeys.bob.object)
            case .x25519:
                let key: JSONValue = [
                    "kty": "OKP", "crv": "X25519", "x": "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08",
                    "d": "XasIfmJKikt54X-Lg4AO5m87sSkmGLb9HC-LJ_-I4Os",
                ]
                return try #require(key.object)
            case .oct: return try #require((["kty": "oct", "k": "GawgguFyGrWKav7AX4VKUg"] as JSONValue).object)
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: Kind
        var changes: [String: JSONValue?] = [:]
        var code = JOSEError.Code.malformed
    }

    @Test(arguments: [
        Row(testDescription: "no type", kind: .ec, changes: ["kty": nil]),
        Row(testDescription: "an unknown type", kind: .ec, changes: ["kty": "AKP"], code: .unusableKey),
        Row(testDescription: "EC without d", kind: .ec, changes: ["d": nil]),
        Row(testDescription: "EC without y", kind: .ec, changes: ["y": nil]),
        Row(testDescription: "EC with a short d", kind: .ec, changes: ["d": "AQAB"]),
        Row(
            testDescription: "EC with another d", kind: .ec, changes: ["d": "VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqd0"],
            code: .unusableKey
        ),
        Row(testDescription: "EC with d = 0", kind: .ec, changes: ["d": .string(String(repeating: "A", count: 43))], code: .unusableKey),
        Row(
            testDescription: "EC with d beyond the order", kind: .ec, changes: ["d": .string(String(repeating: "_", count: 42) + "8")],
            code: .unusableKey),
        Row(testDescription: "EC on another curve", kind: .ec, changes: ["crv": "P-384"]),
        Row(testDescription: "EC on secp256k1", kind: .ec, changes: ["crv": "secp256k1"], code: .unusableKey),
        Row(testDescription: "X25519 without d", kind: .x25519, changes: ["d": nil]),
        Row(
            testDescription: "X25519 with another d", kind: .x25519, changes: ["d": "VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw"],
            code: .unusableKey),
        Row(testDescription: "Ed25519", kind: .x25519, changes: ["crv": "Ed25519"], code: .unusableKey),
        Row(testDescription: "oct without k", kind: .oct, changes: ["k": nil]),
        Row(testDescription: "oct of no bytes", kind: .oct, changes: ["k": ""], code: .unusableKey),
        Row(testDescription: "oct of 15 bytes", kind: .oct, changes: ["k": "AAAAAAAAAAAAAAAAAAAA"], code: .unusableKey),
        Row(testDescription: "oct with padding", kind: .oct, changes: ["k": "AAAAAAAAAAAAAAAAAAAAAA=="]),
        Row(testDescription: "RSA without d", kind: .rsa, changes: ["d": nil]),
        Row(testDescription: "RSA without p", kind: .rsa, changes: ["p": nil]),
        Row(testDescription: "RSA without q", kind: .rsa, changes: ["q": nil]),
        Row(testDescription: "RSA with p = 0", kind: .rsa, changes: ["p": "AA"]),
        Row(testDescription: "RSA with p = 1", kind: .rsa, changes: ["p": "AQ"], code: .unusableKey),
        Row(testDescription: "RSA with p = 2", kind: .rsa, changes: ["p": "Ag"], code: .unusableKey),
        Row(testDescription: "RSA with p and q that do not belong to n", kind: .rsa, changes: ["p": "Cw", "q": "DQ"], code: .unusableKey),
        Row(testDescription: "RSA with another d", kind: .rsa, changes: ["d": "AQAB"], code: .unusableKey),
        Row(testDescription: "RSA with an even n", kind: .rsa, changes: ["n": "Ag"], code: .unusableKey),
        Row(testDescription: "RSA with e = 1", kind: .rsa, changes: ["e": "AQ"], code: .unusableKey),
        Row(
            testDescription: "ID12: RSA with 1024 bits", kind: .rsa, changes: ["n": .string(String(repeating: "_", count: 170) + "8")],
            code: .unusableKey),
        Row(testDescription: "RSA with three primes", kind: .rsa, changes: ["oth": [["r": "Aw"]]], code: .unusableKey),
        Row(testDescription: "ID48: for signatures", kind: .oct, changes: ["use": "sig"], code: .unusableKey),
        Row(testDescription: "use is not a string", kind: .oct, changes: ["use": ["enc"]]),
        Row(testDescription: "alg is not a string", kind: .oct, changes: ["alg": 1]),
        Row(testDescription: "kid is not a string", kind: .oct, changes: ["kid": 1]),
        Row(testDescription: "key_ops is not an array", kind: .oct, changes: ["key_ops": "decrypt"]),
        Row(testDescription: "key_ops with a number", kind: .oct, changes: ["key_ops": ["decrypt", 1]]),
    ])
    func `rejects keys that are malformed or not safe`(row: Row) throws {
        var members = try row.kind.members()
        for (name, value) in row.changes { members[name] = value }
        #expect(error { () throws(JOSEError) in try DecryptionKey(Secret(members)) }?.code == row.code)
    }

    @Test("RSA with a leading zero in n") func leadingZero() throws {
        var members = try TestDecryptionKeys.rsa.get().privateMembers.reveal()
        let modulus = try #require(Base64URL.decode(members["n"]?.string ?? ""))
        members["n"] = .string(Base64URL.encode([0] + modulus))
        #expect(error { () throws(JOSEError) in try DecryptionKey(Secret(members)) }?.code == .malformed)
    }

    @Test(arguments: [Kind.rsa, .ec, .x25519]) func `publishes only the public half, for encryption`(kind: Kind) throws {
        var members = try kind.members()
        members["kid"] = "an ID"
        members["alg"] = "RSA-OAEP"
        members["key_ops"] = ["unwrapKey"]
        members["x5c"] = ["certificate"]
        let published = try #require(DecryptionKey(Secret(members)).publicKey).publicMembers
        #expect(published["use"] == "enc")
        #expect(published["kid"] == "an ID")
        #expect(published["alg"] == "RSA-OAEP")
        #expect(Set(published.members.map(\.name)).isDisjoint(with: ["d", "p", "q", "dp", "dq", "qi", "k", "key_ops", "x5c"]))
        for name in ["kty", "crv", "x", "y", "n", "e"] { #expect(published[name] == members[name]) }
    }

    @Test func `publishes nothing of a symmetric key`() throws {
        #expect(try TestDecryptionKeys.symmetric(Array(0..<16)).publicKey == nil)
    }

    @Test(arguments: ["RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A256KW"])
    func `generates keys that can be stored`(algorithm: String) throws {
        let algorithm = KeyManagementAlgorithm(rawValue: algorithm)
        let key = try DecryptionKey.generate(algorithm)
        let publicKey = try #require(key.publicKey)
        #expect(key.keyID == publicKey.thumbprint)
        #expect(publicKey.publicMembers["alg"] == .string(algorithm.rawValue))
        let token = try JSONWebEncryption.encrypting(Secret([1, 2, 3]), for: EncryptionKey(publicKey), algorithm, .a256GCM)
        let stored = JSONValue.object(key.privateMembers.reveal()).serialized()
        let restored = try DecryptionKey(Secret(#require(try JSONValue(strict: stored).object)))
        #expect(restored.keyID == key.keyID)
        #expect(restored.publicKey == key.publicKey)
        #expect(try JSONWebEncryption(token).decrypted(by: [restored], allowing: .everything).reveal() == [1, 2, 3])
    }

    @Test func `generates RSA keys of 3,072 bits`() throws {
        let key = try TestDecryptionKeys.rsa.get()
        #expect(Base64URL.decode(key.publicKey?.publicMembers["n"]?.string ?? "")?.count == 384)
    }

    @Test func `generates keys with a given ID`() throws {
        #expect(try DecryptionKey.generate(.ecdhES, keyID: "2026").keyID == "2026")
    }

    @Test(arguments: ["A128KW", "A256GCMKW", "dir", "RSA1_5", "RS256", ""])
    func `generates no key without a public half`(algorithm: String) {
        #expect(
            error { () throws(JOSEError) in try DecryptionKey.generate(KeyManagementAlgorithm(rawValue: algorithm)) }?.code == .notAllowed)
    }

    @Test(arguments: Kind.allCases) func `descriptions do not show a key`(kind: Kind) throws {
        let members = try kind.members()
        let value = try DecryptionKey(Secret(members))
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(reflecting: value), dumped] {
            for name in ["d", "p", "q", "dp", "dq", "qi", "k"] {
                guard let secret = members[name]?.string else { continue }
                #expect(!text.contains(secret))
                let bytes = try #require(Base64URL.decode(secret))
                #expect(!text.contains(bytes.prefix(8).map(String.init).joined(separator: ", ")))
            }
            #expect(!text.contains("PrivateKey") && !text.contains("SymmetricKey"))
        }
    }
}
