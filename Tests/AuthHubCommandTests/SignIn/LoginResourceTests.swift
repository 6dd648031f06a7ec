@testable import AuthHub
@testable import AuthHubCommand
import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

struct LoginResourceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The resource and the issuer of an account that exists.
        var resource: String? = "https://api.example/mcp"
        var issuer = "https://as.example"
        let competes: Bool
    }

    @Test(arguments: [
        Row(testDescription: "the same issuer", issuer: "https://evil.example", competes: false),
        Row(testDescription: "an account for the URL itself", competes: true),
        Row(testDescription: "an account for a resource around it", resource: "https://api.example", competes: true),
        Row(testDescription: "an account for a resource below it", resource: "https://api.example/mcp/tools", competes: true),
        Row(testDescription: "an account for another path", resource: "https://api.example/other", competes: true),
        Row(testDescription: "an account for another host", resource: "https://other.example/mcp", competes: false),
        Row(testDescription: "an account without a resource", resource: nil, competes: false),
    ])
    func `MC16: a resource that changes its identifier leads to no other issuer, either`(row: Row) throws {
        // The metadata at the root of the origin describes the whole origin.
        let target = try Self.resource("https://api.example/", issuer: "https://evil.example", url: "https://api.example/mcp")
        var known = AccountSettings(provider: .issuer(row.issuer), client: OAuthClient(id: "client"))
        known.resource = row.resource.flatMap { ResourceIndicator($0) }
        #expect(target.protection.competes(with: known, at: target.url) == row.competes)
    }

    private static func resource(_ resource: String, issuer: String, url: String) throws -> LoginResource {
        let described: JSONValue = ["resource": .string(resource), "authorization_servers": [.string(issuer)]]
        let server: JSONValue = ["issuer": .string(issuer), "token_endpoint": .string(issuer + "/token")]
        let ok = HTTPResponse(status: .ok)
        let protection = ResourceProtection(
            resource: try ProtectedResourceMetadata(
                ok, body: Secret(described.serialized()), of: ResourceIdentifier(resource, transport: .httpsOnly)),
            server: try ServerMetadata(ok, body: Secret(server.serialized()), of: Issuer(issuer)), challenged: [])
        return LoginResource(
            url: url, protection: protection, indicator: try #require(protection.indicator), label: "label", allowsPrivateServers: false)
    }
}
