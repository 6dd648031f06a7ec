import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Synchronization
import Testing

/// DD26: an issuer with two documents, each of which lacks members of the other.
struct CompletedMetadataTests {
    private static let oauthPlace = "https://as.example/.well-known/oauth-authorization-server/t"
    private static let openIDPlace = "https://as.example/t/.well-known/openid-configuration"
    private static let issuer = "https://as.example/t"

    private static func document(_ endpoints: [String: String], issuer: String = issuer) -> JSONValue {
        var members = JSONObject()
        members["issuer"] = .string(issuer)
        for (name, path) in endpoints { members[name] = .string("https://as.example/t/\(path)") }
        return .object(members)
    }

    private static let oauth = document([
        "token_endpoint": "token", "authorization_endpoint": "authorize", "device_authorization_endpoint": "device",
        "revocation_endpoint": "revoke",
    ])
    private static let openID = document([
        "token_endpoint": "token", "authorization_endpoint": "authorize", "userinfo_endpoint": "me", "introspection_endpoint": "introspect",
    ])

    private static func session(_ transport: RoutedTransport) throws -> OAuthSession {
        OAuthSession(
            server: .issuer(try Issuer(issuer)), client: OAuthClient(id: "client"), browser: ScriptedBrowser { _ in .cancelled },
            store: MemoryCredentialStore(), dependencies: Dependencies(transport: transport) { start })
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let needed: Set<Endpoints.Name>
        var openID = ScriptedAnswer.json(CompletedMetadataTests.openID)
        /// The number of requests: for the first document, for the second location if it has no document, and for the other document.
        let requests: Int
        var found: Set<Endpoints.Name> = []
        var error: SessionError.Code?
    }

    static let rows: [Row] = [
        Row(testDescription: "DD26 nothing is missing: no second request", needed: [.token, .revocation], requests: 1),
        Row(testDescription: "DD26 UserInfo is in the other document", needed: [.userInfo], requests: 3, found: [.userInfo]),
        Row(testDescription: "DD26 UserInfo is in neither document", needed: [.registration], requests: 3),
        Row(
            testDescription: "DD26 the other document belongs to another issuer", needed: [.userInfo],
            openID: .json(document(["userinfo_endpoint": "me"], issuer: "https://evil.example")), requests: 3),
        Row(
            testDescription: "DD26 the other location returns a web page", needed: [.userInfo],
            openID: .status(.ok, body: Array("<html>".utf8)),
            requests: 3),
        Row(
            testDescription: "DD26 the other location is unavailable", needed: [.userInfo], openID: .status(.serviceUnavailable),
            requests: 3, error: .unreachable),
    ]

    @Test(arguments: rows)
    func `DD26: reads the other document only if a needed endpoint is missing`(row: Row) async throws {
        let transport = RoutedTransport([(.get(Self.oauthPlace), .json(Self.oauth)), (.get(Self.openIDPlace), row.openID)])
        let session = try Self.session(transport)
        var error: SessionError.Code?
        do {
            let endpoints = try await session.provider(needing: row.needed).endpoints
            for name in [Endpoints.Name.userInfo, .introspection, .registration] where row.needed.contains(name) {
                #expect((endpoints?[name] != nil) == row.found.contains(name))
            }
            _ = try await session.provider(needing: row.needed)
        } catch let failure {
            error = failure.code
        }
        #expect(error == row.error)
        #expect(transport.requests.count == row.requests, "and what was read is kept")
        #expect(try await session.provider(needing: [.token]).endpoints?.token == "https://as.example/t/token")
        #expect(transport.requests.count == row.requests)
    }

    @Test func `DD26: the session remembers an endpoint once it has found it`() async throws {
        let transport = RoutedTransport([(.get(Self.oauthPlace), .json(Self.oauth)), (.get(Self.openIDPlace), .json(Self.openID))])
        let session = try Self.session(transport)
        #expect(try await session.provider().accountEndpoint == nil)
        _ = try await session.provider(needing: [.userInfo])
        #expect(try await session.provider().accountEndpoint == "https://as.example/t/me")
        #expect(try await session.provider().endpoints?.deviceAuthorization == "https://as.example/t/device")
    }

    @Test func `DD26: single requests find their endpoints in the other document`() async throws {
        let transport = RoutedTransport([
            (.get(Self.oauthPlace), .json(Self.oauth)), (.get(Self.openIDPlace), .json(Self.openID)),
            (.post("https://as.example/t/introspect"), .json(["active": true])),
        ])
        let server = AuthorizationServer(.issuer(try Issuer(Self.issuer)), dependencies: Dependencies(transport: transport) { start })
        #expect(try await server.introspect(Secret("token"), as: OAuthClient(id: "client")).isActive)
    }

    @Test func `DD06: uses the other document of a server that returns 401 for unknown paths`() async throws {
        let place = "https://as.example/.well-known/oauth-authorization-server"
        let transport = RoutedTransport([
            (.get(place), .status(.unauthorized)),
            (
                .get("https://as.example/.well-known/openid-configuration"),
                .json(["issuer": "https://as.example", "token_endpoint": "https://as.example/token"])
            ),
        ])
        let discovery = ServerDiscovery(dependencies: Dependencies(transport: transport) { start })
        #expect(try await discovery.metadata(of: "https://as.example").endpoints.token == "https://as.example/token")
        let nowhere = RoutedTransport([(.get(place), .status(.unauthorized))])
        let error = await #expect(throws: SessionError.self) {
            try await ServerDiscovery(dependencies: Dependencies(transport: nowhere) { start }).metadata(of: "https://as.example")
        }
        #expect(error?.explanation.contains("\(place): 401, https://as.example/.well-known/openid-configuration: 404") == true)
    }
}
