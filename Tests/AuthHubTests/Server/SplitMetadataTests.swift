import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import OAuthProtocol
import Testing

/// DD30: an OpenID provider with two documents, of which each lacks a member that the other has, or has it with another value.
struct SplitMetadataTests {
    private static let issuer = "https://as.example"
    private static let oauthPlace = "https://as.example/.well-known/oauth-authorization-server"
    private static let openIDPlace = "https://as.example/.well-known/openid-configuration"

    /// Each member that clients use, with its value in the document for OpenID Connect and another value.
    static let members: [(name: String, right: JSONValue, other: JSONValue)] =
        Endpoints.Name.allCases.map { ($0.rawValue, .string("https://as.example/\($0)"), .string("https://as.example/other/\($0)")) }
        + [
            "scopes_supported", "response_types_supported", "response_modes_supported", "grant_types_supported",
            "code_challenge_methods_supported", "acr_values_supported", "prompt_values_supported", "claims_supported",
            "token_endpoint_auth_methods_supported", "token_endpoint_auth_signing_alg_values_supported",
            "revocation_endpoint_auth_methods_supported", "introspection_endpoint_auth_methods_supported",
            "id_token_signing_alg_values_supported", "userinfo_signing_alg_values_supported", "dpop_signing_alg_values_supported",
        ].map { ($0, ["right"], ["other"]) }
        + [
            "authorization_response_iss_parameter_supported", "require_pushed_authorization_requests", "claims_parameter_supported",
            "client_id_metadata_document_supported",
        ].map { ($0, true, false) }

    private static func document(_ name: String, _ value: JSONValue?) -> JSONValue {
        var object = JSONObject()
        object["issuer"] = .string(issuer)
        for member in members where member.name != name { object[member.name] = member.right }
        object[name] = value
        return .object(object)
    }

    private static func read(_ oauth: JSONValue, _ openID: JSONValue, scope: Scope) async throws -> ServerMetadata? {
        let transport = RoutedTransport([(.get(oauthPlace), .json(oauth)), (.get(openIDPlace), .json(openID))])
        let session = OAuthSession(
            OAuthSession.Configuration(
                server: .issuer(try Issuer(issuer)), client: OAuthClient(id: "client"), scope: scope, grant: .refreshToken,
                store: MemoryCredentialStore(), dependencies: Dependencies(transport: transport) { start }))
        return try await session.provider().metadata
    }

    @Test(arguments: members.map(\.name))
    func `DD30: with openid, the document for OpenID Connect counts, and the other one completes it`(name: String) async throws {
        let member = try #require(Self.members.first { $0.name == name })
        let (right, other) = (Self.document(name, member.right), Self.document(name, member.other))
        let missing = Self.document(name, nil)
        for (oauth, openID) in [(missing, right), (other, right), (right, missing), (Self.document(name, 7), right)] {
            let metadata = try #require(try await Self.read(oauth, openID, scope: ["openid"]))
            #expect(metadata.members[name] == member.right)
            if let endpoint = Endpoints.Name(rawValue: name) { #expect(metadata.endpoints[endpoint] == member.right.string) }
        }
        #expect(try await Self.read(other, right, scope: ["read"])?.members[name] == member.other, "without openid, only the first is read")
    }

    @Test func `DD30: a provider whose first document is that for OpenID Connect is asked for no other`() async throws {
        let transport = RoutedTransport([(.get(Self.openIDPlace), .json(Self.document("x", nil)))])
        let session = OAuthSession(
            OAuthSession.Configuration(
                server: .issuer(try Issuer(Self.issuer)), client: OAuthClient(id: "client"), scope: ["openid"], grant: .refreshToken,
                store: MemoryCredentialStore(), dependencies: Dependencies(transport: transport) { start }))
        _ = try await session.provider(needing: [.token, .jwks])
        #expect(transport.requests.count == 2)
    }
}
