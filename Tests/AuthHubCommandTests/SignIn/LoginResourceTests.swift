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

    struct ClientRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var client = OAuthClient(id: "client")
        var found: FoundClient?
        var typed = ClientRequest()
        var environmentID: String?
        /// The issuer of the account that exists for the resource; nil if there is none.
        var known: String?
        var isConfirmed = false
        let isAccepted: Bool
    }

    private static let secretClient = OAuthClient(id: "client", secret: Secret("s"))

    private static func remembered() throws -> FoundClient {
        .remembered(try RememberedClient(AccountSettings(provider: .issuer("https://as.example"), client: secretClient)))
    }

    @Test(
        arguments: try [
            ClientRow(testDescription: "a public client that the user names", typed: ClientRequest(id: "client"), isAccepted: true),
            ClientRow(
                testDescription: "a secret that the user names", client: secretClient, typed: ClientRequest(id: "client", secretFile: "f"),
                isAccepted: false),
            ClientRow(
                testDescription: "a secret that the user names, and the issuer", client: secretClient,
                typed: ClientRequest(id: "client", secretFile: "f"), isConfirmed: true, isAccepted: true),
            ClientRow(
                testDescription: "a secret that is not sent", client: secretClient,
                typed: ClientRequest(id: "client", secretFile: "f", authentication: .clientSecretJWT), isAccepted: true),
            ClientRow(testDescription: "a remembered client", client: secretClient, found: remembered(), isAccepted: false),
            ClientRow(
                testDescription: "a remembered client at an issuer that the user names", client: secretClient, found: remembered(),
                isConfirmed: true, isAccepted: true),
            ClientRow(testDescription: "a secret of another account", client: secretClient, isAccepted: false),
            ClientRow(
                testDescription: "the account's own secret at its own server", client: secretClient, known: "https://as.example",
                isAccepted: true),
            ClientRow(
                testDescription: "the account's own secret at a server that the resource names now", client: secretClient,
                known: "https://old.example", isAccepted: false),
            ClientRow(testDescription: "the client in the environment", environmentID: "client", isAccepted: false),
            ClientRow(testDescription: "another client than that in the environment", environmentID: "other", isAccepted: true),
            ClientRow(
                testDescription: "the client in the environment, which the user also names", typed: ClientRequest(id: "client"),
                environmentID: "client", isAccepted: true),
            ClientRow(
                testDescription: "a client of the former server", typed: ClientRequest(id: "client"), known: "https://old.example",
                isAccepted: false),
            ClientRow(
                testDescription: "a client whose ID is a document, at another server", client: OAuthClient(id: "https://c.example/id"),
                typed: ClientRequest(id: "https://c.example/id"), known: "https://old.example", isAccepted: true),
            ClientRow(
                testDescription: "a client that was registered for the resource",
                client: OAuthClient(id: "client", secret: Secret("s"), redirectURI: .loopback(forClientsOf: "https://as.example")),
                isAccepted: true),
        ])
    func `a client is used only at a server that may have it`(row: ClientRow) throws {
        var target = try Self.resource("https://api.example/", issuer: "https://as.example", url: "https://api.example/")
        target.protection.isConfirmed = row.isConfirmed
        let settings = AccountSettings(provider: .issuer("https://as.example"), client: row.client)
        let known = row.known.map { issuer in
            var known = AccountSettings(provider: .issuer(issuer), client: row.client)
            known.resource = target.indicator
            return known
        }
        var failure: Failure?
        do throws(Failure) {
            try target.check(settings, row.found, typed: row.typed, environmentID: row.environmentID, known: known)
        } catch {
            failure = error
        }
        #expect((failure == nil) == row.isAccepted, "\(failure?.message ?? "")")
        #expect(failure?.exit ?? .usage == .usage)
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
