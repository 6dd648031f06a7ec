import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Testing

/// The modules in the plans Implicit, Hybrid and Form Post of the OpenID Foundation's suite for relying parties. The server's log shows
/// that an ID token in the callback is verified before the code is sent and before userinfo is requested.
struct FrontChannelModuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let module: String
        let variant: ModuleVariant

        var testDescription: String { "oidcc-client-test\(module): \(variant.testDescription)" }
    }

    private static func rows(_ modules: [String], _ types: [ResponseType]) -> [Row] {
        modules.flatMap { module in
            types.flatMap { type in
                [nil, .formPost].map { Row(module: module, variant: ModuleVariant(type: type, mode: $0)) }
            }
        }
    }

    /// The modules in the plan Basic that are also in these plans.
    private static let shared = [
        "", "-nonce-invalid", "-invalid-iss", "-invalid-aud", "-missing-aud", "-missing-sub", "-missing-iat", "-invalid-sig-rs256",
        "-invalid-sig-es256", "-invalid-sig-hs256", "-idtoken-sig-rs256", "-kid-absent-single-jwks", "-kid-absent-multiple-jwks",
        "-userinfo-invalid-sub", "-scope-userinfo-claims",
    ]

    static let rows =
        rows(shared + ["-nonce-unless-code-flow"], [.idTokenToken, .codeIDToken, .codeIDTokenToken])
        + rows(["-invalid-athash", "-missing-athash"], [.idTokenToken, .codeIDTokenToken])
        + rows(["-invalid-chash", "-missing-chash"], [.codeIDToken, .codeIDTokenToken])

    /// The modules that the rows play.
    static let modules = Set((rows.map(\.module) + [formPostError]).map { "oidcc-client-test" + $0 })
    private static let formPostError = "-form-post-error"

    @Test(arguments: rows)
    func `AR37, AR38, RQ09: an ID token in the callback is verified first`(row: Row) async throws {
        let module = try FaultPersona.module(row.module)
        try await Self.play(module.inCallback, row) { setting, session, problem in
            let log = setting.server.log
            let identity = try await session.identity
            #expect((problem == nil) == module.isHarmless, "\(module): \(problem.map { "\($0)" } ?? "accepted")")
            if module.isHarmless {
                #expect(log.tokenRequests() == (row.variant.type.hasCode ? 1 : 0))
                #expect(log.userInfoRequests == 1)
                #expect(identity?.subject == "583231")
            } else if module.place != .userInfo {
                #expect(problem?.code == .securityCheckFailed)
                #expect(problem?.explanation.contains("the ID token was rejected") ?? false)
                #expect(log.tokenRequests() == 0 && log.userInfoRequests == 0)
                #expect(identity == nil)
            }
        }
    }

    @Test(arguments: rows(shared, [.codeToken, .codeIDToken, .codeIDTokenToken]))
    func `AR40: the ID token of the token response is verified, too`(row: Row) async throws {
        let module = try FaultPersona.module(row.module)
        try await Self.play(module, row) { setting, session, problem in
            #expect((problem == nil) == module.isHarmless, "\(module): \(problem.map { "\($0)" } ?? "accepted")")
            #expect(setting.server.log.tokenRequests() == 1)
            let identity = try await session.identity
            if !module.isHarmless, module.place != .userInfo {
                #expect(setting.server.log.userInfoRequests == 0)
                #expect(identity == nil)
            }
        }
    }

    @Test(arguments: ["AR36-no-id-token", "AR39-other-hash"], [ResponseType.codeIDToken, .codeIDTokenToken])
    func `AR36, AR39: rejects a callback without an ID token, and one with the hash of another state`(
        id: String, type: ResponseType
    ) async throws {
        let persona = try #require(FaultPersona.frontChannel.first { $0.id == id })
        try await Self.play(persona, Row(module: "", variant: ModuleVariant(type: type))) { setting, session, problem in
            #expect(problem?.code == .securityCheckFailed)
            #expect(setting.server.log.tokenRequests() == 0)
            let identity = try await session.identity
            #expect(identity == nil)
        }
    }

    @Test(arguments: [ResponseType.code, .idTokenToken, .codeIDToken, .codeToken, .codeIDTokenToken])
    func `AR42: an error in a posted form ends the sign-in`(type: ResponseType) async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            var setting = ModuleSetting(server: server, variant: ModuleVariant(type: type, mode: .formPost))
            setting.changeProfile = { $0.authorizationParameters = ["prompt": "none", "max_age": "0"] }
            let problem = await ModuleSetting.problem(of: try setting.session())
            #expect(problem?.code == .serverRejected && problem?.serverError?.code.rawValue == "login_required")
            let played = ModuleSetting(server: server, variant: setting.variant)
            server.faults.play(try FaultPersona.module(Self.formPostError))
            let second = await ModuleSetting.problem(of: try played.session())
            #expect(second?.serverError?.code.rawValue == "login_required")
            #expect(server.log.tokenRequests() == 0)
        }
    }

    private static func play(
        _ persona: FaultPersona, _ row: Row, _ check: (ModuleSetting, OAuthSession, SessionError?) async throws -> Void
    ) async throws {
        var web = DevelopmentClient(
            id: "web-app", secret: ModuleSetting.secret, name: "Web App", redirectURIs: DevelopmentClient.exampleRedirectURIs)
        web.idTokenAlgorithm = .hs256
        let native = DevelopmentClient(id: "native-app", name: "Native App", redirectURIs: DevelopmentClient.exampleRedirectURIs)
        try await withDevelopmentServer(.init(persona: .openID, clients: [native, web])) { server in
            var setting = ModuleSetting(server: server, variant: row.variant)
            if row.module == "-invalid-sig-hs256" {
                setting.client = OAuthClient(id: "web-app", secret: ModuleSetting.secret)
                setting.changeProfile = { $0.quirks.identity.algorithms = ["HS256"] }
            }
            server.faults.play(persona)
            let session = try setting.session()
            try await check(setting, session, await ModuleSetting.problem(of: session))
            let request = try #require(server.log.entries.first { $0.path == "/authorize" })
            #expect(request.queryNames.contains("nonce"))
            guard row.module == "-invalid-sig-hs256" else { return }
            server.faults.clear()
            let second = await ModuleSetting.problem(of: try setting.session())
            #expect(second == nil, "the algorithm itself is accepted")
        }
    }
}
