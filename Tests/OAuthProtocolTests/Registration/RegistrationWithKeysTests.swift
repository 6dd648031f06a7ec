import AuthHubPrimitives
import HTTPTypes
import JOSE
import Testing

@testable import OAuthProtocol

/// Registration of clients that have keys (OpenID Connect Dynamic Client Registration 1.0 §2).
struct RegistrationWithKeysTests {
    private static let server: ProviderProfile = {
        var server = openIDServer
        server.endpoints?.registration = "https://as.example/register"
        return server
    }()

    private let keys: ClientKeys
    private var metadata = ClientMetadata()

    init() throws {
        keys = ClientKeys(signing: try .generate(.es256), decryption: [try .generate(.ecdhES)])
        metadata.redirectURIs = ["https://app.example/cb"]
        metadata.keySet = keys.publicKeys(at: now)
        metadata.openID.idTokenSignature = .es256
        metadata.openID.idTokenEncryption = OpenIDRegistration.Encryption(.ecdhES, content: .a256GCM)
        metadata.openID.userInfoSignature = .es256
        metadata.openID.userInfoEncryption = OpenIDRegistration.Encryption(.ecdhES)
        metadata.openID.requiresAuthenticationTime = true
        metadata.openID.defaultMaximumAge = 600
    }

    /// Registers the client at a server that responds with the same metadata, except for some changes.
    private func registered(_ changes: [(String, JSONValue?)] = []) throws -> ClientRegistration {
        let request = try RegistrationRequest.register(metadata, at: Self.server)
        var answer = try #require(try JSONValue(strict: request.message.body.reveal()).object)
        answer["client_id"] = "c"
        for (name, value) in changes { answer[name] = value }
        let head = HTTPResponse(status: .created, headerFields: [.contentType: "application/json"])
        return try #require(try request.accept(head, body: Secret(JSONValue.object(answer).serialized()), from: Self.server))
    }

    private func client(_ registration: ClientRegistration, keys: ClientKeys?) throws(OAuthError) -> OAuthClient {
        try registration.client(at: Self.server, redirectURI: .https(host: "app.example", path: "/cb"), keys: keys, at: now)
    }

    @Test func `RQ10: sends the public keys, and the algorithms for signatures and encryption`() throws {
        let body = try RegistrationRequest.register(metadata, at: Self.server).message.body.reveal()
        let members = try #require(try JSONValue(strict: body).object)
        #expect(members["id_token_signed_response_alg"] == "ES256")
        #expect(members["id_token_encrypted_response_alg"] == "ECDH-ES")
        #expect(members["id_token_encrypted_response_enc"] == "A256GCM")
        #expect(members["userinfo_signed_response_alg"] == "ES256")
        #expect(members["userinfo_encrypted_response_enc"] == "A128CBC-HS256")
        #expect(members["require_auth_time"] == true && members["default_max_age"] == 600)
        let text = String(decoding: body, as: UTF8.self)
        for key in keys.decryptionKeys(at: now) { #expect(!text.contains(key.privateMembers.reveal()["d"]?.string ?? "\"kty\"")) }
        let signingKey = try #require(keys.signingKey(at: now))
        #expect(!text.contains(signingKey.privateMembers.reveal()["d"]?.string ?? "\"kty\""))
        #expect(text.contains(signingKey.publicKey.thumbprint))
    }

    @Test func `the client of a registration has its keys, and requires what it registered`() throws {
        let client = try client(registered(), keys: keys)
        #expect(client.registered == metadata.openID)
        #expect(client.keys == keys)
        let stored = try ClientRegistration(serialized: registered().serialized())
        #expect(try self.client(stored, keys: keys).registered == metadata.openID)
    }

    @Test(
        arguments: [
            ("RG10 another signature", [("id_token_signed_response_alg", "RS256")], "id_token_signed_response_alg"),
            (
                "RG10 no encryption", [("id_token_encrypted_response_alg", nil), ("id_token_encrypted_response_enc", nil)],
                "id_token_encrypted"
            ),
            ("RG10 the default content encryption", [("id_token_encrypted_response_enc", nil)], "id_token_encrypted_response_enc"),
        ] as [(String, [(String, JSONValue?)], String)])
    func `the client requires what the server registered, and differences are reported`(
        description: String, changes: [(String, JSONValue?)], name: String
    ) throws {
        let registration = try registered(changes)
        #expect(registration.differences.contains { $0.name.hasPrefix(name) })
        let client = try client(registration, keys: keys)
        switch changes.first?.1 {
        case "RS256"?: #expect(client.registered.idTokenSignature == .rs256)
        default:
            let isStillEncrypted = changes.count == 1
            #expect(client.registered.idTokenEncryption == (isStillEncrypted ? OpenIDRegistration.Encryption(.ecdhES) : nil))
        }
    }

    @Test(
        arguments: [
            ("RG09 no signature", "id_token_signed_response_alg", "none"),
            ("RG09 an unknown signature", "userinfo_signed_response_alg", "ES256K"),
            ("RG09 RSA1_5", "id_token_encrypted_response_alg", "RSA1_5"),
            ("RG09 an unknown content encryption", "userinfo_encrypted_response_enc", "X"),
        ] as [(String, String, JSONValue)])
    func `returns no client for algorithms that are not supported`(description: String, name: String, value: JSONValue) throws {
        let registration = try registered([(name, value)])
        #expect(throws: OAuthError.self) { try client(registration, keys: keys) }
    }

    @Test func `RG09: returns no client for encryption without a key`() throws {
        let registration = try registered()
        let failure = error { () throws(OAuthError) in try client(registration, keys: nil) }
        #expect(failure?.code == .misuse)
        #expect(failure?.explanation.contains("key") == true)
    }

    @Test(
        arguments: [
            ("RG11 a number", "id_token_encrypted_response_alg", 5), ("RG11 a string", "require_auth_time", "true"),
            ("RG11 a negative age", "default_max_age", -1), ("RG11 an age as a string", "default_max_age", "600"),
        ] as [(String, String, JSONValue)])
    func `rejects a response whose members have the wrong type`(description: String, name: String, value: JSONValue) {
        let error = #expect(throws: OAuthError.self) { try registered([(name, value)]) }
        #expect(error?.code == .invalidResponse)
    }
}
