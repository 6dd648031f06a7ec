import AuthHubPrimitives
import Testing

@testable import JOSE

/// The signed tokens of the JOSE cookbook (RFC 7520 §4, RFC 8037, RFC 7797).
struct CookbookSignatureTests {
    /// A serialization of a token of the cookbook.
    struct Row: Sendable, CustomTestStringConvertible {
        let file: String
        let form: String
        let token: JSONValue
        let example: JSONValue

        var testDescription: String { "\(file), \(form)" }
        var isCompact: Bool { form == "compact" }
    }

    static let files =
        Vectors.files(in: "jose-cookbook/jws").map { "jws/\($0)" }
        + Vectors.files(in: "jose-cookbook/rfc7797").map { "rfc7797/\($0)" } + ["curve25519/jws.json"]

    static let rows: [Row] = files.flatMap { file -> [Row] in
        guard let example = Vectors.read("jose-cookbook/\(file)") else { return [] }
        return (example["output"]?.object?.members ?? []).map { Row(file: file, form: $0.name, token: $0.value, example: example) }
    }

    /// Compact tokens that are rejected, and why.
    static let exceptions: [String: JOSEError.Code] = [
        // The payload is not in the token, so the signature is not valid for the empty payload.
        "jws/4_5.signature_with_detached_content.json": .invalidSignature,
        // The payload is not encoded (RFC 7797).
        "rfc7797/hmac-sha2_b64_false.json": .malformed,
    ]

    @Test(.enabled(if: Vectors.areHere, Vectors.absence))
    func `reads all examples`() {
        #expect(Self.files.count == 11)
        #expect(Self.rows.count == 28)
        #expect(Self.rows.count(where: \.isCompact) == 7)
        #expect(Set(Self.exceptions.keys).isSubset(of: Self.files))
    }

    @Test(.enabled(if: Vectors.areHere, Vectors.absence), arguments: rows.filter(\.isCompact))
    func `verifies the compact tokens`(row: Row) throws {
        let keys = try Self.keySet(row)
        let token = try #require(row.token.string)
        let expected = Self.exceptions[row.file]
        #expect(rejection(of: token, keys: keys) == expected)
        guard expected == nil else { return }
        let payload = try JSONWebSignature(Secret(token)).verified(by: keys, allowing: everyAlgorithm)
        #expect(payload.bytes == Array(try #require(row.example["input"]?["payload"]?.string).utf8))
    }

    @Test(.enabled(if: Vectors.areHere, Vectors.absence), arguments: rows.filter { !$0.isCompact })
    func `ID01: rejects the JSON serializations`(row: Row) throws {
        let token = String(decoding: row.token.serialized(), as: UTF8.self)
        #expect(rejection(of: token, keys: try Self.keySet(row)) == .malformed)
    }

    @Test(
        .enabled(if: Vectors.areHere, Vectors.absence),
        arguments: ["jws/4_1.rsa_v15_signature.json", "curve25519/jws.json"])
    func `reproduces the signatures that are not random`(file: String) async throws {
        let example = try #require(Vectors.read("jose-cookbook/\(file)"))
        let algorithm = try #require(example["input"]?["alg"]?.string)
        let key = try SoftwareSigningKey(
            Secret(try #require(example["input"]?["key"]?.object)), algorithm: SignatureAlgorithm(rawValue: algorithm))
        let token = try await JSONWebSignature.sign(
            bytes: Array(try #require(example["input"]?["payload"]?.string).utf8), with: key,
            header: try #require(example["signing"]?["protected"]?.object))
        #expect(token.reveal() == example["output"]?["compact"]?.string)
    }

    @Test(.enabled(if: Vectors.areHere, Vectors.absence))
    func `verifies the signed part of the nested example`() throws {
        let example = try #require(Vectors.read("jose-cookbook/6.nesting_signatures_and_encryption.json")?["sign"])
        let members = try #require(example["input"]?["key"]?.object)
        let keys = JSONWebKeySet([try SoftwareSigningKey(Secret(members), algorithm: .ps256).publicKey])
        let token = try JSONWebSignature(Secret(try #require(example["output"]?["compact"]?.string)))
        let payload = try token.verified(by: keys, allowing: [.ps256])
        try payload.header.checkType(["jwt"], canBeMissing: false)
        #expect(try payload.claims["iss"] == "hobbiton.example")
    }

    private static func keySet(_ row: Row) throws -> JSONWebKeySet {
        let input = try #require(row.example["input"]?["key"])
        let keys = (input.array ?? [input]).compactMap(\.object)
        return JSONWebKeySet(
            try keys.map { key in
                key["kty"] == "oct" ? try JSONWebKey(symmetric: key) : try JSONWebKey(key.withoutPrivateMembers)
            })
    }
}

extension JSONObject {
    var withoutPrivateMembers: Self {
        KeyMembers.privateNames.reduce(self) { $0.with($1, nil) }
    }
}
