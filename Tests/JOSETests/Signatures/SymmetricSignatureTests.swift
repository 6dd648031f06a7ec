import AuthHubPrimitives
import Crypto
import Testing

@testable import JOSE

/// Tokens with a message authentication code, whose key is the client secret.
struct SymmetricSignatureTests {
    static let secret = Secret("a client secret with more than sixty-four bytes, so that it fits HS512, too")

    @Test(arguments: [SignatureAlgorithm.hs256, .hs384, .hs512])
    func `verifies with the client secret, whatever the kid`(algorithm: SignatureAlgorithm) async throws {
        let key = try SoftwareSigningKey(clientSecret: Self.secret, algorithm: algorithm)
        let claims = try JSONObject(#"{"iss":"a"}"#)
        let signed = try await JSONWebSignature.sign(claims, with: key, type: "JWT").reveal()
        let keys = JSONWebKeySet([JSONWebKey(clientSecret: Self.secret)])
        let payload = try JSONWebSignature(Secret(signed)).verified(by: keys, allowing: [algorithm])
        #expect(try payload.claims == claims)
        #expect(payload.header.keyID == nil)
        let withID = try signedToken(header: #"{"alg":"\#(algorithm)","kid":"a"}"#, key: key)
        #expect(rejection(of: withID, keys: keys) == nil)
        #expect(
            rejection(of: signed, keys: JSONWebKeySet([JSONWebKey(clientSecret: Secret(Self.secret.reveal() + "."))])) == .invalidSignature)
    }

    @Test func `ID08: a client without a secret has no key for HS256`() throws {
        let key = try SoftwareSigningKey(clientSecret: Self.secret)
        let token = try signedToken(header: #"{"alg":"HS256"}"#, key: key)
        #expect(rejection(of: token, keys: try TestKeys.publicKeys(.es256, .rs256)) == .noKey)
        #expect(rejection(of: token, keys: try TestKeys.publicKeys(.es256), allowing: [.rs256, .es256]) == .notAllowed)
    }

    @Test(arguments: [(SignatureAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)])
    func `ID09: the client secret must be as long as the hash`(algorithm: SignatureAlgorithm, length: Int) throws {
        for (count, code) in [(length, nil), (length - 1, .unusableKey), (1, .unusableKey), (0, .unusableKey)] as [(Int, JOSEError.Code?)] {
            let secret = Secret(String(repeating: "s", count: count))
            let failure = error { () throws(JOSEError) in try SoftwareSigningKey(clientSecret: secret, algorithm: algorithm) }
            #expect(failure?.code == code)
            let signed = "\(Base64URL.encode(#"{"alg":"\#(algorithm)"}"#.utf8)).e30"
            let token = "\(signed).\(Base64URL.encode(Self.code(of: signed, secret: secret, algorithm)))"
            #expect(rejection(of: token, keys: JSONWebKeySet([JSONWebKey(clientSecret: secret)])) == code)
        }
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .ed25519])
    func `ID07: a public key is not a secret`(algorithm: SignatureAlgorithm) throws {
        let key = try TestKeys.key(algorithm).publicKey
        let members = JSONValue.object(key.publicMembers).serialized()
        let secrets = [String(decoding: members, as: UTF8.self), try #require((key.publicMembers["n"] ?? key.publicMembers["x"])?.string)]
        for secret in secrets {
            let signed = "\(Base64URL.encode(#"{"alg":"HS256","kid":"\#(algorithm)"}"#.utf8)).e30"
            let token = "\(signed).\(Base64URL.encode(Self.code(of: signed, secret: Secret(secret), .hs256)))"
            #expect(rejection(of: token, keys: try TestKeys.publicKeys(algorithm)) == .noKey)
        }
    }

    @Test func `a client secret is not published or printed`() throws {
        let key = JSONWebKey(clientSecret: Self.secret)
        #expect(key.publicMembers.members.isEmpty)
        #expect(key.keyType == "oct")
        let signing = try SoftwareSigningKey(clientSecret: Self.secret)
        #expect(signing.privateMembers.reveal().members.isEmpty)
        for value in [key, signing] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!(dumped + "\(value)").contains("client secret"))
            #expect(!(dumped + "\(value)").contains("YSBjbGllbnQ"))
        }
    }

    @Test(arguments: [SignatureAlgorithm.es256, .init(rawValue: "none"), .init(rawValue: "HS1")])
    func `a client secret has no other algorithms`(algorithm: SignatureAlgorithm) {
        let failure = error { () throws(JOSEError) in try SoftwareSigningKey(clientSecret: Self.secret, algorithm: algorithm) }
        #expect(failure?.code == .notAllowed)
    }

    private static func code(of signed: String, secret: Secret<String>, _ algorithm: SignatureAlgorithm) -> [UInt8] {
        let key = SymmetricKey(data: Array(secret.reveal().utf8))
        let bytes = Array(signed.utf8)
        return switch algorithm {
        case .hs256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        case .hs384: Array(HMAC<SHA384>.authenticationCode(for: bytes, using: key))
        default: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
        }
    }
}
