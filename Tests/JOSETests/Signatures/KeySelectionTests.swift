import AuthHubPrimitives
import Testing

@testable import JOSE

/// Which key of a set verifies a token.
struct KeySelectionTests {
    /// A set of keys, described by changes of the members of the right key and of others.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let header: String
        let keys: @Sendable () throws -> [JSONObject]
        let code: JOSEError.Code?
        var codeIfAllAreTried: JOSEError.Code?

        init(
            _ description: String, header: String = #"{"alg":"ES256","kid":"a"}"#, _ code: JOSEError.Code?,
            ifAllAreTried: JOSEError.Code?? = nil,
            keys: @escaping @Sendable () throws -> [JSONObject]
        ) {
            testDescription = description
            self.header = header
            self.keys = keys
            self.code = code
            codeIfAllAreTried = ifAllAreTried ?? code
        }
    }

    static let withoutID = #"{"alg":"ES256"}"#

    @Test(arguments: [
        Row("the right key", nil) { [try right()] },
        Row("no key", .noKey) { [] },
        Row("another kid", .noKey) { [try right(kid: "b")] },
        Row("a key without kid", .noKey) { [try right(kid: nil)] },
        Row("the right key among others", nil) { [try other(kid: "b"), try right(), try other(kid: nil)] },
        Row("another key with the kid", .invalidSignature) { [try other(kid: "a")] },
        Row("ID45: no kid in the header, one key", header: withoutID, nil) { [try right()] },
        Row("ID45: no kid anywhere, one key", header: withoutID, nil) { [try right(kid: nil)] },
        Row("ID45: no kid in the header, one fitting key", header: withoutID, nil) {
            [try right(), try published(.rs256), try published(.es384), try published(.ed25519), try right(kid: "b").with("use", "enc")]
        },
        Row("ID46: no kid in the header, two fitting keys", header: withoutID, .ambiguousKey, ifAllAreTried: .some(nil)) {
            [try other(kid: "b"), try right()]
        },
        Row("ID46: no kid anywhere, three fitting keys", header: withoutID, .ambiguousKey, ifAllAreTried: .some(nil)) {
            [try other(kid: nil), try other(kid: nil), try right(kid: nil)]
        },
        Row("ID46: four fitting keys", header: withoutID, .ambiguousKey, ifAllAreTried: .some(nil)) {
            [try other(kid: "b"), try other(kid: "c"), try other(kid: "d"), try right()]
        },
        Row("ID46: five fitting keys", header: withoutID, .ambiguousKey) {
            [try other(kid: "b"), try other(kid: "c"), try other(kid: "d"), try other(kid: "e"), try right()]
        },
        Row("ID46: two fitting keys, neither of them right", header: withoutID, .ambiguousKey, ifAllAreTried: .invalidSignature) {
            [try other(kid: "b"), try other(kid: "c")]
        },
        Row("ID47: the same kid on keys of other types and curves", nil) {
            [try published(.rs256, kid: "a"), try published(.es384, kid: "a"), try published(.ed25519, kid: "a"), try right()]
        },
        Row("ID47: the same kid on a key with another alg", header: #"{"alg":"PS256","kid":"a"}"#, .invalidSignature) {
            [try published(.rs256, kid: "a"), try published(.ps256, kid: "a")]
        },
        Row("ID47: the same kid on a key for encryption", nil) { [try other(kid: "a").with("use", "enc"), try right()] },
        Row("ID47: the same kid on a key with an alg and one without", .ambiguousKey) {
            [try other(kid: "a").with("alg", nil), try right()]
        },
        Row("ID48: use is enc", .noKey) { [try right().with("use", "enc")] },
        Row("ID48: another use", .noKey) { [try right().with("use", "signature")] },
        Row("ID48: no use", nil) { [try right().with("use", nil)] },
        Row("ID48: key_ops with verify", nil) { [try right().with("key_ops", ["sign", "verify"])] },
        Row("ID48: key_ops without verify", .noKey) { [try right().with("key_ops", ["sign", "encrypt"])] },
        Row("ID48: empty key_ops", .noKey) { [try right().with("key_ops", [])] },
        Row("ID48: use is sig, but key_ops is encrypt", .noKey) { [try right().with("key_ops", ["encrypt"])] },
        Row("ID11: the key's alg is another one", .noKey) { [try published(.rs256, kid: "a")] },
        Row("no alg", nil) { [try right().with("alg", nil)] },
        Row("JK03: an alg that is not known", .noKey) { [try right().with("alg", "ES521")] },
        Row("JK03: an alg for encryption", .noKey) { [try right().with("alg", "ECDH-ES")] },
        Row("JK08: the same key twice", .ambiguousKey) { [try right(), try right()] },
        Row("JK08: two keys with the same members", .ambiguousKey) { [try right(), try other(kid: "a")] },
        Row("JK08: a second key with the same members, not usable", .ambiguousKey) {
            [try right(), try other(kid: "a").with("x", "AAAA")]
        },
        Row("JK08: two other keys with the same members", nil) { [try right(), try other(kid: "b"), try other(kid: "b")] },
        Row("JK08: two keys without kid", header: withoutID, .ambiguousKey, ifAllAreTried: .some(nil)) {
            [try right(kid: nil), try other(kid: nil)]
        },
    ])
    func `exactly one key must fit`(row: Row) throws {
        let token = try signedToken(header: row.header, key: TestKeys.key(.es256))
        let keys = try JSONWebKeySet(keySetDocument(row.keys().map(JSONValue.object)))
        #expect(rejection(of: token, keys: keys) == row.code)
        let signature = try JSONWebSignature(Secret(token))
        let failure = error { () throws(JOSEError) in
            try signature.verified(by: keys, allowing: everyAlgorithm, triesAllFittingKeys: true)
        }
        #expect(failure?.code == row.codeIfAllAreTried)
        let selection = error { () throws(JOSEError) in try keys.key(for: signature.header, allowing: everyAlgorithm) }
        #expect(selection?.code == (row.code == .invalidSignature ? nil : row.code))
    }

    @Test(arguments: [("EdDSA", "EdDSA"), ("EdDSA", "Ed25519"), ("Ed25519", "EdDSA"), ("Ed25519", "Ed25519")])
    func `a key for EdDSA is also a key for Ed25519`(header: String, alg: String) throws {
        let key = try TestKeys.key(.ed25519)
        let token = try signedToken(header: #"{"alg":"\#(header)"}"#, key: key)
        let keys = try JSONWebKeySet(keySetDocument([.object(key.publicKey.publicMembers.with("alg", .string(alg)))]))
        for allowed in [SignatureAlgorithm.edDSA, .ed25519] {
            #expect(rejection(of: token, keys: keys, allowing: [allowed]) == nil)
        }
    }

    @Test func `the error for keys that fit tells no part of the token`() throws {
        let token = try signedToken(header: #"{"alg":"ES256","kid":"secret-kid"}"#, key: TestKeys.key(.es256))
        let failure = error { () throws(JOSEError) in
            try JSONWebSignature(Secret(token)).verified(by: JSONWebKeySet([]), allowing: everyAlgorithm)
        }
        #expect(failure?.description == "no_key: no key fits the header of the token")
    }

    private static func right(kid: String? = "a") throws -> JSONObject {
        try published(.es256, kid: kid)
    }

    private static func other(kid: String?) throws -> JSONObject {
        try SoftwareSigningKey.generate(.es256).publicKey.publicMembers.with("kid", kid.map(JSONValue.string))
    }

    private static func published(_ algorithm: SignatureAlgorithm, kid: String? = "other") throws -> JSONObject {
        try TestKeys.key(algorithm).publicKey.publicMembers.with("kid", kid.map(JSONValue.string))
    }
}
