import AuthHubPrimitives
import Testing

@testable import JOSE

/// The signed tokens of Wycheproof.
struct WycheproofSignatureTests {
    static let signatures = WycheproofRow.all("json_web_signature_test.json", member: "jws")
    static let keys = WycheproofRow.all("json_web_key_test.json", member: "jws")
    static let crypto = WycheproofRow.all("json_web_crypto_test.json", member: "jws")

    /// The tests of the signature file whose label is not the expected result.
    static let exceptions: [Int: String] = [
        346: "the key's alg is PS256, but the header's is PS384",
        347: "the key's alg is ES521, which is not registered, and which test 19 of the key file requires to be rejected",
        350: "the key's alg is PS256, but the header's is PS384",
        351: "the key's alg is ES521, which is not registered, and which test 19 of the key file requires to be rejected",
        367: "the token is the same as that of a valid test; the padding that it was meant to have is lost",
        370: "the token is the same as that of a valid test; the padding that it was meant to have is lost",
        372: "the token has question marks inside base64url",
        373: "the token has question marks inside base64url",
    ]

    @Test(.enabled(if: Vectors.areHere, Vectors.absence))
    func `reads all tests of the files`() {
        #expect(Self.signatures.count == 401)
        #expect(Self.keys.count == 26)
        // The other 34 tests of the crypto file are about encrypted tokens.
        #expect(Self.crypto.count == 49)
        #expect(Set(Self.exceptions.keys).isSubset(of: Self.signatures.map(\.id)))
    }

    @Test(.enabled(if: Vectors.areHere, Vectors.absence), arguments: signatures)
    func `ID05 to ID13: accepts and rejects the signatures`(row: WycheproofRow) throws {
        let isException = Self.exceptions[row.id] != nil
        #expect(Self.accepts(row) == (row.isValid != isException))
    }

    @Test(.enabled(if: Vectors.areHere, Vectors.absence), arguments: keys)
    func `JK03 to JK16, ID48: accepts and rejects the keys`(row: WycheproofRow) throws {
        #expect(Self.accepts(row) == row.isValid)
    }

    @Test(.enabled(if: Vectors.areHere, Vectors.absence), arguments: crypto)
    func `ID01 to ID13: accepts and rejects the signed tokens`(row: WycheproofRow) throws {
        #expect(Self.accepts(row) == row.isValid)
    }

    private static func accepts(_ row: WycheproofRow) -> Bool {
        do {
            let keys = try keySet(row)
            let token = try JSONWebSignature(Secret(row.token))
            _ = try token.verified(by: keys, allowing: everyAlgorithm)
            return true
        } catch {
            return false
        }
    }

    /// The keys of a test. A group without public keys has symmetric ones, which are read like a client secret.
    private static func keySet(_ row: WycheproofRow) throws -> JSONWebKeySet {
        func document(_ key: JSONObject) -> JSONObject { key["keys"] == nil ? keySetDocument([.object(key)]) : key }
        if let key = row.publicKey { return try JSONWebKeySet(document(key)) }
        return try JSONWebKeySet(symmetric: document(try #require(row.privateKey)))
    }
}
