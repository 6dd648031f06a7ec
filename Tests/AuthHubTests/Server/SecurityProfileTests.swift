import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import HeadlessBrowsing
import OAuthProtocol
import Testing
import WebAuthentication

/// Sessions with the rules of MCP, at the development server.
struct SecurityProfileTests {
    private static func configuration(
        at server: DevelopmentAuthorizationServer, resources: [String] = ["/mcp"]
    ) throws -> OAuthSession.Configuration {
        var configuration = OAuthSession.Configuration(
            server: .issuer(try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)),
            client: OAuthClient(id: "native-app"), scope: ["mcp", "offline_access"],
            grant: .authorizationCode(BrowserAuthenticator.octocat),
            store: MemoryCredentialStore(),
            dependencies: .network)
        configuration.target.resources = try resources.map { try #require(ResourceIndicator(server.issuer + $0)) }
        configuration.securityProfile = .mcp
        return configuration
    }

    @Test func `MC17: signs in, and sends the token only to the API`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            let session = OAuthSession(try Self.configuration(at: server))
            try await session.signIn()
            let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
            let response = try await session.load(
                .post(
                    server.issuer + "/mcp", headers: [.contentType: "application/json", .accept: "application/json, text/event-stream"],
                    body: .bytes(Array(list.utf8))))
            #expect(response.status == .ok)
            let other = try await session.load(.get(server.issuer + "/user"))
            #expect(other.notes.isCredentialWithheld && other.status == .unauthorized)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var resources = ["/mcp"]
        var change: @Sendable (inout OAuthSession.Configuration) -> Void = { _ in }
        let missing: String
    }

    private static let rows = [
        Row(testDescription: "MC10: no API", resources: [], missing: "exactly one https URL"),
        Row(testDescription: "MC10: two APIs", resources: ["/mcp", "/other"], missing: "exactly one https URL"),
        Row(
            testDescription: "MC15: a server without an issuer", change: { $0.server = .gitHubApp },
            missing: "the server must be one whose issuer is known"),
        Row(
            testDescription: "MC17: other origins that get the token",
            change: { $0.tokenOrigins = Set([Origin(url: "https://api.example.com")].compactMap(\.self)) },
            missing: "tokenOrigins must be empty"),
        Row(
            testDescription: "MC18: a redirect URI with a custom scheme",
            change: { $0.client.redirectURI = .customScheme("com.example.app") }, missing: "loopback or https URI"),
    ]

    @Test(arguments: rows)
    func `a configuration that lacks something sends nothing, and the error names it`(row: Row) async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            var configuration = try Self.configuration(at: server, resources: row.resources)
            row.change(&configuration)
            let session = OAuthSession(configuration)
            let error = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(error?.code == .misconfigured && error?.explanation.contains(row.missing) ?? false, "\(String(describing: error))")
            await #expect(throws: SessionError.self) { try await session.accessToken() }
            await #expect(throws: SessionError.self) { try await session.provider() }
            #expect(server.log.entries.isEmpty)
        }
    }

    @Test func `an error names all that is missing`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            var configuration = try Self.configuration(at: server, resources: [])
            configuration.client.redirectURI = .customScheme("com.example.app")
            let session = OAuthSession(configuration)
            let error = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(error?.explanation.contains("exactly one https URL; the redirect URI") ?? false)
        }
    }

    @Test func `MC05: a server that does not list PKCE gets no sign-in, but refreshes go on`() async throws {
        try await withDevelopmentServer(.init(persona: .modelContext)) { server in
            server.faults.always(at: .metadata, .altered([.member("code_challenge_methods_supported", nil)]))
            let configuration = try Self.configuration(at: server)
            let session = OAuthSession(configuration)
            let error = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(error?.code == .securityCheckFailed && error?.explanation.contains("PKCE") ?? false)
            #expect(!server.log.entries.contains { $0.path == "/authorize" })
            var earlier = configuration
            earlier.securityProfile = nil
            try await OAuthSession(earlier).signIn()
            try await OAuthSession(configuration).refresh()
        }
    }
}
