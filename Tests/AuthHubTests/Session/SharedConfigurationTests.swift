import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

@testable import AuthHub

@Suite struct SharedConfigurationTests {
    @Test func `sessions that share their configuration have accounts, tokens and states of their own`() async throws {
        let setting = SessionSetting()
        let configuration = setting.configuration(.manual)
        let (first, second) = (OAuthSession(configuration, label: "first"), OAuthSession(configuration, label: "second"))
        try await first.signIn()
        #expect(first.account.label == "first")
        #expect(try await second.restore() == .signedOut)
        await #expect(throws: LoadError.self) { try await load(second) }

        try await second.signIn()
        _ = try await load(first)
        _ = try await load(second)
        let tokens = try await [first.accessToken(), second.accessToken()].map { "Bearer \($0.value.reveal())" }
        #expect(setting.server.apiRequests.map(\.authorization) == tokens)
        #expect(tokens[0] != tokens[1])
    }

    @Test func `a sign-out ends the loads of its own session, and no other's`() async throws {
        let setting = SessionSetting()
        let configuration = setting.configuration(.manual)
        let (first, second) = (OAuthSession(configuration, label: "first"), OAuthSession(configuration, label: "second"))
        try await first.signIn()
        try await second.signIn()
        let gate = Gate()
        setting.server.configure { $0.atAPI = { _ in await gate.pass() } }
        let loading = Task { try await load(second) }
        await gate.untilReached()
        let report = await first.signOut()
        #expect(report.cancelledLoads == 0)
        #expect(first.state == .signedOut)
        gate.open()
        #expect(try await loading.value == 200)
        guard case .signedIn = second.state else {
            Issue.record("the other session is \(second.state)")
            return
        }
    }

    @Test func `unchanged copies of a configuration share one object, even before the first session`() throws {
        let original = SessionSetting().configuration()
        let copy = original
        let (first, second) = (OAuthSession(copy, label: "first"), OAuthSession(original, label: "second"))
        #expect(first.engine.configuration === second.engine.configuration)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (inout OAuthSession.Configuration) -> Void

        init(_ description: String, _ make: @escaping @Sendable (inout OAuthSession.Configuration) -> Void) {
            testDescription = description
            self.make = make
        }
    }

    @Test(arguments: [
        Change("server") { $0.server = .gitHub }, Change("client") { $0.client = OAuthClient(id: "other") },
        Change("scope") { $0.scope = ["write"] }, Change("grant") { $0.grant = .clientCredentials },
        Change("store") { $0.store = MemoryCredentialStore() }, Change("dependencies") { $0.dependencies.logger = nil },
        Change("target") { $0.target = AccessTarget() }, Change("tokenOrigins") { $0.tokenOrigins = [SessionSetting.origin] },
        Change("prompting") { $0.prompting = .manual }, Change("unauthorizedPolicy") { $0.unauthorizedPolicy = .signInAgain },
        Change("signInTimeout") { $0.signInTimeout = .seconds(1) },
    ])
    func `a copy with a changed property has its own object, and the original keeps its`(change: Change) throws {
        let original = SessionSetting().configuration()
        let before = OAuthSession(original).engine.configuration
        var copy = original
        change.make(&copy)
        #expect(OAuthSession(copy).engine.configuration !== before)
        #expect(OAuthSession(original).engine.configuration === before)
    }

    @Test func `a changed copy uses its own values`() async throws {
        let setting = SessionSetting()
        let original = setting.configuration(.manual)
        try await OAuthSession(original).signIn()
        var copy = original
        copy.client = OAuthClient(id: "other")
        #expect(OAuthSession(copy).account.clientID == "other")
        #expect(try await OAuthSession(copy).restore() == .signedOut)
        #expect(try await OAuthSession(original).restore().isSignedOut == false)
    }

    private func load(_ session: OAuthSession) async throws -> Int {
        try await session.load(.get("https://api.example/user")).status.code
    }
}
