import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Testing

@Suite struct SharedSettingsTests {
    @Test func `sessions that share their settings have separate accounts, tokens and states`() async throws {
        let setting = SessionSetting()
        let settings = setting.settings(.manual)
        let (first, second) = (OAuthSession(settings, label: "first"), OAuthSession(settings, label: "second"))
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

    @Test func `a sign-out cancels only the requests of its own session`() async throws {
        let setting = SessionSetting()
        let settings = setting.settings(.manual)
        let (first, second) = (OAuthSession(settings, label: "first"), OAuthSession(settings, label: "second"))
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

    private func load(_ session: OAuthSession) async throws -> Int {
        try await session.load(.get("https://api.example/user")).status.code
    }
}
