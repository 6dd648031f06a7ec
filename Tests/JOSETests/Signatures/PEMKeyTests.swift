import AuthHubPrimitives
import Crypto
import CryptoExtras
import Testing

@testable import JOSE

struct PEMKeyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pem: String
        let algorithm: SignatureAlgorithm
    }

    private static let rows: [Row] = {
        var rows = [
            Row(testDescription: "P-256", pem: P256.Signing.PrivateKey().pemRepresentation, algorithm: .es256),
            Row(testDescription: "P-384", pem: P384.Signing.PrivateKey().pemRepresentation, algorithm: .es384),
            Row(testDescription: "P-521", pem: P521.Signing.PrivateKey().pemRepresentation, algorithm: .es512),
            Row(testDescription: "Ed25519", pem: Curve25519.Signing.PrivateKey().pemRepresentation, algorithm: .edDSA),
        ]
        guard let rsa = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { return rows }
        rows.append(Row(testDescription: "RSA, PKCS #1", pem: rsa.pemRepresentation, algorithm: .rs256))
        rows.append(Row(testDescription: "RSA, PKCS #8", pem: rsa.pkcs8PEMRepresentation, algorithm: .rs256))
        return rows
    }()

    @Test func `every kind of key is tried`() {
        #expect(Self.rows.count == 6)
    }

    @Test(arguments: rows)
    func `a PEM file is a key that signs, without an ID`(row: Row) async throws {
        let key = try SoftwareSigningKey(pem: Secret(row.pem))
        #expect(key.algorithm == row.algorithm && key.publicKey.keyID == nil)
        let token = try await JSONWebSignature.sign(JSONObject(), with: key)
        var set = JSONObject()
        set["keys"] = [.object(key.publicKey.publicMembers)]
        _ = try JSONWebSignature(token).verified(by: try JSONWebKeySet(set), allowing: [row.algorithm])
        let again = try SoftwareSigningKey(key.privateMembers)
        #expect(again.publicKey.publicMembers == key.publicKey.publicMembers)
    }

    @Test(arguments: [
        ("text", "hello"), ("empty", ""), ("a public key", P256.Signing.PrivateKey().publicKey.pemRepresentation),
        ("an X25519 key", Curve25519.KeyAgreement.PrivateKey().pemRepresentation),
        ("another curve's bytes", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
        ("encrypted", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"),
    ])
    func `anything else is rejected without being repeated`(description: String, text: String) {
        let failure = #expect(throws: JOSEError.self, "\(description)") { _ = try SoftwareSigningKey(pem: Secret(text)) }
        #expect(failure?.explanation.contains("AAAA") == false)
        #expect(description != "encrypted" || failure?.explanation.contains("passphrase") == true)
    }
}
