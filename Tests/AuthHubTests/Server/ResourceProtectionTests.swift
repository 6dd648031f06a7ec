import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

struct ResourceProtectionTests {
    private static let api = "https://api.example/mcp"
    private static let own = "https://api.example/.well-known/oauth-protected-resource/mcp"
    private static let root = "https://api.example/.well-known/oauth-protected-resource"
    private static let server = "https://as.example/.well-known/oauth-authorization-server"
    private static let other = "https://other.example/.well-known/oauth-authorization-server"

    private static func described(_ resource: String = api, by servers: JSONValue = ["https://as.example"]) -> JSONValue {
        ["resource": .string(resource), "authorization_servers": servers, "scopes_supported": ["read", "write"]]
    }

    private static func metadata(_ issuer: String = "https://as.example", _ more: [String: JSONValue] = [:]) -> JSONValue {
        var members = JSONObject()
        members["issuer"] = .string(issuer)
        members["authorization_endpoint"] = .string(issuer + "/authorize")
        members["token_endpoint"] = .string(issuer + "/token")
        members["code_challenge_methods_supported"] = ["S256"]
        for (name, value) in more { members[name] = value }
        return .object(members)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The challenge of the resource; nil if the response has none.
        var challenge: String?
        var status = 401
        /// The challenge that the caller passes on, instead of a request.
        var typed: String?
        var issuer: String?
        var usesCodes = true
        var assumesOrigin = false
        var documents: [String: JSONValue]
        /// What was requested, in order, without the resource itself.
        var asked: [String]?
        let expected: Outcome
        var isConfirmed: Bool?

        enum Outcome: Sendable, Equatable {
            case found(issuer: String, scope: String?)
            case nothing
            case failed(SessionError.Code)
        }
    }

    static let rows: [Row] = [
        Row(
            testDescription: "MC02 the document at the resource's own path", challenge: "Bearer",
            documents: [own: described(), server: metadata()], asked: [own, server],
            expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(
            testDescription: "MC02 the document at the root, for the whole origin", challenge: "Bearer",
            documents: [root: described("https://api.example"), server: metadata()], asked: [own, root, server],
            expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(
            testDescription: "MC02 a document that the challenge names, and no other place",
            challenge: #"Bearer resource_metadata="https://api.example/meta""#,
            documents: [own: described(), root: described(), server: metadata()], asked: ["https://api.example/meta"],
            expected: .failed(.misconfigured)),
        Row(
            testDescription: "MC03 a document at the resource's path about its origin", challenge: "Bearer",
            documents: [own: described("https://api.example"), server: metadata()], asked: [own], expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC03 a document at the root about another path", challenge: "Bearer",
            documents: [root: described("https://api.example/other"), server: metadata()], asked: [own, root],
            expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC01 no challenge, and the URL is an issuer", status: 404,
            documents: [
                "https://api.example/.well-known/oauth-authorization-server/mcp": metadata(api),
                root: described("https://api.example"),
            ],
            expected: .nothing),
        Row(testDescription: "MC01 no challenge, and nothing at all", status: 404, documents: [:], expected: .failed(.misconfigured)),
        Row(
            testDescription: "MC26 an issuer on a server that describes one API at every URL", status: 404,
            documents: [
                "https://api.example/.well-known/oauth-authorization-server/mcp": metadata(api),
                own: described("https://api.example/other"), root: described("https://api.example/other"),
            ],
            expected: .nothing),
        Row(
            testDescription: "MC26 the same, with metadata of OpenID Connect", status: 404,
            documents: [
                "https://api.example/mcp/.well-known/openid-configuration": metadata(api), own: described("https://other.example/mcp"),
            ],
            expected: .nothing),
        Row(
            testDescription: "MC26 the same, if the caller names an issuer of the API", status: 404, issuer: "https://as.example",
            documents: [
                "https://api.example/.well-known/oauth-authorization-server/mcp": metadata(api),
                own: described("https://api.example/other"),
            ], expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC26 no issuer, and metadata of another resource", status: 404,
            documents: [own: described("https://api.example/other")], expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC01 an issuer that the user has written in another way", status: 404,
            documents: ["https://api.example/.well-known/oauth-authorization-server/mcp": metadata(api + "/")],
            expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC05 PKCE is listed only by the document for OpenID Connect", challenge: "Bearer",
            documents: [
                own: described(), server: metadata("https://as.example", ["code_challenge_methods_supported": .null]),
                "https://as.example/.well-known/openid-configuration": metadata(),
            ], expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(
            testDescription: "MC01 no challenge, but a document", status: 405, documents: [own: described(), server: metadata()],
            asked: [own, server], expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(
            testDescription: "MC01 a challenge with a status other than 401 does not count", challenge: #"Bearer scope="x""#, status: 403,
            documents: [own: described(), server: metadata()], expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(testDescription: "MC01 a challenge, and no document", challenge: "Bearer", documents: [:], expected: .failed(.misconfigured)),
        Row(
            testDescription: "MC23 the origin is the server, if the caller says so", challenge: #"Bearer scope="a""#, assumesOrigin: true,
            documents: ["https://api.example/.well-known/oauth-authorization-server": metadata("https://api.example")],
            expected: .found(issuer: "https://api.example", scope: "a")),
        Row(
            testDescription: "MC23 no metadata at all: default endpoints at the origin", challenge: "Bearer", assumesOrigin: true,
            documents: [:], expected: .found(issuer: "https://api.example", scope: nil)),
        Row(
            testDescription: "MC23 a server at the origin without PKCE", challenge: "Bearer", assumesOrigin: true,
            documents: [
                "https://api.example/.well-known/oauth-authorization-server": metadata(
                    "https://api.example", ["code_challenge_methods_supported": []])
            ], expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC23 metadata at the origin that sends the browser into a private network", challenge: "Bearer",
            assumesOrigin: true,
            documents: [
                "https://api.example/.well-known/oauth-authorization-server": metadata(
                    "https://api.example",
                    [
                        "authorization_endpoint": "https://10.0.0.1/authorize",
                        "authorization_response_iss_parameter_supported": true,
                    ])
            ], expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC23 a different issuer than the origin", challenge: "Bearer", issuer: "https://other.example",
            assumesOrigin: true, documents: [:], expected: .failed(.misconfigured)),
        Row(
            testDescription: "MC23 the origin, confirmed by the caller", challenge: "Bearer", issuer: "https://api.example",
            assumesOrigin: true, documents: [:], expected: .found(issuer: "https://api.example", scope: nil), isConfirmed: true),
        Row(
            testDescription: "MC23 a document is not ignored", challenge: "Bearer", assumesOrigin: true,
            documents: [own: described("https://other.example/mcp"), server: metadata()], expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC01 a challenge that is passed on spares the request", typed: #"Bearer scope="admin""#,
            documents: [own: described(), server: metadata()], expected: .found(issuer: "https://as.example", scope: "admin")),
        Row(testDescription: "MC01 a challenge of another scheme", typed: "Basic", documents: [:], expected: .failed(.misconfigured)),
        Row(
            testDescription: "MC04 the first of several issuers", challenge: "Bearer",
            documents: [own: described(by: ["https://as.example", "https://other.example"]), server: metadata()],
            expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(
            testDescription: "MC04 the issuer that the caller names", challenge: "Bearer", issuer: "https://other.example",
            documents: [
                own: described(by: ["https://as.example", "https://other.example"]), other: metadata("https://other.example"),
            ], expected: .found(issuer: "https://other.example", scope: "read write")),
        Row(
            testDescription: "MC04 an issuer that the resource does not name", challenge: "Bearer", issuer: "https://evil.example",
            documents: [own: described(by: ["https://as.example", "https://other.example"])], expected: .failed(.misconfigured)),
        Row(
            testDescription: "MC04 the only issuer is a different one than the caller names", challenge: "Bearer",
            issuer: "https://evil.example",
            documents: [own: described(), server: metadata()], expected: .failed(.misconfigured)),
        Row(
            testDescription: "MC04 an issuer that does not know the resource", challenge: "Bearer",
            documents: [own: described(), server: metadata("https://as.example", ["protected_resources": ["https://other.example"]])],
            expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC04 the same, confirmed by the caller", challenge: "Bearer", issuer: "https://as.example",
            documents: [own: described(), server: metadata("https://as.example", ["protected_resources": ["https://other.example"]])],
            expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(
            testDescription: "MC04 an issuer that knows the resource", challenge: "Bearer",
            documents: [own: described(), server: metadata("https://as.example", ["protected_resources": [.string(api)]])],
            expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(
            testDescription: "MC05 no PKCE", challenge: "Bearer",
            documents: [own: described(), server: metadata("https://as.example", ["code_challenge_methods_supported": ["plain"]])],
            expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC05 no PKCE, and no codes", challenge: "Bearer", usesCodes: false,
            documents: [own: described(), server: metadata("https://as.example", ["code_challenge_methods_supported": ["plain"]])],
            expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(
            testDescription: "MC15 a browser that is sent to another host, and no iss", challenge: "Bearer",
            documents: [
                own: described(), server: metadata("https://as.example", ["authorization_endpoint": "https://honest.example/authorize"]),
            ], expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC15 the same, confirmed by the caller", challenge: "Bearer", issuer: "https://as.example",
            documents: [
                own: described(), server: metadata("https://as.example", ["authorization_endpoint": "https://login.example/authorize"]),
            ], expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(
            testDescription: "MC15 a token endpoint on another host, without codes", challenge: "Bearer", usesCodes: false,
            documents: [own: described(), server: metadata("https://as.example", ["token_endpoint": "https://honest.example/token"])],
            expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC15 a device endpoint on another host, without codes", challenge: "Bearer", usesCodes: false,
            documents: [
                own: described(),
                server: metadata("https://as.example", ["device_authorization_endpoint": "https://honest.example/device"]),
            ], expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "MC15 the same, confirmed by the caller", challenge: "Bearer", issuer: "https://as.example", usesCodes: false,
            documents: [own: described(), server: metadata("https://as.example", ["token_endpoint": "https://honest.example/token"])],
            expected: .found(issuer: "https://as.example", scope: "read write")),
        Row(
            testDescription: "MC12 offline_access only if the server lists it", challenge: #"Bearer scope="read""#,
            documents: [own: described(), server: metadata("https://as.example", ["scopes_supported": ["read", "offline_access"]])],
            expected: .found(issuer: "https://as.example", scope: "read offline_access")),
        Row(
            testDescription: "a resource that requires bound tokens", challenge: "DPoP", documents: [own: described(), server: metadata()],
            expected: .failed(.misconfigured)),
    ]

    @Test(arguments: rows)
    func `finds what protects a resource`(row: Row) async throws {
        let transport = RoutedTransport(
            row.documents.map { (.get($0.key), .json($0.value)) } + [
                (
                    .get(Self.api),
                    ScriptedAnswer { _ throws(LoadError) in
                        var head = HTTPResponse(status: .init(code: row.status))
                        head.headerFields[.wwwAuthenticate] = row.challenge
                        return LoadResponse(head, body: .empty)
                    }
                )
            ])
        let discovery = ServerDiscovery(dependencies: Dependencies(transport: transport) { start })
        let outcome: Row.Outcome
        do throws(SessionError) {
            let found = try await discovery.protection(
                of: Self.api, challenge: row.typed, issuer: row.issuer, usesCodes: row.usesCodes,
                assumesOrigin: row.assumesOrigin)
            if let isConfirmed = row.isConfirmed { #expect(found?.isConfirmed == isConfirmed) }
            outcome = found.map { .found(issuer: $0.server.issuer, scope: $0.scope?.description) } ?? .nothing
        } catch {
            outcome = .failed(error.code)
        }
        #expect(outcome == row.expected)
        let urls = transport.requests.compactMap { RequestTarget($0.head)?.url }
        #expect(urls.count { $0 == Self.api } == (row.typed == nil ? 1 : 0))
        if let expected = row.asked { #expect(urls.filter { $0 != Self.api } == expected) }
        #expect(transport.requests.allSatisfy { $0.head.method == .get && $0.head.headerFields[.authorization] == nil })
    }
}
