import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

/// The store does not report changes: an idle session reads a token that another process has refreshed, and that has expired as well.
struct AdoptedCredentialTests {
    /// A session that holds `access-1`, while `access-2` is stored.
    private func idleSession(
        of setting: SessionSetting, _ prompting: SignInPrompting = .manual, unauthorizedPolicy: UnauthorizedPolicy = .report
    ) async throws -> OAuthSession {
        let other = try await setting.signedIn()
        let idle = setting.session(prompting, unauthorizedPolicy: unauthorizedPolicy)
        _ = try await idle.restore()
        try await other.refresh()
        return idle
    }

    private func load(_ session: OAuthSession, body: RequestBody = .empty) async throws -> LoadResponse {
        try await session.load(LoadRequest(.post, "https://api.example/things", body: body))
    }

    @Test func `case 6: refreshes the token of another process if that is rejected as well, and the request succeeds`()
        async throws
    {
        let setting = SessionSetting(store: HookedStore())
        let session = try await idleSession(of: setting)
        setting.server.endAccessTokens()
        let response = try await load(session)
        #expect(response.status == .ok && response.notes.replays == 2)
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer access-1", "Bearer access-2", "Bearer access-3"])
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token", "refresh_token"])
    }

    @Test func `case 6: a server that rejects every token gets one refresh and two replays`() async throws {
        let setting = SessionSetting(store: HookedStore())
        let session = try await idleSession(of: setting)
        setting.server.configure { $0.apiAnswer = { _ in LoadResponse(HTTPResponse(status: .unauthorized)) } }
        let response = try await load(session)
        #expect(response.status == .unauthorized && response.notes.replays == 2)
        #expect(setting.server.tokenRequests.count == 3)
        // Nothing is adopted any more, so the usual replay follows the usual refresh.
        #expect(try await load(session).notes.replays == 1)
        #expect(setting.server.tokenRequests.count == 4)
    }

    @Test func `case 1: 50 requests that find the expired token together share one refresh`() async throws {
        let setting = SessionSetting(store: HookedStore())
        let session = try await idleSession(of: setting)
        setting.server.endAccessTokens()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await load(session).status.code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 50))
        #expect(setting.server.tokenRequests.count == 3)
    }

    @Test func `returns the server's 401 if the refresh fails`() async throws {
        let setting = SessionSetting(store: HookedStore())
        let session = try await idleSession(of: setting)
        setting.server.endAccessTokens()
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) } }
        let response = try await load(session)
        #expect(response.status == .unauthorized && response.notes.replays == 1)
        #expect(setting.server.tokenRequests.count == 3)
    }

    @Test func `does not resend a body that can be sent only once`() async throws {
        let setting = SessionSetting(store: HookedStore())
        let session = try await idleSession(of: setting)
        setting.server.endAccessTokens()
        setting.server.configure { $0.atAPI = { request in _ = try? await request.body.open() } }
        #expect(try await load(session, body: .stream(once: .bytes([1]))).status == .unauthorized)
        #expect(setting.server.apiRequests.count == 1)
        #expect(setting.server.tokenRequests.count == 2)
    }

    @Test func `asks the user after the grant is revoked, if the program wants that`() async throws {
        let setting = SessionSetting(store: HookedStore())
        let session = try await idleSession(of: setting, .onDemand, unauthorizedPolicy: .signInAgain)
        setting.server.endAccessTokens()
        setting.server.configure {
            $0.atToken = { request throws(LoadError) in
                guard String(decoding: request.body.bytes ?? [], as: UTF8.self).contains("grant_type=refresh_token") else { return nil }
                return LoadResponse(
                    HTTPResponse(status: .badRequest, headerFields: [.contentType: "application/json"]),
                    body: .bytes(Array(#"{"error":"invalid_grant"}"#.utf8)))
            }
        }
        #expect(try await load(session).status == .ok)
        #expect(setting.browser.visitedURLs.count == 2)
    }
}
