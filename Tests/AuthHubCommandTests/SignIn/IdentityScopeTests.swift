@testable import AuthHubCommand
import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

struct IdentityScopeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let members: JSONObject
        let scope: Scope?

        init(_ testDescription: String, _ members: [String: JSONValue], _ scope: Scope?) {
            self.testDescription = testDescription
            var object = JSONObject()
            for (name, value) in members { object[name] = value }
            self.members = object
            self.scope = scope
        }
    }

    private static let keys: JSONValue = "https://as.example/keys"

    static let rows = [
        Row("all are listed", ["scopes_supported": ["email", "openid", "profile", "repo"]], ["openid", "profile", "email"]),
        Row(
            "a scope for refresh tokens is listed, too", ["scopes_supported": ["offline_access", "openid", "profile", "email"]],
            ["openid", "profile", "email", "offline_access"]),
        Row("only openid and that scope are listed", ["scopes_supported": ["openid", "offline_access"]], ["openid", "offline_access"]),
        Row("only that scope is listed, at an OAuth server", ["scopes_supported": ["offline_access", "repo"]], nil),
        Row("only some are listed", ["scopes_supported": ["openid", "email"]], ["openid", "email"]),
        Row("others are listed", ["scopes_supported": ["profile", "repo"]], nil),
        Row("none are listed, at an OAuth server", [:], nil),
        Row("none are listed, and there are only keys", ["jwks_uri": keys], nil),
        Row(
            "none are listed, at an OpenID provider", ["jwks_uri": keys, "id_token_signing_alg_values_supported": ["RS256"]],
            ["openid", "profile", "email"]),
    ]

    @Test(arguments: rows)
    func `without --scope, login requests the scopes that say who signs in, if the server has them`(row: Row) throws {
        var members = row.members
        members["issuer"] = "https://as.example"
        let metadata = try ServerMetadata(
            HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
            body: Secret(JSONValue.object(members).serialized()), of: Issuer("https://as.example"))
        #expect(IdentityScope.scope(at: metadata) == row.scope)
    }

    @Test func `without metadata, login requests no scope`() {
        #expect(IdentityScope.scope(at: nil) == nil)
    }
}
