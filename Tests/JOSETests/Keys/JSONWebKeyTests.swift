import AuthHubPrimitives
import Testing

@testable import JOSE

/// Which public keys are accepted.
struct JSONWebKeyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let algorithm: SignatureAlgorithm
        let code: JOSEError.Code?
        let change: @Sendable (JSONObject) -> JSONObject

        init(
            _ description: String, _ algorithm: SignatureAlgorithm, _ code: JOSEError.Code?,
            change: @escaping @Sendable (JSONObject) -> JSONObject = { $0 }
        ) {
            testDescription = description
            self.algorithm = algorithm
            self.code = code
            self.change = change
        }
    }

    static let rows: [Row] = general + curves + rsa

    private static let general =
        [
            Row("an EC key", .es256, nil),
            Row("a key on P-384", .es384, nil),
            Row("a key on P-521", .es512, nil),
            Row("an Ed25519 key", .ed25519, nil),
            Row("an RSA key", .rs256, nil),
            Row("members that are not known", .es256, nil) { $0.with("x-issuer", ["a": 1]).with("exp", 1) },
            Row("JK14: certificates", .es256, nil) { $0.with("x5c", ["AAAA"]).with("x5u", "https://attacker.example").with("x5t", 5) },
            Row("JK03: no kty", .es256, .malformed) { $0.with("kty", nil) },
            Row("JK03: kty is a number", .es256, .malformed) { $0.with("kty", 1) },
            Row("JK03: a kty that is not known", .es256, .unusableKey) { $0.with("kty", "AKP") },
            Row("JK03: kty in other letters", .es256, .unusableKey) { $0.with("kty", "ec") },
            Row("JK03: no crv", .es256, .malformed) { $0.with("crv", nil) },
            Row("JK03: a crv that is not known", .es256, .unusableKey) { $0.with("crv", "secp256k1") },
            Row("JK03: a crv of another type", .es256, .unusableKey) { $0.with("crv", "Ed25519") },
            Row("JK03: a crv that is not supported", .ed25519, .unusableKey) { $0.with("crv", "Ed448") },
            Row("JK03: an alg that is not known", .es256, nil) { $0.with("alg", "ES521") },
            Row("JK03: an alg that does not fit the curve", .es256, .unusableKey) { $0.with("alg", "ES384") },
            Row("JK03: an alg that does not fit the type", .es256, .unusableKey) { $0.with("alg", "RS256") },
            Row("JK03: alg is a number", .es256, .malformed) { $0.with("alg", 256) },
            Row("kid is a number", .es256, .malformed) { $0.with("kid", 1) },
            Row("use is an array", .es256, .malformed) { $0.with("use", ["sig"]) },
            Row("key_ops is a string", .es256, .malformed) { $0.with("key_ops", "verify") },
            Row("key_ops with a number", .es256, .malformed) { $0.with("key_ops", ["verify", 1]) },
            Row("key_ops with an operation twice", .es256, .malformed) { $0.with("key_ops", ["verify", "verify"]) },
            Row("JK04: d on a curve", .es256, .unusableKey) { $0.with("d", "AAAA") },
            Row("JK04: d is null", .es256, .unusableKey) { $0.with("d", nil).with("d", .null) },
            Row("JK05: a symmetric key", .es256, .unusableKey) { _ in keySetDocument([]).with("kty", "oct").with("k", "AAAA") },
            Row("JK05: kty is oct, without k", .es256, .unusableKey) { $0.with("kty", "oct") },
        ] + KeyMembers.privateNames.map { name in Row("JK04: the member \(name)", .rs256, .unusableKey) { $0.with(name, "AQAB") } }

    private static let curves = [
        Row("JK06: no x", .es256, .malformed) { $0.with("x", nil) },
        Row("JK06: no y", .es256, .malformed) { $0.with("y", nil) },
        Row("JK06: x is empty", .es256, .malformed) { $0.with("x", "") },
        Row("JK06: x with padding", .es256, .malformed) { $0.with("x", .string(($0["x"]?.string ?? "") + "=")) },
        Row("JK06: a short coordinate", .es256, .malformed) { change($0, "x") { $0.removeFirst() } },
        Row("JK06: a long coordinate", .es256, .malformed) { change($0, "x") { $0.insert(0, at: 0) } },
        Row("JK06: a short coordinate on P-521", .es512, .malformed) { change($0, "y") { $0.removeFirst() } },
        Row("JK06: a point that is not on the curve", .es256, .unusableKey) { change($0, "y") { $0[31] ^= 1 } },
        Row("JK06: a point that is not on P-384", .es384, .unusableKey) { change($0, "y") { $0[47] ^= 1 } },
        Row("JK06: a point that is not on P-521", .es512, .unusableKey) { change($0, "y") { $0[65] ^= 1 } },
        Row("JK06: zero", .es256, .unusableKey) { change(change($0, "x") { $0 = zero }, "y") { $0 = zero } },
        Row("JK06: a coordinate that is larger than the field", .es256, .unusableKey) {
            change($0, "x") { $0 = [UInt8](repeating: 0xFF, count: 32) }
        },
        Row("JK06: a short Ed25519 key", .ed25519, .malformed) { change($0, "x") { $0.removeLast() } },
        Row("JK06: a long Ed25519 key", .ed25519, .malformed) { change($0, "x") { $0.append(0) } },
        Row("an Ed25519 key with y", .ed25519, nil) { $0.with("y", "AAAA") },
    ]

    private static let rsa = [
        Row("no n", .rs256, .malformed) { $0.with("n", nil) },
        Row("no e", .rs256, .malformed) { $0.with("e", nil) },
        Row("n is empty", .rs256, .malformed) { $0.with("n", "") },
        Row("n with padding", .rs256, .malformed) { $0.with("n", .string(($0["n"]?.string ?? "") + "==")) },
        Row("ID12: 2040 bits", .rs256, .unusableKey) { change($0, "n") { $0 = [$0[1] | 0x80] + $0.dropFirst(2) } },
        Row("ID12: 2047 bits", .rs256, .unusableKey) { change($0, "n") { $0[0] = 0x7F } },
        Row("ID12: 1024 bits", .rs256, .unusableKey) { change($0, "n") { $0 = [$0[128] | 0x80] + $0.dropFirst(129) } },
        Row("ID12: 8 bits", .rs256, .unusableKey) { $0.with("n", "Aw") },
        Row("ID12: e is 1", .rs256, .unusableKey) { $0.with("e", "AQ") },
        Row("JK07: e is 3", .rs256, nil) { $0.with("e", "Aw") },
        Row("JK07: e is even", .rs256, .unusableKey) { $0.with("e", "AQAA") },
        Row("JK07: e is 0", .rs256, .malformed) { $0.with("e", "AA") },
        Row("JK07: e has more than 33 bits", .rs256, .unusableKey) { $0.with("e", "BAAAAAE") },
        Row("JK07: e has leading zeros", .rs256, .malformed) { $0.with("e", "AAEAAQ") },
        Row("JK07: an even modulus", .rs256, .unusableKey) { change($0, "n") { $0[$0.count - 1] &= 0xFE } },
        Row("JK07: 8200 bits", .rs256, .unusableKey) { change($0, "n") { $0 = [UInt8](repeating: 0xFF, count: 1025) } },
        Row("JK07: 16392 bits", .rs256, .unusableKey) { change($0, "n") { $0 = [UInt8](repeating: 0xFF, count: 2049) } },
        Row("JK17: a zero byte before n", .rs256, .malformed) { change($0, "n") { $0.insert(0, at: 0) } },
        Row("JK17: n is zero", .rs256, .malformed) { change($0, "n") { $0 = [UInt8](repeating: 0, count: 256) } },
        Row("JK16: a key with the ROCA fingerprint", .rs256, .unusableKey) { change($0, "n") { $0 = vulnerableModulus } },
        Row("JK16: a key almost with the ROCA fingerprint", .rs256, nil) { change($0, "n") { $0 = almostVulnerableModulus } },
    ]

    @Test(arguments: rows)
    func `accepts only public keys that are safe to use`(row: Row) throws {
        let members = row.change(try TestKeys.key(row.algorithm).publicKey.publicMembers)
        let failure = error { () throws(JOSEError) in try JSONWebKey(members) }
        #expect(failure?.code == row.code)
        let keys = try? JSONWebKeySet(keySetDocument([.object(members)]))
        #expect(keys?.keys.count == (row.code == nil ? 1 : 0))
        #expect(keys?.rejected.map(\.error.code) == (row.code.map { [$0] } ?? []))
    }

    /// Encodings of the points of small order, and of points with y from 2²⁵⁵ - 19 on, with either sign.
    static let unsafeEd25519Keys: [[UInt8]] = [
        zero, [1] + zero.dropLast(), maximum(0xEC), maximum(0xED), maximum(0xEE), maximum(0xEF), maximum(0xFF),
        hexadecimal("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        hexadecimal("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    ].flatMap { [$0, $0.dropLast() + [$0[31] | 0x80]] }

    @Test(arguments: unsafeEd25519Keys)
    func `JK15: rejects an Ed25519 key of small order, or not canonical`(bytes: [UInt8]) throws {
        let members = try JSONObject(#"{"kty":"OKP","crv":"Ed25519","x":"\#(Base64URL.encode(bytes))"}"#)
        #expect(error { () throws(JOSEError) in try JSONWebKey(members) }?.code == .unusableKey)
    }

    static let unsafeX25519Keys: [[UInt8]] = [
        zero, [1] + zero.dropLast(), maximum(0xEC), maximum(0xED), maximum(0xEE), maximum(0xFF),
        hexadecimal("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
        hexadecimal("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
        // A key that is safe, but with the highest bit set.
        hexadecimal("09000000000000000000000000000000000000000000000000000000000000" + "80"),
    ]

    @Test(arguments: unsafeX25519Keys)
    func `JK15: rejects an X25519 key of small order, or not canonical`(bytes: [UInt8]) throws {
        let members = try JSONObject(#"{"kty":"OKP","crv":"X25519","x":"\#(Base64URL.encode(bytes))"}"#)
        #expect(error { () throws(JOSEError) in try JSONWebKey(members) }?.code == .unusableKey)
    }

    @Test func `reads an X25519 key, which fits no signature`() throws {
        let bytes = [9] + [UInt8](repeating: 0, count: 31)
        let key = try JSONWebKey(JSONObject(#"{"kty":"OKP","crv":"X25519","x":"\#(Base64URL.encode(bytes))"}"#))
        #expect(key.parsed.curve == .x25519)
        let token = try signedToken(header: #"{"alg":"EdDSA"}"#, key: TestKeys.key(.ed25519))
        #expect(rejection(of: token, keys: JSONWebKeySet([key])) == .noKey)
    }

    @Test func `JK16: generated keys do not have the ROCA fingerprint`() throws {
        #expect(ROCAFingerprint.primes.count == 38)
        #expect(ROCAFingerprint.matches(Self.vulnerableModulus))
        for algorithm in [SignatureAlgorithm.rs256, .ps256] {
            let modulus = try TestKeys.key(algorithm).publicKey.publicMembers["n"]?.string ?? ""
            #expect(!ROCAFingerprint.matches(try #require(Base64URL.decode(modulus))))
        }
    }

    @Test(arguments: [SignatureAlgorithm.es256, .es512, .ed25519, .rs256])
    func `publishes what it read, without members that are not known`(algorithm: SignatureAlgorithm) throws {
        let members = try TestKeys.key(algorithm).publicKey.publicMembers.with("key_ops", ["verify"])
        let key = try JSONWebKey(members.with("x5u", "https://issuer.example/certificate"))
        #expect(key.publicMembers == members)
        #expect(try JSONWebKey(key.publicMembers) == key)
        #expect(key.keyID == algorithm.rawValue)
        #expect(key.algorithm == algorithm.rawValue)
        #expect(key.use == "sig")
        #expect(key.operations == ["verify"])
        #expect(.string(key.keyType) == members["kty"])
    }

    @Test func `the thumbprint depends only on the key`() throws {
        let members = try TestKeys.key(.es256).publicKey.publicMembers
        let thumbprint = try JSONWebKey(members).thumbprint
        let plain = try JSONWebKey(members.with("kid", nil).with("alg", nil).with("use", nil))
        #expect(plain.thumbprint == thumbprint)
        #expect(plain != (try JSONWebKey(members)))
        #expect(try TestKeys.key(.es384).publicKey.thumbprint != thumbprint)
    }

    @Test(
        .enabled(if: Vectors.areHere, Vectors.absence),
        arguments: ["3_1.ec_public_key", "3_2.ec_private_key", "3_3.rsa_public_key", "3_4.rsa_private_key"])
    func `JK04: reads the public keys of the cookbook, and rejects the private ones`(name: String) throws {
        let members = try #require(Vectors.read("jose-cookbook/jwk/\(name).json")?.object)
        let failure = error { () throws(JOSEError) in try JSONWebKey(members) }
        #expect(failure?.code == (name.contains("private") ? .unusableKey : nil))
        #expect(try JSONWebKey(members.withoutPrivateMembers).keyID == "bilbo.baggins@hobbiton.example")
    }

    @Test(.enabled(if: Vectors.areHere, Vectors.absence), arguments: ["3_5.symmetric_key_mac_computation", "3_6.symmetric_key_encryption"])
    func `JK05: rejects the symmetric keys of the cookbook, unless they are secrets`(name: String) throws {
        let members = try #require(Vectors.read("jose-cookbook/jwk/\(name).json")?.object)
        #expect(error { () throws(JOSEError) in try JSONWebKey(members) }?.code == .unusableKey)
        #expect(try JSONWebKey(symmetric: members).keyID == members["kid"]?.string)
    }

    @Test func `errors tell no values`() throws {
        for row in Self.rows where row.code != nil {
            let members = row.change(try TestKeys.key(row.algorithm).publicKey.publicMembers)
            let failure = error { () throws(JOSEError) in try JSONWebKey(members) }
            let text = try #require(failure?.description)
            for value in members.members.compactMap(\.value.string) where value.count > 8 { #expect(!text.contains(value)) }
        }
    }

    private static let zero = [UInt8](repeating: 0, count: 32)

    /// 2²⁵⁵ - 1 with another lowest byte, in little-endian order.
    private static func maximum(_ lowest: UInt8) -> [UInt8] {
        [lowest] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    }

    /// A modulus of 2051 bits that is 1 modulo each of the small primes.
    private static let vulnerableModulus = primorial + [UInt8](repeating: 0, count: 256 - primorial.count) + [1]
    /// A modulus that is 3 modulo each of the small primes, which is not a power of 65537 modulo 11.
    private static let almostVulnerableModulus: [UInt8] = Array(vulnerableModulus.dropLast()) + [3]
    /// The product of the small primes.
    private static let primorial = hexadecimal("049265d3574cefd04229bfd662a4a46f8611ed0226c655f076ebade3")

    private static func hexadecimal(_ text: String) -> [UInt8] {
        let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func change(_ members: JSONObject, _ name: String, _ change: (inout [UInt8]) -> Void) -> JSONObject {
        var bytes = Base64URL.decode(members[name]?.string ?? "") ?? []
        change(&bytes)
        return members.with(name, .string(Base64URL.encode(bytes)))
    }
}
