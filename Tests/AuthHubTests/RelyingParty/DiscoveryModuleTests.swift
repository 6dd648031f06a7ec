import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

/// The modules about discovery in the OpenID Foundation's suite for relying parties. The server's log decides whether a test passes.
struct DiscoveryModuleTests {
    private static let documents = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]

    /// The modules that the rows play.
    static let modules = Set(
        (found + [mismatch]).map { "oidcc-client-test" + $0 } + searches.map(\.persona).filter { $0.hasPrefix("oidcc") })
    private static let found = ["-discovery-openid-config", "-discovery-jwks-uri-keys"]
    private static let mismatch = "-discovery-issuer-mismatch"

    @Test(arguments: found)
    func `DD02, JK01: reads the metadata, and the keys from the URL in the metadata`(module: String) async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            server.faults.play(try FaultPersona.module(module))
            let problem = await ModuleSetting.problem(of: try ModuleSetting(server: server).session())
            #expect(problem == nil)
            #expect(server.log.entries.count { Self.documents.contains($0.path) } >= 1)
            #expect(server.log.keySetRequests == 1)
        }
    }

    @Test func `DD15: reads the keys only from the jwks_uri in the metadata`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            server.faults.always(at: .metadata, .altered([.member("jwks_uri", "{issuer}/moved")]))
            let problem = await ModuleSetting.problem(of: try ModuleSetting(server: server).session())
            #expect(problem != nil, "there are no keys at the new URL")
            #expect(server.log.keySetRequests == 0 && server.log.requests(path: "/moved") >= 1)
        }
    }

    @Test func `DD02: ends the sign-in if the metadata is from another issuer`() async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            server.faults.play(try FaultPersona.module(Self.mismatch))
            let problem = await ModuleSetting.problem(of: try ModuleSetting(server: server).session())
            #expect(problem?.code == .securityCheckFailed)
            #expect(server.log.entries.allSatisfy { Self.documents.contains($0.path) }, "no request follows")
        }
    }

    struct Search: Sendable, CustomTestStringConvertible {
        let persona: String
        let identifier: String
        /// Whether a provider is found, and a sign-in there succeeds.
        var isGood = true

        var testDescription: String { "\(persona), \(identifier)" }
    }

    private static let searches = [
        Search(persona: "oidcc-client-test-discovery-webfinger-acct", identifier: "acct:octocat@openid.example"),
        Search(persona: "oidcc-client-test-discovery-webfinger-acct", identifier: "octocat@openid.example"),
        Search(persona: "oidcc-client-test-discovery-webfinger-url", identifier: "https://openid.example/octocat"),
        Search(persona: "DD23-no-link", identifier: "octocat@openid.example", isGood: false),
        Search(persona: "DD23-other-issuer", identifier: "octocat@openid.example", isGood: false),
        Search(persona: "oidcc-client-test-discovery-webfinger-acct", identifier: "nobody@openid.example", isGood: false),
    ]

    @Test(arguments: searches)
    func `DD23: finds the provider of an account and signs in there`(row: Search) async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            server.faults.play(try #require(FaultPersona.all.first { $0.id == row.persona }))
            let problem = await Self.problem(of: row.identifier, at: server)
            #expect((problem == nil) == row.isGood, "\(problem.map { "\($0)" } ?? "accepted")")
            #expect(server.log.requests(path: "/.well-known/webfinger") == 1)
            #expect(server.log.userInfoRequests == (row.isGood ? 1 : 0))
        }
    }

    /// Searches for the provider of an account, with the development server as the account's host, and signs in there. Returns the error;
    /// nil if the sign-in succeeds.
    private static func problem(of identifier: String, at server: DevelopmentAuthorizationServer) async -> (any Error)? {
        do {
            let search = try IssuerSearch(for: identifier)
            let url = search.url.replacing("https://openid.example", with: server.issuer)
            let target = try #require(RequestTarget(url))
            let response = try await NetworkTransport.shared.send(
                LoadRequest(HTTPRequest(method: .get, scheme: "http", authority: target.authority, path: target.path)))
            let issuer = try search.issuer(
                in: response.head, body: Secret(try await response.body.collect(upTo: 65_536)),
                transport: .insecureHTTPOnLoopbackForDevelopment)
            return await ModuleSetting.problem(of: try ModuleSetting(server: server, issuer: issuer.text).session())
        } catch {
            return error
        }
    }
}
