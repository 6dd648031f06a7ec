import AuthHubPrimitives
import Testing

@testable import JOSE

/// Rules for the form and the header of a signed token.
struct SignedTokenFormTests {
    static let header = #"{"alg":"ES256","kid":"ES256"}"#

    /// A change of a token that was signed correctly.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: JOSEError.Code?
        let apply: @Sendable (String) -> String

        init(_ description: String, _ code: JOSEError.Code?, _ apply: @escaping @Sendable (String) -> String) {
            testDescription = description
            self.code = code
            self.apply = apply
        }
    }

    @Test(arguments: [
        Change("a token that is not changed", nil) { $0 },
        Change("ID01: an empty string", .malformed) { _ in "" },
        Change("ID01: one part", .malformed) { String($0.prefix { $0 != "." }) },
        Change("ID01: two parts", .malformed) { $0.split(separator: ".").prefix(2).joined(separator: ".") },
        Change("ID01: four parts", .malformed) { $0 + ".AA" },
        Change("ID01: five parts", .malformed) { $0 + ".AA.AA" },
        Change("ID01: a dot at the end", .malformed) { $0 + "." },
        Change("ID01: a dot at the start", .malformed) { "." + $0 },
        Change("ID01: only dots", .malformed) { _ in ".." },
        Change("ID01: an empty header", .malformed) { String($0.drop { $0 != "." }) },
        Change("ID02: padding at the end", .malformed) { $0 + "=" },
        Change("ID02: padding after the payload", .malformed) { Self.joined(Self.parts($0), payload: { $0 + "=" }) },
        Change("ID02: a plus sign", .malformed) { Self.joined(Self.parts($0), payload: { "+" + $0.dropFirst() }) },
        Change("ID02: a slash", .malformed) { Self.joined(Self.parts($0), payload: { "/" + $0.dropFirst() }) },
        Change("ID02: a space", .malformed) { Self.joined(Self.parts($0), payload: { $0.dropLast() + " " }) },
        Change("ID02: a space at the start", .malformed) { " " + $0 },
        Change("ID02: a new line at the end", .malformed) { $0 + "\n" },
        Change("ID02: a new line in the payload", .malformed) { Self.joined(Self.parts($0), payload: { "\n" + $0 }) },
        Change("ID02: leftover bits that are not zero", .malformed) { Self.joined(Self.parts($0), payload: { _ in "e31" }) },
        Change("ID02: a letter that is not ASCII", .malformed) { Self.joined(Self.parts($0), payload: { _ in "é" }) },
        Change("ID13: a flipped bit of the payload", .invalidSignature) { Self.joined(Self.parts($0), payload: { _ in "e30K" }) },
        Change("ID13: an empty signature", .malformed) { Self.parts($0).prefix(2).joined(separator: ".") + "." },
        Change("ID13: a flipped bit of the signature", .invalidSignature) { Self.changingSignature(of: $0) { $0[5] ^= 1 } },
        Change("ID13: a truncated signature", .invalidSignature) { Self.changingSignature(of: $0) { $0.removeLast() } },
        Change("ID13: half of the signature", .invalidSignature) { Self.changingSignature(of: $0) { $0.removeLast(32) } },
        Change("ID10: a byte after the signature", .invalidSignature) { Self.changingSignature(of: $0) { $0.append(0) } },
        Change("ID10: a byte before the signature", .invalidSignature) { Self.changingSignature(of: $0) { $0.insert(0, at: 0) } },
        Change("ID10: r is zero", .invalidSignature) { Self.changingSignature(of: $0) { $0.replaceSubrange(..<32, with: Self.zero) } },
        Change("ID10: s is zero", .invalidSignature) { Self.changingSignature(of: $0) { $0.replaceSubrange(32..., with: Self.zero) } },
        Change("ID10: r and s are zero", .invalidSignature) { Self.changingSignature(of: $0) { $0 = Self.zero + Self.zero } },
    ])
    func `accepts only three parts in strict base64url, with the right signature`(change: Change) throws {
        let token = try signedToken(header: Self.header, key: TestKeys.key(.es256))
        #expect(rejection(of: change.apply(token), keys: try TestKeys.publicKeys(.es256)) == change.code)
    }

    /// A header, signed correctly.
    struct Header: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: JOSEError.Code?
        let bytes: [UInt8]

        init(_ description: String, _ code: JOSEError.Code?, _ text: String) {
            self.init(description, code, Array(text.utf8))
        }

        init(_ description: String, _ code: JOSEError.Code?, _ bytes: [UInt8]) {
            testDescription = description
            self.code = code
            self.bytes = bytes
        }
    }

    @Test(arguments: [
        Header("whitespace in the JSON", nil, "{ \"alg\" : \"ES256\" ,\r\n \"kid\" : \"ES256\" }"),
        Header("parameters that are not known", nil, #"{"alg":"ES256","nonce":"n","x":[{"y":null}],"enc":"A128GCM"}"#),
        Header("an escaped name and value", nil, #"{"\u0061lg":"\u0045S256"}"#),
        Header("ID03: an array", .malformed, #"["alg","ES256"]"#),
        Header("ID03: a string", .malformed, #""ES256""#),
        Header("ID03: null", .malformed, "null"),
        Header("ID03: not JSON", .malformed, "alg=ES256"),
        Header("ID03: bytes after the object", .malformed, #"{"alg":"ES256"}{}"#),
        Header("ID03: a comma after the last member", .malformed, #"{"alg":"ES256",}"#),
        Header("ID03: a byte order mark", .malformed, "\u{FEFF}" + #"{"alg":"ES256"}"#),
        Header("ID03: not UTF-8", .malformed, Array(#"{"alg":"ES256","x":""#.utf8) + [0xFF] + Array(#""}"#.utf8)),
        Header("ID03: UTF-16", .malformed, #"{"alg":"ES256"}"#.utf8.flatMap { [$0, 0] }),
        Header("ID03: nine levels", .malformed, #"{"alg":"ES256","x":[[[[[[[[]]]]]]]]}"#),
        Header("eight levels", nil, #"{"alg":"ES256","x":[[[[[[[]]]]]]]}"#),
        Header("ID04: a duplicate name", .malformed, #"{"alg":"ES256","alg":"ES256"}"#),
        Header("ID04: a duplicate name, the first of them none", .malformed, #"{"alg":"none","alg":"ES256"}"#),
        Header("ID04: a duplicate name, once escaped", .malformed, #"{"alg":"ES256","\u0061lg":"none"}"#),
        Header("ID05: alg is none", .notAllowed, #"{"alg":"none"}"#),
        Header("ID05: alg is NONE", .notAllowed, #"{"alg":"NONE"}"#),
        Header("ID05: alg is nOnE", .notAllowed, #"{"alg":"nOnE"}"#),
        Header("ID05: alg is empty", .notAllowed, #"{"alg":""}"#),
        Header("ID05: no alg", .malformed, #"{"kid":"ES256"}"#),
        Header("ID05: alg is null", .malformed, #"{"alg":null}"#),
        Header("ID05: alg is an array", .malformed, #"{"alg":["ES256"]}"#),
        Header("ID05: alg in other letters", .notAllowed, #"{"alg":"es256"}"#),
        Header("ID05: alg with a space", .notAllowed, #"{"alg":"ES256 "}"#),
        Header("ID05: only ALG", .malformed, #"{"ALG":"ES256"}"#),
        Header("ID11: an algorithm with another curve", .noKey, #"{"alg":"ES384"}"#),
        Header("ID11: an algorithm with another type of key", .noKey, #"{"alg":"RS256"}"#),
        Header("ID11: an algorithm with a symmetric key", .noKey, #"{"alg":"HS256"}"#),
        Header("ID14: a URL of a key set", nil, #"{"alg":"ES256","jku":"https://attacker.example/jwks"}"#),
        Header("ID14: a URL of a certificate", nil, #"{"alg":"ES256","x5u":"https://attacker.example/certificate"}"#),
        Header("ID14: certificates", nil, #"{"alg":"ES256","x5c":["AAAA"],"x5t":"AAAA","x5t#S256":"AAAA"}"#),
        Header("ID14: a key that is not a key", nil, #"{"alg":"ES256","jwk":{"kty":"oct","k":"AAAA"}}"#),
        Header("ID15: crit with a name", .notAllowed, #"{"alg":"ES256","crit":["exp"],"exp":1}"#),
        Header("ID15: crit that is empty", .notAllowed, #"{"alg":"ES256","crit":[]}"#),
        Header("ID15: crit that is null", .notAllowed, #"{"alg":"ES256","crit":null}"#),
        Header("ID16: b64 is false", .notAllowed, #"{"alg":"ES256","b64":false}"#),
        Header("ID16: b64 is false, and critical", .notAllowed, #"{"alg":"ES256","b64":false,"crit":["b64"]}"#),
        Header("ID16: b64 is true", .notAllowed, #"{"alg":"ES256","b64":true}"#),
        Header("ID16: zip", .notAllowed, #"{"alg":"ES256","zip":"DEF"}"#),
        Header("kid is a number", .malformed, #"{"alg":"ES256","kid":1}"#),
        Header("typ is an object", .malformed, #"{"alg":"ES256","typ":{}}"#),
        Header("cty is Boolean", .malformed, #"{"alg":"ES256","cty":true}"#),
        Header("ID44: a kid that is not known", .noKey, #"{"alg":"ES256","kid":"ES256 "}"#),
        Header("ID44: an empty kid", .noKey, #"{"alg":"ES256","kid":""}"#),
    ])
    func `accepts only the headers that the rules allow`(header: Header) throws {
        let token = try signedToken(header: header.bytes, payload: "{}".utf8, key: TestKeys.key(.es256))
        #expect(rejection(of: token, keys: try TestKeys.publicKeys(.es256)) == header.code)
    }

    static let forbidden: [(SignatureAlgorithm, Set<SignatureAlgorithm>)] = [
        (.es256, []), (.es256, [.rs256]), (.es256, [.es384, .es512]), (.rs256, [.ps256]), (.ps256, [.rs256]), (.ed25519, [.es256]),
        (.es256, [.init(rawValue: "es256")]),
    ]

    @Test(arguments: forbidden)
    func `ID06: rejects an algorithm that is not in the list, before looking for a key`(
        algorithm: SignatureAlgorithm, allowed: Set<SignatureAlgorithm>
    ) throws {
        let token = try signedToken(header: #"{"alg":"\#(algorithm)"}"#, key: TestKeys.key(algorithm))
        #expect(rejection(of: token, keys: JSONWebKeySet([]), allowing: allowed) == .notAllowed)
        #expect(rejection(of: token, keys: try TestKeys.publicKeys(algorithm), allowing: allowed) == .notAllowed)
        #expect(rejection(of: token, keys: try TestKeys.publicKeys(algorithm), allowing: allowed.union([algorithm])) == nil)
    }

    @Test(arguments: ["none", "NONE", "nOnE"])
    func `ID05: rejects none even if it is in the list`(name: String) throws {
        let algorithm = SignatureAlgorithm(rawValue: name)
        for token in [
            try signedToken(header: #"{"alg":"\#(name)"}"#, key: TestKeys.key(.es256)),
            "\(Base64URL.encode(#"{"alg":"\#(name)"}"#.utf8)).e30.",
        ] {
            let keys = try TestKeys.publicKeys(.es256)
            #expect(rejection(of: token, keys: keys, allowing: everyAlgorithm.union([algorithm])) != nil)
        }
    }

    @Test func `ID14: verifies with a key of the set, not with the key in the header`() throws {
        let attacker = try SoftwareSigningKey.generate(.es256)
        let jwk = String(decoding: JSONValue.object(attacker.publicKey.publicMembers).serialized(), as: UTF8.self)
        let token = try signedToken(header: #"{"alg":"ES256","jwk":\#(jwk)}"#, key: attacker)
        #expect(rejection(of: token, keys: try TestKeys.publicKeys(.es256)) == .invalidSignature)
        let honest = try signedToken(header: #"{"alg":"ES256","jwk":\#(jwk)}"#, key: TestKeys.key(.es256))
        #expect(rejection(of: honest, keys: try TestKeys.publicKeys(.es256)) == nil)
    }

    @Test(arguments: [
        (64 * 1024, nil as JOSEError.Code?), (64 * 1024 + 1, .malformed), (1024 * 1024, .malformed),
    ])
    func `ID49: accepts 64 KiB`(size: Int, code: JOSEError.Code?) throws {
        let key = try TestKeys.key(.es256)
        let frame = try signedToken(header: #"{"alg":"ES256"}"#, payload: "", key: key).utf8.count
        // Every third length of base64url is impossible, so that the header makes up the difference.
        let token = try #require(
            try (0..<4).lazy.compactMap { spaces -> String? in
                let header = #"{"alg":"ES256"}"# + String(repeating: " ", count: spaces)
                let payload = "{}" + String(repeating: " ", count: (size - frame) * 3 / 4 - 2 - spaces)
                let token = try signedToken(header: header, payload: payload, key: key)
                return token.utf8.count == size ? token : nil
            }.first)
        #expect(rejection(of: token, keys: try TestKeys.publicKeys(.es256)) == code)
    }

    @Test(arguments: [(6 * 1024, nil as JOSEError.Code?), (6 * 1024 + 1, .malformed), (20 * 1024, .malformed)])
    func `ID49: accepts a header of 8 KiB`(size: Int, code: JOSEError.Code?) throws {
        let header = #"{"alg":"ES256"}"#
        let spaces = String(repeating: " ", count: size - header.utf8.count)
        let token = try signedToken(header: header + spaces, key: TestKeys.key(.es256))
        #expect(rejection(of: token, keys: try TestKeys.publicKeys(.es256)) == code)
    }

    private static let zero = [UInt8](repeating: 0, count: 32)

    private static func parts(_ token: String) -> [String] {
        token.split(separator: ".").map(String.init)
    }

    private static func joined(_ parts: [String], payload: (String) -> String) -> String {
        "\(parts[0]).\(payload(parts[1])).\(parts[2])"
    }

    private static func changingSignature(of token: String, _ change: (inout [UInt8]) -> Void) -> String {
        let parts = parts(token)
        var signature = Base64URL.decode(parts[2]) ?? []
        change(&signature)
        return "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))"
    }
}
