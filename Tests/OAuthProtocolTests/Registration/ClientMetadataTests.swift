import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

struct ClientMetadataTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changes: [(String, JSONValue?)]
        let isGood: Bool

        init(_ testDescription: String, _ changes: [(String, JSONValue?)], isGood: Bool = false) {
            self.testDescription = testDescription
            self.changes = changes
            self.isGood = isGood
        }
    }

    private static let key: JSONValue = ["kty": "EC", "crv": "P-256", "x": "x", "y": "y"]
    private static let native: (String, JSONValue?) = ("application_type", "native")

    @Test(arguments: [
        Row("https", [], isGood: true),
        Row("RQ10 http", [("redirect_uris", ["http://app.example/cb"])]),
        Row("RQ10 loopback for a web client", [("redirect_uris", ["http://127.0.0.1/cb"])]),
        Row("RQ10 loopback for a native client", [("redirect_uris", ["http://127.0.0.1/cb", "http://[::1]/cb"]), native], isGood: true),
        Row("RQ10 http elsewhere for a native client", [("redirect_uris", ["http://app.example/cb"]), native]),
        Row("RQ10 a custom scheme for a web client", [("redirect_uris", ["com.example.app:/cb"])]),
        Row("RQ10 a custom scheme for a native client", [("redirect_uris", ["com.example.app:/cb"]), native], isGood: true),
        Row("RQ10 a script", [("redirect_uris", ["javascript:alert(1)"]), native]),
        Row("RQ10 a fragment", [("redirect_uris", ["https://app.example/cb#a"])]),
        Row("RQ10 no redirect URI for the code grant", [("redirect_uris", nil)]),
        Row("RQ10 a string instead of a list", [("redirect_uris", "https://app.example/cb")]),
        Row("RQ10 contacts that are not strings", [("contacts", [1])]),
        Row("RQ10 contacts", [("contacts", ["admin@example.com"])], isGood: true),
        Row("RQ10 jwks", [("jwks", ["keys": [key]])], isGood: true),
        Row("RQ10 jwks and jwks_uri", [("jwks", ["keys": [key]]), ("jwks_uri", "https://app.example/jwks")]),
        Row("RQ10 jwks_uri by http", [("jwks_uri", "http://app.example/jwks")]),
        Row("RQ10 jwks that is not a key set", [("jwks", [key])]),
        Row("RQ10 a private key", [("jwks", ["keys": [["kty": "EC", "crv": "P-256", "x": "x", "y": "y", "d": "d"]]])]),
        Row("RQ10 a shared key", [("jwks", ["keys": [["kty": "oct", "k": "k"]]])]),
        Row("RQ10 a required key", [("token_endpoint_auth_method", "private_key_jwt")]),
        Row("RQ10 encryption without an algorithm", [("id_token_encrypted_response_enc", "A256GCM")]),
        Row(
            "RQ10 encryption with an algorithm",
            [
                ("userinfo_encrypted_response_enc", "A256GCM"), ("userinfo_encrypted_response_alg", "RSA-OAEP"),
                ("jwks_uri", "https://app.example/jwks"),
            ], isGood: true),
        Row("RQ10 encryption with the client secret", [("id_token_encrypted_response_alg", "dir")], isGood: true),
        Row("RQ10 encryption without a public key", [("id_token_encrypted_response_alg", "ECDH-ES")]),
        Row("RQ10 an algorithm that is not a name", [("id_token_signed_response_alg", 256)]),
        Row("RQ10 no signature", [("id_token_signed_response_alg", "none")]),
        Row("RQ10 a signature", [("userinfo_signed_response_alg", "ES256")], isGood: true),
        Row("RQ10 a flag as a string", [("require_auth_time", "yes")]),
        Row("RQ10 a negative age", [("default_max_age", -1)]),
        Row("RQ10 an age", [("default_max_age", 0), ("require_auth_time", true)], isGood: true),
        Row("RQ10 a page that starts sign-ins", [("initiate_login_uri", "https://app.example/login")], isGood: true),
        Row("RQ10 a page that starts sign-ins, by http", [("initiate_login_uri", "http://app.example/login")]),
        Row(
            "RQ10 logout",
            [
                ("backchannel_logout_uri", "https://app.example/out"), ("backchannel_logout_session_required", true),
                ("frontchannel_logout_uri", "http://127.0.0.1:8080/out"), ("post_logout_redirect_uris", ["https://app.example/bye"]),
            ], isGood: true),
        Row("RQ10 logout by http", [("backchannel_logout_uri", "http://app.example/out")]),
        Row("RQ10 logout with a flag that is a string", [("frontchannel_logout_session_required", "true")]),
        Row("RQ10 a page after the logout, by http", [("post_logout_redirect_uris", ["http://app.example/bye"])]),
        Row("RQ10 hosted requests", [("request_uris", ["https://app.example/r.jwt#abc"])], isGood: true),
        Row("RQ10 hosted requests by http", [("request_uris", ["http://app.example/r.jwt"])]),
        Row("RQ10 a symmetric key without its value", [("jwks", ["keys": [["kty": "oct", "kid": "1"]]])]),
        Row("RQ10 encryption of a request object", [("request_object_encryption_enc", "A256GCM")]),
        Row("RFC 7591 §2.1 code without its grant type", [("response_types", ["code"]), ("grant_types", ["client_credentials"])]),
        Row(
            "RFC 7591 §2.1 the grant type without code",
            [("response_types", ["token"]), ("grant_types", ["authorization_code", "implicit"])]),
        Row("RFC 7591 §2.1 token without implicit", [("response_types", ["code", "token"])]),
        Row("no browser, no redirect", [("redirect_uris", nil), ("grant_types", ["client_credentials"])], isGood: true),
        Row("a page over http", [("client_uri", "http://app.example")]),
        Row("a page with a javascript URL", [("logo_uri", "javascript:alert(1)")]),
        Row("a name that is a number", [("client_name", 1)]),
        Row("a client ID", [("client_id", "mine")]),
        Row("a secret", [("client_secret", "s")]),
        Row("a registration access token", [("registration_access_token", "t")]),
        Row("an unknown member", [("example_extension_parameter", "value"), ("client_name#ja", "名")], isGood: true),
    ])
    func `checks metadata before it is sent for registration`(row: Row) {
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["https://app.example/cb"]
        for (name, value) in row.changes { metadata.members[name] = value }
        let failure = error { () throws(OAuthError) in try metadata.check() }
        #expect(failure?.code == (row.isGood ? nil : .misuse), "\(failure?.explanation ?? "")")
    }

    @Test func `a native program registers what it can support`() throws {
        let metadata = ClientMetadata(
            nativeProgram: "Example", redirectURIs: [.loopback, .customScheme("com.example.app")], scope: ["openid"])
        try metadata.check()
        #expect(metadata.redirectURIs == ["http://127.0.0.1/callback", "com.example.app:/callback"])
        #expect(metadata.tokenEndpointAuthenticationMethod == ClientAuthenticationMethod.none)
        #expect(metadata.applicationType == "native")
    }

    @Test func `adds and removes members by name`() {
        var metadata = ClientMetadata()
        metadata.clientURI = "https://a.example"
        metadata.logoURI = "https://a.example/l"
        metadata.termsOfServiceURI = "https://a.example/t"
        metadata.policyURI = "https://a.example/p"
        metadata.keySetURI = "https://a.example/k"
        metadata.softwareID = "id"
        metadata.softwareVersion = "1"
        metadata.softwareStatement = "a.b.c"
        metadata.contacts = ["c"]
        metadata.requiresPushedAuthorizationRequests = true
        metadata.keySet = JSONObject()
        metadata.keySet = nil
        #expect(
            JSONValue.object(metadata.members) == [
                "client_uri": "https://a.example", "logo_uri": "https://a.example/l", "tos_uri": "https://a.example/t",
                "policy_uri": "https://a.example/p", "jwks_uri": "https://a.example/k", "software_id": "id", "software_version": "1",
                "software_statement": "a.b.c", "contacts": ["c"], "require_pushed_authorization_requests": true,
            ])
    }
}
