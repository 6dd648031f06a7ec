import AuthHubPrimitives
import Crypto
import Testing

@testable import JOSE

struct SoftwareSigningKeyTests {
    static let algorithms: [SignatureAlgorithm] = [
        .es256, .es384, .es512, .ed25519, .edDSA, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512,
    ]

    @Test(arguments: algorithms)
    func `signs, is stored, and signs again`(algorithm: SignatureAlgorithm) async throws {
        let key = try SoftwareSigningKey.generate(algorithm)
        let stored = key.privateMembers
        let again = try SoftwareSigningKey(stored)
        #expect(again.publicKey == key.publicKey)
        #expect(again.algorithm == algorithm)
        #expect(again.privateMembers.reveal() == stored.reveal())
        let claims = try JSONObject(#"{"iss":"https://client.example","n":[1,{"x":"ü"}]}"#)
        let published = keySetDocument([.object(key.publicKey.publicMembers)])
        for signer in [key, again] {
            let token = try await JSONWebSignature.sign(claims, with: signer, type: "JWT")
            let payload = try JSONWebSignature(token).verified(by: JSONWebKeySet(published), allowing: [algorithm])
            #expect(try payload.claims == claims)
            #expect(payload.header.keyID == key.publicKey.thumbprint)
            #expect(payload.header.algorithm == algorithm)
            #expect(payload.header.type == "JWT")
            try payload.header.checkType(["jwt"], canBeMissing: false)
        }
    }

    @Test(arguments: algorithms)
    func `JK04: publishes no private members`(algorithm: SignatureAlgorithm) throws {
        let key = try SoftwareSigningKey.generate(algorithm, keyID: "a")
        let members = key.publicKey.publicMembers
        #expect(members["kid"] == "a")
        #expect(members["alg"] == .string(algorithm.rawValue))
        #expect(members["use"] == "sig")
        #expect(KeyMembers.privateNames.allSatisfy { members[$0] == nil })
        #expect(key.privateMembers.reveal()["d"] != nil)
        #expect(error { () throws(JOSEError) in try JSONWebKey(key.privateMembers.reveal()) }?.code == .unusableKey)
    }

    @Test(arguments: algorithms)
    func `rejects private members that do not belong to the public ones`(algorithm: SignatureAlgorithm) throws {
        let (one, other) = (
            try SoftwareSigningKey.generate(algorithm).privateMembers.reveal(),
            try SoftwareSigningKey.generate(algorithm).privateMembers.reveal()
        )
        let mixed = one.with("d", other["d"])
        #expect(error { () throws(JOSEError) in try SoftwareSigningKey(Secret(mixed)) }?.code == .unusableKey)
        let publicNames = ["n", "x", "y"].filter { one[$0] != nil }
        let swapped = publicNames.reduce(one) { $0.with($1, other[$1]) }
        #expect(error { () throws(JOSEError) in try SoftwareSigningKey(Secret(swapped)) }?.code == .unusableKey)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let algorithm: SignatureAlgorithm
        let code: JOSEError.Code?
        var wanted: SignatureAlgorithm?
        let change: @Sendable (JSONObject) -> JSONObject

        init(
            _ description: String, _ algorithm: SignatureAlgorithm, _ code: JOSEError.Code?, as wanted: SignatureAlgorithm? = nil,
            change: @escaping @Sendable (JSONObject) -> JSONObject
        ) {
            testDescription = description
            self.algorithm = algorithm
            self.code = code
            self.wanted = wanted
            self.change = change
        }
    }

    @Test(arguments: [
        Row("no d", .es256, .malformed) { $0.with("d", nil) },
        Row("a short d", .es256, .malformed) { $0.with("d", "AAAA") },
        Row("d is zero", .es256, .unusableKey) { $0.with("d", .string(String(repeating: "A", count: 43))) },
        Row("d with padding", .es256, .malformed) { $0.with("d", .string(($0["d"]?.string ?? "") + "=")) },
        Row("no kty", .es256, .malformed) { $0.with("kty", nil) },
        Row("another curve", .es256, .malformed) { $0.with("crv", "P-384") },
        Row("use is enc", .es256, .unusableKey) { $0.with("use", "enc") },
        Row("key_ops without sign", .es256, .unusableKey) { $0.with("key_ops", ["verify"]) },
        Row("key_ops with sign", .es256, nil) { $0.with("key_ops", ["sign"]) },
        Row("no alg on a curve", .es256, nil) { $0.with("alg", nil) },
        Row("no alg on P-384", .es384, nil) { $0.with("alg", nil) },
        Row("no alg on Ed25519", .ed25519, nil) { $0.with("alg", nil) },
        Row("a different alg than requested", .es256, .unusableKey, as: .es384) { $0 },
        Row("an algorithm that does not fit", .es256, .unusableKey, as: .es384) { $0.with("alg", nil) },
        Row("an algorithm that is not supported", .es256, .unusableKey, as: .init(rawValue: "none")) { $0.with("alg", nil) },
        Row("an alg for encryption", .es256, .unusableKey) { $0.with("alg", "ECDH-ES") },
        Row("no alg for RSA", .rs256, nil) { $0.with("alg", nil) },
        Row("a requested algorithm for RSA", .rs256, nil, as: .ps384) { $0.with("alg", nil) },
        Row("no primes", .rs256, .malformed) { $0.with("p", nil).with("q", nil) },
        Row("no dp, dq and qi", .rs256, nil) { $0.with("dp", nil).with("dq", nil).with("qi", nil) },
        Row("more than two primes", .rs256, .unusableKey) { $0.with("oth", []) },
        Row("the primes exchanged", .rs256, nil) { $0.with("p", $0["q"]).with("q", $0["p"]) },
        Row("the same prime twice", .rs256, .unusableKey) { $0.with("p", $0["q"]) },
        Row("a symmetric key", .es256, .unusableKey) { _ in keySetDocument([]).with("kty", "oct").with("k", "AAAA") },
    ])
    func `checks a private key`(row: Row) throws {
        let members = row.change(try TestKeys.key(row.algorithm).privateMembers.reveal())
        let failure = error { () throws(JOSEError) in try SoftwareSigningKey(Secret(members), algorithm: row.wanted) }
        #expect(failure?.code == row.code)
    }

    @Test(arguments: [SignatureAlgorithm.hs256, .init(rawValue: "none"), .init(rawValue: "ES256K")])
    func `does not generate keys for other algorithms`(algorithm: SignatureAlgorithm) {
        #expect(error { () throws(JOSEError) in try SoftwareSigningKey.generate(algorithm) }?.code == .notAllowed)
    }

    @Test(
        .enabled(if: Vectors.areHere, Vectors.absence),
        arguments: [("jwk/3_2.ec_private_key.json", SignatureAlgorithm.es512), ("jwk/3_4.rsa_private_key.json", .ps256)])
    func `reads the private keys of the cookbook`(file: String, algorithm: SignatureAlgorithm) async throws {
        let members = try #require(Vectors.read("jose-cookbook/\(file)")?.object)
        let key = try SoftwareSigningKey(Secret(members), algorithm: algorithm)
        for member in members.members { #expect(key.privateMembers.reveal()[member.name] == member.value) }
        let token = try await JSONWebSignature.sign(JSONObject(), with: key)
        _ = try JSONWebSignature(token).verified(by: JSONWebKeySet([key.publicKey]), allowing: [algorithm])
    }

    @Test func `a DPoP proof has the public key in its header`() async throws {
        let key = try TestKeys.key(.es256)
        let token = try await JSONWebSignature.sign(JSONObject(), with: key, type: "dpop+jwt", reference: .publicKey).reveal()
        let header = try JSONObject(String(decoding: #require(Base64URL.decode(token.prefix { $0 != "." })), as: UTF8.self))
        #expect(header.members.map(\.name) == ["typ", "alg", "jwk"])
        #expect(header["jwk"]?.object?.members.map(\.name) == ["crv", "kty", "x", "y"])
        #expect(try JSONWebKey(#require(header["jwk"]?.object)).thumbprint == key.publicKey.thumbprint)
    }

    /// A key that returns whatever it is told.
    struct ScriptedKey: SigningKey {
        let algorithm: SignatureAlgorithm
        let publicKey: JSONWebKey
        let result: [UInt8]

        func signature(for bytes: [UInt8]) async throws -> [UInt8] { result }
    }

    @Test(arguments: [
        ("nothing", SignatureAlgorithm.es256, 0, JOSEError.Code.invalidSignature), ("DER", .es256, 70, .invalidSignature),
        ("an algorithm that does not fit the key", .es384, 96, .unusableKey),
        ("an algorithm that is not supported", .init(rawValue: "none"), 0, .notAllowed),
    ])
    func `checks what another signing key returns`(
        description: String, algorithm: SignatureAlgorithm, length: Int, code: JOSEError.Code
    ) async throws {
        let key = ScriptedKey(
            algorithm: algorithm, publicKey: try TestKeys.key(.es256).publicKey, result: [UInt8](repeating: 1, count: length))
        let failure = await #expect(throws: JOSEError.self) { try await JSONWebSignature.sign(JSONObject(), with: key) }
        #expect(failure?.code == code)
    }

    @Test func `ID10: rejects a DER signature`() throws {
        let key = try TestKeys.key(.es256)
        let secret = try #require(Base64URL.decode(key.privateMembers.reveal()["d"]?.string ?? ""))
        let signed = "\(Base64URL.encode(#"{"alg":"ES256"}"#.utf8)).e30"
        let signature = try P256.Signing.PrivateKey(rawRepresentation: secret).signature(for: Array(signed.utf8))
        let keys = try TestKeys.publicKeys(.es256)
        #expect(rejection(of: "\(signed).\(Base64URL.encode(signature.rawRepresentation))", keys: keys) == nil)
        #expect(rejection(of: "\(signed).\(Base64URL.encode(signature.derRepresentation))", keys: keys) == .invalidSignature)
    }
}
