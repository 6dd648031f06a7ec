import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import HTTPTypes
import OAuthProtocol
import Testing

/// The module in the OpenID Foundation's suite for relying parties about sign-ins that another site starts.
struct ThirdPartyLoginModuleTests {
    /// The modules that the rows play.
    static let modules = Set(ids.filter { $0.hasPrefix("oidcc") })
    private static let ids = ["oidcc-client-test-3rd-party-init-login", "LO09-other-issuer", "LO09-other-target"]

    @Test(arguments: ids)
    func `LO09: a request to sign in starts a new sign-in at a known issuer, and nothing else`(id: String) async throws {
        let persona = try #require(FaultPersona.all.first { $0.id == id })
        let program = try await WebProgram()
        let target = program.origin + "/mail"
        var client = DevelopmentClient(id: "native-app", name: "Program", redirectURIs: DevelopmentClient.exampleRedirectURIs)
        client.initiateLoginURI = program.origin + "/login"
        try await withDevelopmentServer(.init(persona: .openID, clients: [client])) { server in
            server.faults.play(persona)
            let origin = try #require(Origin(url: program.origin))
            program.mount { request, body in
                await Self.respond(to: request, body, at: server, origin: origin)
            }
            let query: FormParameters = ["client_id": client.id, "login_hint": "octocat", "target_link_uri": target]
            try await ModuleBrowser().visit(server.issuer + "/initiate-login?" + query.encoded())
            let authorization = server.log.entries.first { $0.path == "/authorize" }
            if persona.isHarmless {
                #expect(program.visits.map(\.path).last == "/mail")
                #expect(authorization?.queryNames.contains("login_hint") ?? false)
                #expect(server.log.userInfoRequests == 1)
            } else {
                #expect(program.visits.map(\.status) == [200] && program.visits.first?.path.hasPrefix("/login?") ?? false)
                #expect(authorization == nil)
            }
        }
    }

    /// Signs in if the request is for the login page, as a web program does.
    private static func respond(
        to request: HTTPRequest, _ body: [UInt8], at server: DevelopmentAuthorizationServer, origin: Origin
    ) async -> WebProgram.Response {
        guard request.path?.hasPrefix("/login") ?? false else { return (HTTPResponse(status: .ok), "mail") }
        do {
            let login = try ThirdPartyLogin(request, body: body, knownIssuers: [server.issuer], targetOrigins: [origin])
            let session = try ModuleSetting(server: server, issuer: login.issuer).session()
            try await session.signIn(SignInOptions(loginHint: login.loginHint))
            _ = try await session.userInfo()
            return (HTTPResponse(status: .seeOther, headerFields: [.location: login.target ?? "/"]), "")
        } catch {
            return (HTTPResponse(status: .ok), "rejected")
        }
    }
}
