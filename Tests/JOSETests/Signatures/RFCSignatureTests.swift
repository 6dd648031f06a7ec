import AuthHubPrimitives
import Testing

@testable import JOSE

/// The examples of the RFCs and of OpenID Connect.
struct RFCSignatureTests {
    @Test(.enabled(if: Vectors.areHere, Vectors.absence), arguments: ["rfc7515-a.1", "rfc7515-a.3", "rfc8037-a.4"])
    func `verifies the signed tokens`(id: String) throws {
        let example = try Vectors.example(id)
        let members = try #require(example["jwk"]?.object)
        let key = members["kty"] == "oct" ? try JSONWebKey(symmetric: members) : try JSONWebKey(members.withoutPrivateMembers)
        let token = try JSONWebSignature(Secret(try #require(example["compact"]?.string)))
        let payload = try token.verified(by: JSONWebKeySet([key]), allowing: [.hs256, .es256, .ed25519])
        #expect(payload.bytes == Array(try #require(example["payload"]?.string).utf8))
        if id.hasPrefix("rfc7515") {
            #expect(try payload.claims["iss"] == "joe")
        } else {
            #expect(error { () throws(JOSEError) in try payload.claims }?.code == .malformed)
        }
    }

    @Test(
        .enabled(if: Vectors.areHere, Vectors.absence),
        arguments: [("rfc7638-3.1", "thumbprint"), ("rfc8037-a.3", "thumbprint"), ("rfc9449-5-token", "jkt")])
    func `computes the thumbprints`(id: String, member: String) throws {
        let example = try Vectors.example(id)
        let key = try JSONWebKey(try #require(example["jwk"]?.object))
        #expect(key.thumbprint == example[member]?.string)
    }

    @Test(
        .enabled(if: Vectors.areHere, Vectors.absence),
        arguments: [("oidc-core-a-at_hash", "access_token", "at_hash"), ("oidc-core-a-c_hash", "code", "c_hash")])
    func `ID43: computes the hashes of OpenID Connect`(id: String, value: String, hash: String) throws {
        let example = try Vectors.example(id)
        let value = Secret(try #require(example[value]?.string))
        #expect(SignatureAlgorithm.rs256.leftHalfHash(of: value) == example[hash]?.string)
    }

    @Test(.enabled(if: Vectors.areHere, Vectors.absence), arguments: ["rfc9449-5-token", "rfc9449-5-refresh", "rfc9449-7.1"])
    func `ID14: verifies the DPoP proofs with the right key, and ignores their own`(id: String) throws {
        let example = try Vectors.example(id)
        let token = try #require(example["proof"]?.string)
        let right = JSONWebKeySet([try JSONWebKey(try #require(example["jwk"]?.object))])
        #expect(rejection(of: token, keys: right) == nil)
        #expect(rejection(of: token, keys: JSONWebKeySet([try SoftwareSigningKey.generate(.es256).publicKey])) == .invalidSignature)
        #expect(rejection(of: token, keys: JSONWebKeySet([])) == .noKey)
    }
}
