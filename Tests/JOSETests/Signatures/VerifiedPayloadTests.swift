import AuthHubPrimitives
import Testing

@testable import JOSE

struct VerifiedPayloadTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let payload: [UInt8]
        let isAccepted: Bool

        init(_ description: String, _ payload: String, isAccepted: Bool = false) {
            self.init(description, Array(payload.utf8), isAccepted: isAccepted)
        }

        init(_ description: String, _ payload: [UInt8], isAccepted: Bool = false) {
            testDescription = description
            self.payload = payload
            self.isAccepted = isAccepted
        }
    }

    @Test(arguments: [
        Row("an object", #"{"iss":"https://issuer.example","aud":["a"],"exp":1.5e9}"#, isAccepted: true),
        Row("an empty object", "{}", isAccepted: true),
        Row("eight levels", #"{"x":[[[[[[[]]]]]]]}"#, isAccepted: true),
        Row("ID03: nine levels", #"{"x":[[[[[[[[]]]]]]]]}"#),
        Row("ID03: nothing", ""),
        Row("ID03: an array", #"[{"iss":"a"}]"#),
        Row("ID03: a string", #""iss""#),
        Row("ID03: null", "null"),
        Row("ID03: not JSON", "iss=a"),
        Row("ID03: truncated", #"{"iss":"a""#),
        Row("ID03: bytes after the object", #"{"iss":"a"}}"#),
        Row("ID03: a name that is not UTF-8", Array(#"{""#.utf8) + [0xC0, 0x80] + Array(#"":1}"#.utf8)),
        Row("ID03: a name with half of a surrogate pair", #"{"\ud800":""}"#),
        Row("a byte order mark", "\u{FEFF}{}", isAccepted: true),
        Row("ID04: a duplicate name", #"{"sub":"a","sub":"b"}"#),
        Row("ID04: a duplicate name, once escaped", #"{"sub":"a","\u0073ub":"b"}"#),
        Row("ID04: a duplicate name in an object below", #"{"address":{"x":1,"x":1}}"#),
    ])
    func `the claims are a strict JSON object`(row: Row) throws {
        let token = try signedToken(header: #"{"alg":"ES256"}"#.utf8, payload: row.payload, key: TestKeys.key(.es256))
        let payload = try JSONWebSignature(Secret(token)).verified(by: TestKeys.publicKeys(.es256), allowing: [.es256])
        #expect(payload.bytes == row.payload)
        #expect(error { () throws(JOSEError) in try payload.claims }?.code == (row.isAccepted ? nil : .malformed))
    }

    @Test(arguments: [Array(#"{"iss":""#.utf8) + [0xC0, 0x80] + Array(#""}"#.utf8), Array(#"{"iss":"\ud800"}"#.utf8)])
    func `ID03: a claim that cannot be decoded has no value to compare`(payload: [UInt8]) throws {
        let token = try signedToken(header: #"{"alg":"ES256"}"#.utf8, payload: payload, key: TestKeys.key(.es256))
        let claims = try JSONWebSignature(Secret(token)).verified(by: TestKeys.publicKeys(.es256), allowing: [.es256]).claims
        #expect(claims["iss"] != nil && claims["iss"]?.string == nil)
    }

    @Test func `a token and a payload are not printed`() throws {
        let token = try signedToken(header: #"{"alg":"ES256"}"#, payload: #"{"sub":"secret-subject"}"#, key: TestKeys.key(.es256))
        let signature = try JSONWebSignature(Secret(token))
        let payload = try signature.verified(by: TestKeys.publicKeys(.es256), allowing: [.es256])
        for value in [signature, payload, try TestKeys.key(.es256)] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, "\(value)", String(reflecting: value)] {
                #expect(!text.contains("secret-subject"))
                #expect(!text.contains("115"), "the first byte of the subject, as a number")
            }
        }
    }

    @Test(arguments: [
        ("absent", nil as String?, true), ("JWT", "JWT", true), ("jwt", "jwt", true), ("a media type", "application/jwt", true),
        ("a media type in capitals", "APPLICATION/JWT", true), ("ID17: an access token", "at+jwt", false),
        ("ID17: an access token as media type", "application/at+jwt", false), ("ID17: a logout token", "logout+jwt", false),
        ("ID17: a DPoP proof", "dpop+jwt", false), ("empty", "", false), ("another type", "text/jwt", false),
        ("the prefix twice", "application/application/jwt", false),
    ])
    func `ID17: checks the kind of a token`(description: String, type: String?, isAccepted: Bool) throws {
        let typ = type.map { #","typ":"\#($0)""# } ?? ""
        let header = try JSONWebSignature(Secret(signedToken(header: #"{"alg":"ES256"\#(typ)}"#, key: TestKeys.key(.es256)))).header
        let failure = error { () throws(JOSEError) in try header.checkType(["jwt"], canBeMissing: true) }
        #expect(failure?.code == (isAccepted ? nil : .notAllowed))
        let strict = error { () throws(JOSEError) in try header.checkType(["jwt"], canBeMissing: false) }
        #expect((strict == nil) == (isAccepted && type != nil))
    }

    @Test(arguments: ["JWT", "jwt", "application/json"])
    func `ID18: rejects a nested token`(type: String) throws {
        let token = try signedToken(header: #"{"alg":"ES256","cty":"\#(type)"}"#, key: TestKeys.key(.es256))
        let header = try JSONWebSignature(Secret(token)).header
        #expect(error { () throws(JOSEError) in try header.checkType(["jwt"], canBeMissing: true) }?.code == .notAllowed)
    }
}
