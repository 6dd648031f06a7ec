import AuthHubPrimitives
import JOSE
import Testing

/// The encrypted examples of the JOSE cookbook (RFC 7520 §5 and §6, RFC 8037 appendix A).
@Suite(.enabled(if: Vectors.areHere, Vectors.absence)) struct EncryptionCookbookTests {
    static let files = Vectors.files(in: "jose-cookbook/jwe").map { "jwe/\($0)" } + ["curve25519/ecdh-es.json"]

    /// The examples in compact serialization that are rejected by design, by the number of their section.
    static let rejected = [
        "5_1": "RSA1_5 lets attackers decrypt tokens (RFC 8725 §3.2)",
        "5_3": "PBES2 is for passwords, and the sender chooses how much work it costs",
        "5_9": "compressed content can be a bomb (RFC 8725 §3.6)",
    ]

    /// The examples that have no compact serialization.
    static let onlyJSON: Set = ["5_10", "5_11", "5_12", "5_13"]

    private static func section(_ file: String) -> String {
        String(file.split(separator: "/").last?.split(separator: ".").first ?? "")
    }

    @Test(arguments: files) func `decrypts the compact serialization`(file: String) throws {
        let example = try #require(Vectors.read("jose-cookbook/\(file)"))
        let section = Self.section(file)
        guard let token = example["output"]?["compact"]?.string else {
            #expect(Self.onlyJSON.contains(section))
            return
        }
        if let reason = Self.rejected[section] {
            #expect(error { () throws(JOSEError) in try JSONWebEncryption(Secret(token)) }?.code == .notAllowed)
            #expect(!reason.isEmpty)
            return
        }
        let key = try DecryptionKey(Secret(#require(example["input"]?["key"]?.object)))
        #expect(try decrypt(Secret(token), [key]) == example["input"]?["plaintext"]?.string)
    }

    @Test("ID01: rejects the JSON serializations", arguments: files)
    func rejectsJSON(file: String) throws {
        let output = try #require(Vectors.read("jose-cookbook/\(file)")?["output"])
        for serialization in [output["json"], output["json_flat"]].compactMap(\.self) {
            let token = String(decoding: serialization.serialized(), as: UTF8.self)
            #expect(error { () throws(JOSEError) in try JSONWebEncryption(Secret(token)) }?.code == .malformed)
        }
    }

    @Test func `decrypts a nested token, and verifies the signed token in it`() throws {
        let example = try #require(Vectors.read("jose-cookbook/6.nesting_signatures_and_encryption.json"))
        let key = try DecryptionKey(Secret(#require(example["encrypt"]?["input"]?["key"]?.object)))
        let token = try JSONWebEncryption(Secret(#require(example["encrypt"]?["output"]?["compact"]?.string)))
        #expect(token.header.contentType == "JWT")
        let signed = String(decoding: try token.decrypted(by: [key], allowing: .everything).reveal(), as: UTF8.self)
        #expect(signed == example["sign"]?["output"]?["compact"]?.string)

        var signer = try #require(example["sign"]?["input"]?["key"]?.object)
        for name in ["d", "p", "q", "dp", "dq", "qi"] { signer[name] = nil }
        let keys = JSONWebKeySet([try JSONWebKey(signer)])
        let payload = try JSONWebSignature(Secret(signed)).verified(by: keys, allowing: [.ps256])
        #expect(String(decoding: payload.bytes, as: UTF8.self) == example["sign"]?["input"]?["payload"]?.string)
    }

    @Test func `all examples are there, and no exception is left over`() {
        #expect(Self.files.count == 14)
        #expect(Self.onlyJSON.union(Self.rejected.keys).isSubset(of: Self.files.map(Self.section)))
    }
}
