import AuthHubPrimitives
import Testing

@testable import JOSE

struct JSONWebKeySetTests {
    @Test(arguments: [
        ("JK02: no keys", "{}", JOSEError.Code.malformed), ("JK02: keys is null", #"{"keys":null}"#, .malformed),
        ("JK02: keys is an object", #"{"keys":{}}"#, .malformed), ("JK02: keys is a string", #"{"keys":"[]"}"#, .malformed),
        ("JK02: a key is a string", #"{"keys":["a"]}"#, .malformed), ("JK02: a key is null", #"{"keys":[{"kty":"EC"},null]}"#, .malformed),
        ("JK02: a key is an array", #"{"keys":[[]]}"#, .malformed), ("JK02: a key instead of a set", #"{"kty":"EC"}"#, .malformed),
        ("JK05: public and symmetric keys", #"{"keys":[{"kty":"EC"},{"kty":"oct","k":"AAAA"}]}"#, .unusableKey),
        ("JK05: a symmetric key without k", #"{"keys":[{"kty":"oct"},{"kty":"RSA"}]}"#, .unusableKey),
    ])
    func `rejects a document that is not a set of public keys`(description: String, document: String, code: JOSEError.Code) throws {
        let document = try JSONObject(document)
        #expect(error { () throws(JOSEError) in try JSONWebKeySet(document) }?.code == code)
    }

    @Test func `JK02: an empty set has no keys`() throws {
        let keys = try JSONWebKeySet(JSONObject(#"{"keys":[],"issuer":"a"}"#))
        #expect(keys.keys.isEmpty)
        #expect(keys.rejected.isEmpty)
    }

    @Test(arguments: [(100, true), (101, false), (1000, false)])
    func `JK13: accepts 100 keys`(count: Int, isAccepted: Bool) throws {
        let members = try TestKeys.key(.es256).publicKey.publicMembers
        let document = keySetDocument((0..<count).map { .object(members.with("kid", .string("\($0)"))) })
        #expect(error { () throws(JOSEError) in try JSONWebKeySet(document) }?.code == (isAccepted ? nil : .malformed))
    }

    @Test func `JK05: a set of symmetric keys has no keys, unless they are secrets`() throws {
        let text = #"{"keys":[{"kty":"oct","kid":"a","alg":"HS256","k":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}]}"#
        let keys = try JSONWebKeySet(JSONObject(text))
        #expect(keys.keys.isEmpty)
        #expect(keys.rejected.map(\.error.code) == [.unusableKey])
        #expect(try JSONWebKeySet(symmetric: JSONObject(text)).keys.map(\.keyID) == ["a"])
    }

    @Test func `JK03 to JK07: skips the keys that cannot be used, and lists them`() throws {
        let right = try TestKeys.key(.es256).publicKey.publicMembers
        let keys = try JSONWebKeySet(
            keySetDocument([
                .object(right.with("kid", "private").with("d", "AAAA")), .object(right.with("kid", "curve").with("crv", "secp256k1")),
                .object(right), .object(right.with("kid", nil).with("kty", "XYZ")), .object(right.with("kid", 7)),
                .object(try TestKeys.key(.rs256).publicKey.publicMembers),
            ]))
        #expect(keys.keys.map(\.keyID) == ["ES256", "RS256"])
        #expect(keys.rejected.map(\.index) == [0, 1, 3, 4])
        #expect(keys.rejected.map(\.keyID) == ["private", "curve", nil, nil])
        #expect(keys.rejected.map(\.error.code) == [.unusableKey, .unusableKey, .unusableKey, .malformed])
    }

    /// Changes of a second key that has the same members as the first.
    struct Second: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isAmbiguous: Bool
        let change: @Sendable (JSONObject) -> JSONObject

        init(_ description: String, isAmbiguous: Bool, change: @escaping @Sendable (JSONObject) -> JSONObject) {
            testDescription = description
            self.isAmbiguous = isAmbiguous
            self.change = change
        }
    }

    @Test(arguments: [
        Second("the same key", isAmbiguous: true) { $0 },
        Second("another key that cannot be read", isAmbiguous: true) { $0.with("x", "AAAA") },
        Second("another curve", isAmbiguous: true) { $0.with("crv", "secp256k1") },
        Second("a private key", isAmbiguous: true) { $0.with("d", "AAAA") },
        Second("another member", isAmbiguous: true) { $0.with("x5t", "AAAA") },
        Second("another kid", isAmbiguous: false) { $0.with("kid", "other") },
        Second("another kid, canonically equivalent", isAmbiguous: false) { $0.with("kid", "e\u{301}") },
        Second("no kid", isAmbiguous: false) { $0.with("kid", nil) },
        Second("another kty", isAmbiguous: false) { $0.with("kty", "XYZ") },
        Second("another alg", isAmbiguous: false) { $0.with("alg", "ES521") },
        Second("no alg", isAmbiguous: false) { $0.with("alg", nil) },
        Second("another use", isAmbiguous: false) { $0.with("use", "enc") },
        Second("no use", isAmbiguous: false) { $0.with("use", nil) },
    ])
    func `JK08: keys with the same kid, kty, alg and use are ambiguous`(second: Second) throws {
        let first = try TestKeys.key(.es256).publicKey.publicMembers.with("kid", "é")
        let keys = try JSONWebKeySet(keySetDocument([.object(first), .object(second.change(first))]))
        #expect(keys.rejected.contains { $0.error.code == .ambiguousKey } == second.isAmbiguous)
        #expect(keys.keys.isEmpty == second.isAmbiguous)
    }

    @Test func `keys without kid are not ambiguous before a token arrives`() throws {
        let first = try TestKeys.key(.es256).publicKey.publicMembers.with("kid", nil)
        let keys = try JSONWebKeySet(keySetDocument([.object(first), .object(first)]))
        #expect(keys.keys.count == 2)
    }
}
