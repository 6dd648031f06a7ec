import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

/// AppAuth's rules for a server's metadata, for the members that AuthHub reads; see `docs/checks.md`.
struct DiscoveryTableTests {
    /// A document like those of large servers.
    private static let document: JSONValue = [
        "issuer": "https://as.example",
        "authorization_endpoint": "https://as.example/authorize",
        "token_endpoint": "https://as.example/token",
        "revocation_endpoint": "https://as.example/revoke",
        "device_authorization_endpoint": "https://as.example/device",
        "userinfo_endpoint": "https://as.example/userinfo",
        "introspection_endpoint": "https://as.example/introspect",
        "registration_endpoint": "https://as.example/register",
        "end_session_endpoint": "https://as.example/logout",
        "pushed_authorization_request_endpoint": "https://as.example/par",
        "check_session_iframe": "https://as.example/session",
        "jwks_uri": "https://as.example/keys",
        "response_types_supported": ["code", "code id_token"],
        "response_modes_supported": ["query", "form_post"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "subject_types_supported": ["public", "pairwise"],
        "acr_values_supported": ["urn:1"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        "id_token_encryption_alg_values_supported": [],
        "userinfo_signing_alg_values_supported": ["RS256"],
        "request_object_signing_alg_values_supported": ["none"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "none"],
        "token_endpoint_auth_signing_alg_values_supported": ["RS256"],
        "code_challenge_methods_supported": ["plain", "S256"],
        "scopes_supported": ["openid", "profile"],
        "claims_supported": ["sub", "iss"],
        "claim_types_supported": ["normal"],
        "display_values_supported": ["page"],
        "prompt_values_supported": ["login"],
        "ui_locales_supported": ["de", "en"],
        "claims_locales_supported": ["en"],
        "service_documentation": "https://as.example/docs",
        "op_policy_uri": "https://as.example/policy",
        "op_tos_uri": "https://as.example/terms",
        "claims_parameter_supported": true,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": true,
        "require_request_uri_registration": false,
        "authorization_response_iss_parameter_supported": true,
        "dpop_signing_alg_values_supported": ["ES256"],
        "x_of_its_own": ["nested": ["deep": 1]],
    ]

    private func read(_ document: JSONValue) throws(OAuthError) -> ServerMetadata {
        try ServerMetadata(
            HTTPResponse(status: .ok), body: Secret(document.serialized()), of: try Issuer("https://as.example"))
    }

    @Test func `AppAuth: parses a document and keeps all its members unchanged`() throws {
        let metadata = try read(Self.document)
        #expect(metadata.issuer == "https://as.example")
        #expect(
            metadata.endpoints
                == Endpoints(
                    authorization: "https://as.example/authorize", token: "https://as.example/token",
                    revocation: "https://as.example/revoke", deviceAuthorization: "https://as.example/device",
                    userInfo: "https://as.example/userinfo", endSession: "https://as.example/logout",
                    introspection: "https://as.example/introspect", registration: "https://as.example/register",
                    pushedAuthorization: "https://as.example/par", jwks: "https://as.example/keys"))
        #expect(metadata.codeChallengeMethods == ["plain", "S256"])
        #expect(metadata.tokenEndpointAuthenticationMethods == ["client_secret_basic", "none"])
        #expect(metadata.promisesIssuerInResponse)
        #expect(JSONValue.object(metadata.members) == Self.document)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let missing: String
        /// The expected error; nil if the sign-in is still possible.
        let expected: OAuthError.Code?
    }

    @Test(arguments: [
        Row(testDescription: "AppAuth: the issuer", missing: "issuer", expected: .invalidResponse),
        Row(testDescription: "AppAuth: the authorization endpoint", missing: "authorization_endpoint", expected: .configuration),
        Row(testDescription: "AppAuth: the token endpoint", missing: "token_endpoint", expected: .configuration),
        Row(testDescription: "where it differs: the keys, which AuthHub does not read", missing: "jwks_uri", expected: nil),
        Row(testDescription: "where it differs: the response types (RFC 8414 §2)", missing: "response_types_supported", expected: nil),
        Row(testDescription: "where it differs: the subject types of OpenID", missing: "subject_types_supported", expected: nil),
        Row(
            testDescription: "where it differs: the ID token algorithms of OpenID",
            missing: "id_token_signing_alg_values_supported", expected: nil),
        Row(testDescription: "AppAuth: the userinfo endpoint may be missing", missing: "userinfo_endpoint", expected: nil),
        Row(testDescription: "AppAuth: the challenge methods may be missing", missing: "code_challenge_methods_supported", expected: nil),
    ])
    func `rejects a sign-in if a member that it needs is missing, and the error names the member`(row: Row) throws {
        var members = try #require(Self.document.object)
        #expect(members[row.missing] != nil)
        members[row.missing] = nil
        let failure = error { () throws(OAuthError) in
            let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(try read(.object(members)))
            return try AuthorizationRequest(to: profile, client: client, redirectURI: redirectURI, scope: [], at: now)
        }
        #expect(failure?.code == row.expected)
        if row.expected == .configuration { #expect(failure?.explanation.contains(row.missing) == true) }
    }
}
