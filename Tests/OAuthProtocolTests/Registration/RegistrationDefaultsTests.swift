import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

/// Registration responses that leave members out, or return every member that the server knows.
struct RegistrationDefaultsTests {
    private static func server(listing methods: String?) throws -> ProviderProfile {
        let list = methods.map { #","token_endpoint_auth_methods_supported":[\#($0)]"# } ?? ""
        let more = #"{"registration_endpoint":"https://as.example/register"\#(list)}"#
        return ProviderProfile.issuer(try Issuer("https://as.example")).applying(try metadata(more))
    }

    private static func registered(
        _ body: String, requesting method: ClientAuthenticationMethod? = ClientAuthenticationMethod.none, at server: ProviderProfile
    ) throws -> ClientRegistration {
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["http://127.0.0.1/cb"]
        metadata.applicationType = "native"
        metadata.tokenEndpointAuthenticationMethod = method
        let request = try RegistrationRequest.register(metadata, at: server)
        return try #require(try request.accept(answer(201), body: Secret(Array(body.utf8)), from: server))
    }

    private static func client(_ registration: ClientRegistration, at server: ProviderProfile) throws -> OAuthClient {
        try registration.client(at: server, redirectURI: .loopback(path: "/cb"), at: now)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let requested: ClientAuthenticationMethod?
        let hasSecret: Bool
        let listed: String?
        let expected: ClientAuthenticationMethod

        init(
            _ description: String, asking requested: ClientAuthenticationMethod?, hasSecret: Bool, listed: String?,
            is expected: ClientAuthenticationMethod
        ) {
            testDescription = "RG12 \(description)"
            self.requested = requested
            self.hasSecret = hasSecret
            self.listed = listed
            self.expected = expected
        }
    }

    static let rows: [Row] = [
        Row("as requested: none", asking: ClientAuthenticationMethod.none, hasSecret: false, listed: #""none""#, is: .none),
        Row("none, although there is a secret", asking: ClientAuthenticationMethod.none, hasSecret: true, listed: #""none""#, is: .none),
        Row("as requested: post", asking: .post, hasSecret: true, listed: #""client_secret_basic","client_secret_post""#, is: .post),
        Row("as requested, and the server lists nothing", asking: .post, hasSecret: true, listed: nil, is: .post),
        Row(
            "a secret that was not requested", asking: ClientAuthenticationMethod.none, hasSecret: true, listed: #""client_secret_post""#,
            is: .post),
        Row("no secret, although one was requested", asking: .basic, hasSecret: false, listed: #""client_secret_basic","none""#, is: .none),
        Row(
            "a different method than requested", asking: .post, hasSecret: true, listed: #""private_key_jwt","client_secret_basic""#,
            is: .basic
        ),
        Row("the default", asking: nil, hasSecret: true, listed: nil, is: .basic),
        Row("not the default, because it is not listed", asking: nil, hasSecret: true, listed: #""client_secret_post","none""#, is: .post),
        Row("only none is listed", asking: nil, hasSecret: true, listed: #""none""#, is: .none),
        Row("nothing requested, and no secret", asking: nil, hasSecret: false, listed: nil, is: .none),
    ]

    @Test(arguments: rows)
    func `RG12: a missing authentication method is the requested one, or else one that the server lists`(row: Row) throws {
        let server = try Self.server(listing: row.listed)
        let body = #"{"client_id":"c"\#(row.hasSecret ? #","client_secret":"s","client_secret_expires_at":0"# : "")}"#
        let registration = try Self.registered(body, requesting: row.requested, at: server)
        for registration in [registration, try ClientRegistration(serialized: registration.serialized())] {
            let client = try Self.client(registration, at: server)
            #expect(client.authentication == row.expected)
            #expect(try ClientAuthentication(client, at: server).method == row.expected, "and the client can authenticate")
            try registration.checkUse(at: server, at: now)
        }
    }

    @Test(arguments: ["null", #""""#])
    func `RG13: an empty member of the response is a missing one`(empty: String) throws {
        let server = try Self.server(listing: #""none""#)
        let names = [
            "client_secret", "client_secret_expires_at", "client_id_issued_at", "registration_access_token", "registration_client_uri",
            "token_endpoint_auth_method", "token_endpoint_auth_signing_alg", "id_token_signed_response_alg",
            "id_token_encrypted_response_alg",
            "id_token_encrypted_response_enc", "userinfo_signed_response_alg", "userinfo_encrypted_response_alg",
            "request_object_signing_alg", "require_auth_time", "default_max_age", "backchannel_logout_session_required", "redirect_uris",
            "grant_types", "response_types", "scope", "client_uri", "logo_uri", "jwks_uri", "jwks", "software_id", "contacts",
        ]
        let body = #"{"client_id":"c",\#(names.map { "\"\($0)\":\(empty)" }.joined(separator: ","))}"#
        let registration = try Self.registered(body, at: server)
        #expect(registration.clientSecret == nil && registration.clientSecretExpiresAt == nil && !registration.lacksSecretExpiry)
        #expect(!registration.isManageable && registration.clientURIProblem == nil)
        #expect(registration.metadata.members.members.map(\.name) == ["token_endpoint_auth_method"])
        let client = try Self.client(registration, at: server)
        #expect(client.secret == nil && client.authentication == ClientAuthenticationMethod.none)
        #expect(client.registered == OpenIDRegistration())
        let secret = try Self.registered(#"{"client_id":"c","client_secret":"s","client_secret_expires_at":\#(empty)}"#, at: server)
        #expect(secret.clientSecret == Secret("s") && secret.clientSecretExpiresAt == nil && secret.lacksSecretExpiry)
    }

    @Test(arguments: [
        ("RG09 UserInfo as plain JSON", "userinfo_signed_response_alg"),
        ("RG09 UserInfo that is not encrypted", "userinfo_encrypted_response_alg"),
        ("RG09 ID tokens that are not encrypted", "id_token_encrypted_response_alg"),
        ("RG09 plain authorization responses", "authorization_signed_response_alg"),
        ("RG09 plain introspection responses", "introspection_signed_response_alg"),
    ])
    func `RG09: none means plain JSON or no encryption, except for ID tokens`(description: String, name: String) throws {
        let server = try Self.server(listing: #""none""#)
        let registration = try Self.registered(#"{"client_id":"c","\#(name)":"none"}"#, at: server)
        #expect(try Self.client(registration, at: server).registered == OpenIDRegistration(), "\(description)")
        // A version that did not know this may have stored it.
        var members = try #require(try JSONValue(strict: registration.serialized().reveal()).object)
        members["metadata"] = .object(JSONObject(name, "none"))
        let stored = try ClientRegistration(serialized: Secret(JSONValue.object(members).serialized()))
        #expect(try Self.client(stored, at: server).registered == OpenIDRegistration(), "\(description)")
    }

    @Test(arguments: [
        ("RG14 unsigned ID tokens", #""id_token_signed_response_alg":"none""#),
        ("RG14 an unknown method", #""token_endpoint_auth_method":"attest_jwt_client_auth""#),
        ("RG14 a method that needs a secret", #""token_endpoint_auth_method":"client_secret_post""#),
        ("RG14 encryption without a key", #""userinfo_encrypted_response_alg":"RSA-OAEP-256""#),
        ("RG14 a secret that has expired", #""client_secret":"s","client_secret_expires_at":1"#),
    ])
    func `RG14: a client that cannot be used is noticed when it is registered`(description: String, member: String) throws {
        let server = try Self.server(listing: #""none","client_secret_post""#)
        let registration = try Self.registered(#"{"client_id":"c",\#(member)}"#, at: server)
        #expect(throws: OAuthError.self, "\(description)") { try registration.checkUse(at: server, at: now) }
    }
}

extension JSONObject {
    fileprivate init(_ name: String, _ value: JSONValue) {
        self.init()
        self[name] = value
    }
}
