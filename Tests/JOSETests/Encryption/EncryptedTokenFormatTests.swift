import AuthHubPrimitives
import JOSE
import Testing

/// Tokens that are rejected before any key is used.
struct EncryptedTokenFormatTests {
    static let key = Result { try TestDecryptionKeys.symmetric(Array(0..<16)) }

    /// A valid token with A128KW.
    static func validToken(_ encryption: ContentEncryption = .a128GCM) throws -> Secret<String> {
        try encrypt(for: key.get(), .a128KW, encryption)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var code = JOSEError.Code.malformed
        let change: @Sendable (String) throws -> String
    }

    private static func expect(_ row: Change, _ token: String) {
        #expect(error { () throws(JOSEError) in try JSONWebEncryption(Secret(token)) }?.code == row.code)
    }

    @Test(arguments: [
        Change(testDescription: "ID01: empty") { _ in "" },
        Change(testDescription: "ID01: one part") { String($0.prefix { $0 != "." }) },
        Change(testDescription: "ID01: two parts") { _ in "e30.e30" },
        Change(testDescription: "ID01: three parts, as in a signed token") { $0.split(separator: ".").prefix(3).joined(separator: ".") },
        Change(testDescription: "ID01: four parts") { $0.split(separator: ".").prefix(4).joined(separator: ".") },
        Change(testDescription: "ID01: six parts, the last one empty") { $0 + "." },
        Change(testDescription: "ID01: six parts, the first one empty") { "." + $0 },
        Change(testDescription: "ID01: six parts") { $0 + ".e30" },
        Change(testDescription: "ID01: 60,000 parts") { _ in String(repeating: ".", count: 60_000) },
        Change(testDescription: "ID01: four dots and nothing else") { _ in "...." },
        Change(testDescription: "ID02: padding") { $0 + "==" },
        Change(testDescription: "ID02: padding in the header") { $0.replacingFirst(".", with: "=.") },
        Change(testDescription: "ID02: a plus sign") { $0.replacingLastCharacter(with: "+") },
        Change(testDescription: "ID02: a slash") { $0.replacingLastCharacter(with: "/") },
        Change(testDescription: "ID02: a newline at the end") { $0 + "\n" },
        Change(testDescription: "ID02: a space at the start") { " " + $0 },
        Change(testDescription: "ID02: a space in the middle") { $0.replacingFirst(".", with: ". ") },
        Change(testDescription: "ID02: a carriage return before a newline") { $0.replacingFirst(".", with: ".\r\n") },
        Change(testDescription: "ID02: leftover bits") { $0.replacingLastCharacter(with: "B") },
        Change(testDescription: "ID02: a character that looks like another one") { $0.replacingFirst("e", with: "е") },
        Change(testDescription: "ID02: a zero byte") { $0 + "\0" },
    ])
    func `rejects another number of parts, and anything but base64url`(row: Change) throws {
        Self.expect(row, try row.change(Self.validToken().reveal()))
    }

    @Test(arguments: [
        Change(testDescription: "ID03: an array") { "[\($0)]" },
        Change(testDescription: "ID03: a string") { _ in "\"A128KW\"" },
        Change(testDescription: "ID03: empty") { _ in "" },
        Change(testDescription: "ID03: a byte order mark") { "\u{FEFF}" + $0 },
        Change(testDescription: "ID03: a second object") { $0 + "{}" },
        Change(testDescription: "ID03: a comma at the end") { $0.dropLast() + ",}" },
        Change(testDescription: "ID03: nested too deeply") { $0.with(#""x":[[[[[[[[[]]]]]]]]]"#) },
        Change(testDescription: "ID04: alg twice") { $0.with(#""alg":"A128KW""#) },
        Change(testDescription: "ID04: a duplicate with an escape") { $0.with(#""\u0061lg":"dir""#) },
        Change(testDescription: "ID04: a duplicate in epk") { $0.with(#""epk":{"x":"","x":""}"#) },
        Change(testDescription: "ID05: no alg") { _ in #"{"enc":"A128GCM"}"# },
        Change(testDescription: "ID05: alg is a number") { _ in #"{"alg":1,"enc":"A128GCM"}"# },
        Change(testDescription: "ID05: alg is null") { _ in #"{"alg":null,"enc":"A128GCM"}"# },
        Change(testDescription: "ID05: no enc") { _ in #"{"alg":"A128KW"}"# },
        Change(testDescription: "ID05: enc is an array") { _ in #"{"alg":"A128KW","enc":["A128GCM"]}"# },
        Change(testDescription: "ID05: Alg") { _ in #"{"Alg":"A128KW","enc":"A128GCM"}"# },
        Change(testDescription: "kid is a number") { $0.with(#""kid":1"#) },
        Change(testDescription: "cty is an object") { $0.with(#""cty":{}"#) },
        Change(testDescription: "ID05: none", code: .notAllowed) { _ in #"{"alg":"none","enc":"A128GCM"}"# },
        Change(testDescription: "ID05: enc is none", code: .notAllowed) { _ in #"{"alg":"A128KW","enc":"none"}"# },
        Change(testDescription: "ID06: a signature algorithm", code: .notAllowed) { _ in #"{"alg":"RS256","enc":"A128GCM"}"# },
        Change(testDescription: "ID06: lower case", code: .notAllowed) { _ in #"{"alg":"a128kw","enc":"A128GCM"}"# },
        Change(testDescription: "ID06: RSA-OAEP-512", code: .notAllowed) { _ in #"{"alg":"RSA-OAEP-512","enc":"A128GCM"}"# },
        Change(testDescription: "ID06: the kelvin sign is not a K") { _ in #"{"alg":"A128\#u{212A}W","enc":"A128GCM"}"# },
        Change(testDescription: "ID15: crit", code: .notAllowed) { $0.with(#""crit":["exp"],"exp":1"#) },
        Change(testDescription: "ID15: crit is empty", code: .notAllowed) { $0.with(#""crit":[]"#) },
        Change(testDescription: "ID15: crit is null", code: .notAllowed) { $0.with(#""crit":null"#) },
        Change(testDescription: "ID20: RSA1_5", code: .notAllowed) { _ in #"{"alg":"RSA1_5","enc":"A128GCM"}"# },
        Change(testDescription: "ID20: zip", code: .notAllowed) { $0.with(#""zip":"DEF""#) },
        Change(testDescription: "ID20: another zip", code: .notAllowed) { $0.with(#""zip":1"#) },
        Change(testDescription: "ID20: PBES2 with a huge p2c", code: .notAllowed) { _ in
            #"{"alg":"PBES2-HS256+A128KW","enc":"A128GCM","p2s":"c2FsdHNhbHQ","p2c":2147483647}"#
        },
    ])
    func `rejects headers that are malformed or ask for too much`(row: Change) throws {
        let parts = try TokenParts(Self.validToken())
        let header = String(decoding: JSONValue.object(parts.header).serialized(), as: UTF8.self)
        Self.expect(row, try parts.token(header: Array(row.change(header).utf8)).reveal())
    }

    @Test("ID03: rejects a header that is not UTF-8") func rejectsHeaderThatIsNotUTF8() throws {
        let token = try TokenParts(Self.validToken()).token(
            header: Array("{\"alg\":\"A128KW\",\"enc\":\"A128GCM\",\"x\":\"".utf8) + [0xFF, 0x22, 0x7D])
        #expect(error { () throws(JOSEError) in try JSONWebEncryption(token) }?.code == .malformed)
    }

    @Test("ID14: ignores members of the header that point to keys")
    func ignoresPointersToKeys() throws {
        var parts = try TokenParts(Self.validToken())
        for name in ["jku", "x5u", "jwk", "x5c", "x5t", "typ"] { parts.header[name] = "https://attacker.example" }
        #expect(try JSONWebEncryption(parts.token).header.algorithm == .a128KW)
    }

    @Test("ID49: accepts 64 KiB, but not more")
    func limitsTokens() throws {
        let key = try Self.key.get()
        let overhead = try encrypt("", for: key, .a128KW, .a128GCM).reveal().utf8.count
        let longest = (65_536 - overhead) / 4 * 3
        #expect(try decrypt(encrypt(String(repeating: "a", count: longest), for: key, .a128KW, .a128GCM), [key]).utf8.count == longest)
        let tooLong = try encrypt(String(repeating: "a", count: longest + 3), for: key, .a128KW, .a128GCM)
        #expect(error { () throws(JOSEError) in try JSONWebEncryption(tooLong) }?.code == .malformed)
    }

    @Test("ID49: accepts a header of 8 KiB, but not a longer one", arguments: [(6144, true), (6145, false)])
    func limitsHeader(length: Int, isAccepted: Bool) throws {
        var parts = try TokenParts(Self.validToken())
        parts.header["x"] = ""
        let short = JSONValue.object(parts.header).serialized().count
        parts.header["x"] = .string(String(repeating: "a", count: length - short))
        #expect(((try? JSONWebEncryption(parts.token)) != nil) == isAccepted)
    }

    struct Lengths: Sendable, CustomTestStringConvertible {
        let encryption: ContentEncryption
        let vector: Int
        let tag: Int
        let areRight: Bool

        var testDescription: String { "\(encryption.rawValue): \(vector), \(tag)" }
    }

    @Test(arguments: [
        Lengths(encryption: .a128GCM, vector: 12, tag: 16, areRight: true),
        Lengths(encryption: .a128GCM, vector: 11, tag: 16, areRight: false),
        Lengths(encryption: .a128GCM, vector: 13, tag: 16, areRight: false),
        Lengths(encryption: .a128GCM, vector: 16, tag: 16, areRight: false),
        Lengths(encryption: .a128GCM, vector: 0, tag: 16, areRight: false),
        Lengths(encryption: .a128GCM, vector: 12, tag: 12, areRight: false),
        Lengths(encryption: .a128GCM, vector: 12, tag: 15, areRight: false),
        Lengths(encryption: .a128GCM, vector: 12, tag: 17, areRight: false),
        Lengths(encryption: .a128GCM, vector: 12, tag: 0, areRight: false),
        Lengths(encryption: .a128CBCHS256, vector: 16, tag: 16, areRight: true),
        Lengths(encryption: .a128CBCHS256, vector: 12, tag: 16, areRight: false),
        Lengths(encryption: .a128CBCHS256, vector: 16, tag: 0, areRight: false),
        Lengths(encryption: .a128CBCHS256, vector: 16, tag: 32, areRight: false),
        Lengths(encryption: .a192CBCHS384, vector: 16, tag: 24, areRight: true),
        Lengths(encryption: .a192CBCHS384, vector: 16, tag: 16, areRight: false),
        Lengths(encryption: .a256CBCHS512, vector: 16, tag: 32, areRight: true),
        Lengths(encryption: .a256CBCHS512, vector: 16, tag: 16, areRight: false),
        Lengths(encryption: .a256CBCHS512, vector: 16, tag: 64, areRight: false),
    ])
    func `rejects initialization vectors and tags of other lengths`(row: Lengths) throws {
        var parts = try TokenParts(Self.validToken(row.encryption))
        parts.initializationVector = Array(repeating: 1, count: row.vector)
        parts.tag = Array(repeating: 1, count: row.tag)
        if row.areRight {
            #expect(throws: Never.self) { try JSONWebEncryption(parts.token) }
        } else {
            #expect(error { () throws(JOSEError) in try JSONWebEncryption(parts.token) }?.code == .malformed)
        }
    }

    @Test(arguments: [("A128KW", ""), ("A128GCMKW", ""), ("RSA-OAEP", ""), ("ECDH-ES+A128KW", ""), ("dir", "AAAA"), ("ECDH-ES", "AAAA")])
    func `rejects a missing encrypted key, and one that the algorithm does not use`(algorithm: String, encryptedKey: String) throws {
        let algorithm = KeyManagementAlgorithm(rawValue: algorithm)
        var parts = try TokenParts(encrypt(for: TestDecryptionKeys.key(for: algorithm, .a128GCM), algorithm, .a128GCM))
        parts.encryptedKey = try #require(Base64URL.decode(encryptedKey))
        #expect(error { () throws(JOSEError) in try JSONWebEncryption(parts.token) }?.code == .malformed)
    }

    struct Parameter: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let algorithm: KeyManagementAlgorithm
        let name: String
        let value: JSONValue?
        var code = JOSEError.Code.malformed
    }

    @Test(arguments: [
        Parameter(testDescription: "no iv", algorithm: .a128GCMKW, name: "iv", value: nil),
        Parameter(testDescription: "iv of 16 bytes", algorithm: .a128GCMKW, name: "iv", value: "AAAAAAAAAAAAAAAAAAAAAA"),
        Parameter(testDescription: "iv is a number", algorithm: .a128GCMKW, name: "iv", value: 12),
        Parameter(testDescription: "no tag", algorithm: .a128GCMKW, name: "tag", value: nil),
        Parameter(testDescription: "tag of 12 bytes", algorithm: .a128GCMKW, name: "tag", value: "AAAAAAAAAAAAAAAA"),
        Parameter(testDescription: "tag with padding", algorithm: .a128GCMKW, name: "tag", value: "AAAAAAAAAAAAAAAAAAAAAA=="),
        Parameter(testDescription: "no epk", algorithm: .ecdhES, name: "epk", value: nil),
        Parameter(testDescription: "epk is a string", algorithm: .ecdhES, name: "epk", value: "P-256"),
        Parameter(testDescription: "epk is empty", algorithm: .ecdhES, name: "epk", value: [:]),
        Parameter(testDescription: "epk is a private key", algorithm: .ecdhES, name: "epk", value: TestDecryptionKeys.bob),
        Parameter(testDescription: "epk without y", algorithm: .ecdhES, name: "epk", value: epk(["y": nil])),
        Parameter(testDescription: "epk with a short x", algorithm: .ecdhES, name: "epk", value: epk(["x": "AAAA"])),
        Parameter(
            testDescription: "epk with a leading zero", algorithm: .ecdhES, name: "epk",
            value: epk(["x": "AMHjScth7HAkjOhAA0w4NOG4jr4RYcsljzh0H3hfz8TE"])),
        Parameter(
            testDescription: "epk is not on its curve", algorithm: .ecdhES, name: "epk",
            value: epk(["y": "e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOycg"]), code: .unusableKey),
        Parameter(
            testDescription: "epk is the point at infinity", algorithm: .ecdhES, name: "epk",
            value: epk(["x": .string(zeros), "y": .string(zeros)]), code: .unusableKey),
        Parameter(
            testDescription: "epk of P-256 that says P-384", algorithm: .ecdhES, name: "epk", value: epk(["crv": "P-384"])),
        Parameter(
            testDescription: "epk on secp256k1", algorithm: .ecdhES, name: "epk", value: epk(["crv": "secp256k1"]), code: .unusableKey),
        Parameter(
            testDescription: "epk with the wrong type", algorithm: .ecdhES, name: "epk", value: epk(["kty": "OKP"]), code: .unusableKey),
        Parameter(testDescription: "epk is RSA", algorithm: .ecdhES, name: "epk", value: ["kty": "RSA", "n": "AQAB", "e": "AQAB"]),
        Parameter(
            testDescription: "epk is Ed25519", algorithm: .ecdhES, name: "epk",
            value: ["kty": "OKP", "crv": "Ed25519", "x": .string(zeros)],
            code: .unusableKey),
        Parameter(testDescription: "apu is not base64url", algorithm: .ecdhES, name: "apu", value: "Alice "),
        Parameter(testDescription: "apv is an object", algorithm: .ecdhES, name: "apv", value: [:]),
    ])
    func `rejects missing and malformed parameters of the algorithm`(row: Parameter) throws {
        var parts = try TokenParts(encrypt(for: TestDecryptionKeys.key(for: row.algorithm, .a128GCM), row.algorithm, .a128GCM))
        parts.header[row.name] = row.value
        #expect(error { () throws(JOSEError) in try JSONWebEncryption(parts.token) }?.code == row.code)
    }

    private static let zeros = String(repeating: "A", count: 43)

    /// A public key on P-256 with changed members.
    private static func epk(_ changes: [String: JSONValue?]) -> JSONValue {
        var members = TestDecryptionKeys.bob.object ?? JSONObject()
        members["d"] = nil
        for (name, value) in changes { members[name] = value }
        return .object(members)
    }
}

extension String {
    fileprivate func replacingFirst(_ character: Character, with other: String) -> String {
        guard let index = firstIndex(of: character) else { return self }
        return self[..<index] + other + self[self.index(after: index)...]
    }

    /// The last character of a tag of 16 bytes encodes only two bits: `A`, `Q`, `g` or `w`.
    fileprivate func replacingLastCharacter(with other: String) -> String {
        dropLast() + other
    }

    /// A JSON object with one more member.
    fileprivate func with(_ member: String) -> String {
        dropLast() + ",\(member)}"
    }
}
