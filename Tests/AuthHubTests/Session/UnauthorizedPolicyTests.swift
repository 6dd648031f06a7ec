import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Synchronization
import Testing

/// The program decides what happens if a refresh does not help.
struct RefusalPolicyTests {
    /// Returns a session that is signed in at a server that rejects every refreshed token.
    private func refusedSetting() -> SessionSetting {
        let setting = SessionSetting()
        setting.server.configure {
            $0.afterToken = { [server = setting.server] () async throws(LoadError) in
                if server.tokenRequests.last == "refresh_token" { server.endAccessTokens() }
            }
        }
        return setting
    }

    private func load(_ session: OAuthSession, body: RequestBody = .empty) async throws -> Int {
        try await session.load(LoadRequest(.post, "https://api.example/things", body: body)).status.code
    }

    /// Sends requests concurrently. The API responds to none of them before all have arrived, so all were sent with the same token: one
    /// that begins after the refresh would be rejected with the refreshed token, and would cause another refresh and another page.
    private func loadAll(_ count: Int, _ session: OAuthSession, at server: RotatingServer) async throws -> [Int] {
        let arrivals = Mutex(0)
        let allArrived = Latch<Void>()
        server.configure {
            $0.atAPI = { _ in
                let number = arrivals.withLock { arrivals in
                    arrivals += 1
                    return arrivals
                }
                if number == count { allArrived.open(()) }
                _ = await allArrived.wait()
            }
        }
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await load(session) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `case 37: 20 requests that are rejected even after the refresh share one page, and all succeed`() async throws {
        let setting = refusedSetting()
        let session = setting.session(unauthorizedPolicy: .signInAgain)
        try await session.signIn()
        setting.server.endAccessTokens()
        #expect(try await loadAll(20, session, at: setting.server) == Array(repeating: 200, count: 20))
        #expect(setting.browser.visitedURLs.count == 2)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token", "authorization_code"])
    }

    @Test func `case 6: returns a 401 after the sign-in page`() async throws {
        let setting = SessionSetting()
        let session = setting.session(unauthorizedPolicy: .signInAgain)
        try await session.signIn()
        setting.server.configure { $0.apiAnswer = { _ in LoadResponse(HTTPResponse(status: .unauthorized)) } }
        let response = try await session.load(.get("https://api.example/"))
        #expect(response.status == .unauthorized && response.notes.replays == 2)
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer access-1", "Bearer access-2", "Bearer access-3"])
        #expect(setting.browser.visitedURLs.count == 2)
    }

    @Test func `case 6: returns a 401 after the sign-in page, even if nothing could be refreshed`() async throws {
        let setting = SessionSetting()
        setting.server.configure { $0.sendsRefreshToken = false }
        let session = setting.session(unauthorizedPolicy: .signInAgain)
        try await session.signIn()
        setting.server.configure { $0.apiAnswer = { _ in LoadResponse(HTTPResponse(status: .unauthorized)) } }
        let response = try await session.load(.get("https://api.example/"))
        #expect(response.status == .unauthorized && response.notes.replays == 1)
        #expect(setting.browser.visitedURLs.count == 2)
    }

    @Test func `case 37: 20 requests whose grant is revoked share one page, and all succeed`() async throws {
        let setting = SessionSetting()
        let session = setting.session(unauthorizedPolicy: .signInAgain)
        try await session.signIn()
        setting.server.configure {
            $0.atToken = { request throws(LoadError) in
                guard String(decoding: request.body.bytes ?? [], as: UTF8.self).contains("grant_type=refresh_token") else { return nil }
                return LoadResponse(
                    HTTPResponse(status: .badRequest, headerFields: [.contentType: "application/json"]),
                    body: .bytes(Array(#"{"error":"invalid_grant"}"#.utf8)))
            }
        }
        setting.advance(by: 3600)
        #expect(try await loadAll(20, session, at: setting.server) == Array(repeating: 200, count: 20))
        #expect(setting.browser.visitedURLs.count == 2)
        setting.server.endAccessTokens()
        #expect(try await loadAll(20, session, at: setting.server) == Array(repeating: 200, count: 20))
        #expect(setting.browser.visitedURLs.count == 3)
    }

    @Test func `does not ask about the same token again after the user denies access`() async throws {
        let other = SessionSetting()
        _ = try await other.signedIn()
        let setting = SessionSetting(store: other.store) { _ in .cancelled }
        let session = setting.session(unauthorizedPolicy: .signInAgain)
        setting.server.configure { $0.apiAnswer = { _ in LoadResponse(HTTPResponse(status: .unauthorized)) } }
        setting.server.configure {
            $0.atToken = { _ throws(LoadError) in
                LoadResponse(
                    HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
                    body: .bytes(Array(#"{"access_token":"refreshed","token_type":"Bearer","expires_in":3600}"#.utf8)))
            }
        }
        #expect(try await loadAll(20, session, at: setting.server) == Array(repeating: 401, count: 20))
        #expect(setting.browser.visitedURLs.count == 1)
        await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(setting.browser.visitedURLs.count == 2)
    }

    @Test func `does not ask again after the user denies access once, if nothing can be refreshed`() async throws {
        let pages = SessionSetting()
        pages.server.configure { $0.sendsRefreshToken = false }
        _ = try await pages.signedIn()
        let setting = SessionSetting(store: pages.store) { _ in .cancelled }
        let session = setting.session(unauthorizedPolicy: .signInAgain)
        for _ in 0..<3 { #expect(try await load(session) == 401) }
        #expect(setting.browser.visitedURLs.count == 1)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var prompting = SignInPrompting.onDemand
        var unauthorizedPolicy = UnauthorizedPolicy.signInAgain
        var body: @Sendable () -> RequestBody = { .empty }
        var token: LoadError.Code?
        var isRenewable = true
    }

    @Test(arguments: [
        Row(testDescription: "the program wants it reported", unauthorizedPolicy: .report),
        Row(testDescription: "no page opens automatically", prompting: .manual),
        Row(testDescription: "the body can be sent only once", body: { .stream(once: .bytes([1, 2, 3])) }),
        Row(
            testDescription: "the same, and nothing can be refreshed", body: { .stream(once: .bytes([1, 2, 3])) }, isRenewable: false),
        Row(testDescription: "the authorization server is unreachable", token: .cannotConnect),
    ])
    func `opens no page if it is not wanted or cannot help`(row: Row) async throws {
        let setting = refusedSetting()
        setting.server.configure { $0.sendsRefreshToken = row.isRenewable }
        let session = setting.session(row.prompting, unauthorizedPolicy: row.unauthorizedPolicy)
        try await session.signIn()
        setting.server.endAccessTokens()
        setting.server.configure { $0.atAPI = { request in _ = try? await request.body.open() } }
        if let code = row.token {
            setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(code, for: request) } }
        }
        #expect(try await load(session, body: row.body()) == 401)
        #expect(setting.browser.visitedURLs.count == 1)
    }
}
