import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import HTTPTypes
import OAuthProtocol
import Synchronization
import Testing
import WebAuthentication

/// The modules about logout in the OpenID Foundation's suite for relying parties. The server's log decides whether a test passes.
struct LogoutModuleTests {
    /// The modules that the rows play.
    static let modules = Set(FaultPersona.logout.map(\.id))

    @Test(arguments: FaultPersona.logout.filter { $0.id.contains("rp-init-logout") })
    func `LO01: signs out the user, whatever the callback contains`(module: FaultPersona) async throws {
        try await LogoutSetting.run { setting in
            let session = try setting.session("first")
            try await session.signIn()
            setting.server.faults.play(module)
            let report = await session.signOut(endingServerSession: true)
            #expect(report.isSignedOut)
            #expect(try await session.identity == nil)
            switch report.serverSession {
            case .ended: #expect(module.isHarmless)
            case .failed(let error): #expect(!module.isHarmless && error.code == .securityCheckFailed)
            default: Issue.record("\(report.serverSession)")
            }
            let request = try #require(setting.server.log.entries.last { $0.path == "/logout" })
            #expect(request.queryNames.sorted() == ["client_id", "id_token_hint", "post_logout_redirect_uri", "state"])
            #expect(setting.server.log.requests(path: "/logout/confirm") == 0, "the hint names the user")
            try await session.signIn()
            #expect(setting.server.log.requests(path: "/session") == 2, "the server asks for the password again")
        }
    }

    @Test(arguments: FaultPersona.logout.filter { $0.id.contains("rp-frontchannel") })
    func `LO08: a request to the front-channel logout URL ends the session that it names`(module: FaultPersona) async throws {
        try await LogoutSetting.run(frontChannel: "/front") { setting in
            let (first, second) = (try setting.session("first"), try setting.session("second"))
            try await first.signIn()
            try await second.signIn()
            #expect(setting.server.log.requests(path: "/session") == 1, "both belong to one session at the server")
            setting.server.faults.play(module)
            if module.id.contains("opinitlogout") {
                try await setting.browser.visit(setting.server.issuer + "/logout")
            } else {
                guard case .ended = await first.signOut(endingServerSession: true).serverSession else {
                    Issue.record("the browser did not return")
                    return
                }
            }
            #expect(try await first.identity == nil)
            #expect(try await second.identity == nil)
            let visit = try #require(setting.program.visits.last)
            #expect(visit.status == 200 && visit.path.hasPrefix("/front?iss=") && visit.path.contains("&sid="))
            #expect(setting.program.visits.count == 1)
            #expect(setting.endedLabels == (module.id.contains("opinitlogout") ? ["first", "second"] : ["second"]))
        }
    }

    @Test(arguments: FaultPersona.logout.filter { $0.id.contains("rp-backchannel") })
    func `LO02, LO03, LO04, LO05, LO07: only a valid logout token ends the session that it names`(
        module: FaultPersona
    ) async throws {
        try await LogoutSetting.run(backChannel: "/back") { setting in
            let (first, second) = (try setting.session("first"), try setting.session("second"))
            try await first.signIn()
            try await second.signIn()
            setting.server.faults.play(module)
            guard case .ended = await first.signOut(endingServerSession: true).serverSession else {
                Issue.record("the browser did not return")
                return
            }
            let notification = try #require(setting.server.log.logoutNotifications.first)
            #expect(notification.clientID == "web-app")
            #expect(notification.status == (module.isHarmless ? 200 : 400))
            #expect(notification.cacheControl == "no-store")
            #expect(setting.server.log.logoutNotifications.count == 1)
            #expect(try await (second.identity == nil) == module.isHarmless)
            #expect(setting.endedLabels == (module.isHarmless ? ["second"] : []))
        }
    }

    @Test func `LO07: a logout token ends the session of one browser, and no other`() async throws {
        try await LogoutSetting.run(backChannel: "/back") { setting in
            let (first, second) = (try setting.session("first"), try setting.session("second", in: ModuleBrowser()))
            try await first.signIn()
            try await second.signIn()
            try await setting.browser.visit(setting.server.issuer + "/logout")
            #expect(setting.endedLabels == ["first"])
            #expect(try await second.identity != nil)
            let claims = try #require(setting.postedClaims)
            #expect(claims["sub"]?.string == "583231" && claims["nonce"] == nil && claims["jti"]?.string != nil)
            let (issued, end) = (claims["iat"]?.number?.text, claims["exp"]?.number?.text)
            #expect(Int(end ?? "") == Int(issued ?? "").map { $0 + 120 })
        }
    }
}

/// A web program that has a logout receiver and sessions in one store, and a server at which the program is registered.
private struct LogoutSetting: Sendable {
    let program: WebProgram
    let server: DevelopmentAuthorizationServer
    let browser = ModuleBrowser()
    private let store = MemoryCredentialStore()
    private let ended = Ended()

    private final class Ended: Sendable {
        let labels = Mutex<[String]>([])
    }

    static func run(
        backChannel: String? = nil, frontChannel: String? = nil, _ body: (LogoutSetting) async throws -> Void
    ) async throws {
        let program = try await WebProgram()
        var client = DevelopmentClient(
            id: "web-app", secret: ModuleSetting.secret, name: "Web App", redirectURIs: DevelopmentClient.exampleRedirectURIs)
        client.backChannelLogoutURI = backChannel.map { program.origin + $0 }
        client.frontChannelLogoutURI = frontChannel.map { program.origin + $0 }
        try await withDevelopmentServer(.init(persona: .openID, clients: [client])) { server in
            let setting = LogoutSetting(program: program, server: server)
            try setting.mountReceiver()
            try await body(setting)
        }
    }

    private let client = OAuthClient(id: "web-app", secret: ModuleSetting.secret)

    private init(program: WebProgram, server: DevelopmentAuthorizationServer) {
        self.program = program
        self.server = server
    }

    private var profile: ProviderProfile {
        get throws { .issuer(try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment)) }
    }

    func session(_ label: String, in other: ModuleBrowser? = nil) throws -> OAuthSession {
        OAuthSession(
            OAuthSession.Configuration(
                server: try profile, client: client, scope: ["openid"],
                grant: .authorizationCode(BrowserAuthenticator(opener: other ?? browser)), store: store,
                dependencies: Dependencies(transport: NetworkTransport.shared)),
            label: label)
    }

    private func mountReceiver() throws {
        let receiver = LogoutReceiver(
            server: try profile, client: client, store: store, dependencies: Dependencies(transport: NetworkTransport.shared))
        program.mount { [ended] request, body in
            let path = request.path ?? ""
            let outcome =
                path == "/back"
                ? await receiver.backChannelLogout(request, body: body) : await receiver.frontChannelLogout(request)
            ended.labels.withLock { $0 += outcome.signedOut.map(\.label) }
            return (outcome.response, outcome.body)
        }
    }

    /// The labels of the accounts that the receiver has signed out.
    var endedLabels: [String] { ended.labels.withLock { $0.sorted() } }

    /// The claims of the last logout token, without verification.
    var postedClaims: JSONObject? {
        let form = program.visits.last.flatMap { try? FormParameters(decoding: String(decoding: $0.body, as: UTF8.self)) }
        let parts = (form?["logout_token"] ?? "").split(separator: ".")
        return parts.count == 3 ? Base64URL.decode(parts[1]).flatMap { try? JSONValue(strict: $0).object } : nil
    }
}
