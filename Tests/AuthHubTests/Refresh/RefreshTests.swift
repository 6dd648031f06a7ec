import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

@testable import AuthHub

/// All callers share one refresh, and no token is lost.
struct RefreshTests {
    private func load(_ session: OAuthSession, body: RequestBody = .empty) async throws -> Int {
        try await session.load(LoadRequest(.post, "https://api.example/things", body: body)).status.code
    }

    private func loadAll(_ count: Int, _ session: OAuthSession) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await load(session) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `case 1: 200 requests find an expired token: one refresh, and all succeed`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.advance(by: 3600)
        let statuses = try await loadAll(200, session)
        #expect(statuses == Array(repeating: 200, count: 200))
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        #expect(setting.server.apiRequests.allSatisfy { $0.accepted })
    }

    @Test func `case 1, case 11: the server revokes the token early and responds without delay: one refresh, 200 replays`()
        async throws
    {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.endAccessTokens()
        let statuses = try await loadAll(200, session)
        #expect(statuses == Array(repeating: 200, count: 200))
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }

    @Test func `case 20: sessions that share a record refresh once between them`() async throws {
        let setting = SessionSetting()
        _ = try await setting.signedIn()
        let sessions = (0..<8).map { _ in setting.session(.manual) }
        for session in sessions { _ = try await session.restore() }
        setting.advance(by: 3600)
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for session in sessions { group.addTask { try await loadAll(20, session) } }
            for try await statuses in group { #expect(statuses == Array(repeating: 200, count: 20)) }
        }
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        #expect(!setting.server.familyIsRevoked)
    }

    @Test func `refreshes, and does not use, another session's newer credential that has expired as well`() async throws {
        let setting = SessionSetting()
        let first = try await setting.signedIn()
        let second = setting.session(.manual)
        _ = try await second.restore()
        try await first.refresh()
        setting.advance(by: 3600)
        #expect(try await load(second) == 200)
        #expect(setting.server.tokenRequests.count == 3)
        #expect(setting.server.apiRequests.count == 1)
    }

    @Test func `case 6: asks a server that rejects every token twice, and returns its response`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.configure { $0.afterToken = { [server = setting.server] () async throws(LoadError) in server.endAccessTokens() } }
        setting.server.endAccessTokens()
        #expect(try await load(session) == 401)
        #expect(setting.server.apiRequests.count == 2)
        #expect(setting.server.tokenRequests.count == 2)
    }

    @Test func `TR32: a rejected refresh token signs out, and the error says why`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure {
            $0.atToken = { _ throws(LoadError) in
                LoadResponse(
                    HTTPResponse(status: .badRequest, headerFields: [.contentType: "application/json"]),
                    body: .bytes(Array(#"{"error":"invalid_grant"}"#.utf8)))
            }
        }
        setting.advance(by: 3600)
        let failure = await #expect(throws: LoadError.self) { try await load(session) }
        #expect((failure?.underlying as? SessionError)?.code == .signInNeeded)
        #expect((failure?.underlying as? SessionError)?.serverError?.code == .invalidGrant)
        #expect(session.state == .signedOut((failure?.underlying as? SessionError).map(SessionState.Problem.init)))
        #expect(try await setting.store.accounts().isEmpty)
        #expect(setting.server.apiRequests.isEmpty)
    }

    struct KeepingRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedAnswer
        let expected: SessionError.Code
    }

    @Test(arguments: [
        KeepingRow(
            testDescription: "TR33 invalid_client", answer: .json(["error": "invalid_client"], status: .unauthorized),
            expected: .serverRejected),
        KeepingRow(testDescription: "TR33 500", answer: .status(.internalServerError), expected: .unreachable),
        KeepingRow(
            testDescription: "TR31 503 with Retry-After", answer: .status(.serviceUnavailable, headers: [.retryAfter: "9"]),
            expected: .unreachable),
        KeepingRow(testDescription: "TR31 429", answer: .status(.tooManyRequests), expected: .unreachable),
        KeepingRow(
            testDescription: "a proxy's 407 page", answer: .status(.proxyAuthenticationRequired, headers: [.contentType: "text/html"]),
            expected: .serverMisbehaved),
        KeepingRow(
            testDescription: "a proxy's 400 page", answer: .status(.badRequest, headers: [.contentType: "text/html"]),
            expected: .serverMisbehaved),
        KeepingRow(
            testDescription: "TR26 a redirect", answer: .redirect(.temporaryRedirect, to: "https://evil.example/"),
            expected: .serverMisbehaved),
        KeepingRow(testDescription: "no network", answer: .failure(.cannotConnect), expected: .unreachable),
        KeepingRow(testDescription: "the response was lost", answer: .failure(.connectionLost), expected: .unreachable),
        KeepingRow(testDescription: "the request timed out", answer: .failure(.timedOut), expected: .unreachable),
        KeepingRow(testDescription: "no token in the response", answer: .json(["token_type": "Bearer"]), expected: .serverMisbehaved),
    ])
    func `case 22: a failure other than invalid_grant leaves the tokens as they are`(row: KeepingRow) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let account = session.account
        let before = try await setting.store.read(account)?.version
        let scripted = RoutedTransport([(.any, row.answer)])
        setting.server.configure { $0.atToken = { request throws(LoadError) in try await scripted.send(request) } }
        setting.advance(by: 3600)
        let failure = await #expect(throws: LoadError.self) { try await load(session) }
        #expect((failure?.underlying as? SessionError)?.code == row.expected)
        #expect(try await setting.store.read(account)?.version == before)
        setting.server.configure { $0.atToken = nil }
        setting.advance(by: 9)
        #expect(try await load(session) == 200)
    }

    @Test func `a failed early refresh is not an error: the token is still valid`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) } }
        setting.advance(by: 3550)
        #expect(try await load(session) == 200)
    }

    @Test func `case 15: a cancelled caller leaves without affecting others: the refresh continues, and its result is stored`() async throws
    {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        setting.advance(by: 3600)
        let first = Task { try await load(session) }
        await gate.untilReached()
        let second = Task { try await load(session) }
        first.cancel()
        await #expect(throws: LoadError.self) { try await first.value }
        gate.open()
        #expect(try await second.value == 200)
        let later = setting.session(.manual)
        #expect(try await load(later) == 200)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }

    @Test func `case 16: does not store the tokens of a refresh that ends after a sign-out, and revokes them`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        setting.advance(by: 3600)
        let waiting = Task { try await load(session) }
        await gate.untilReached()
        let report = await session.signOut()
        #expect(report.isSignedOut)
        gate.open()
        await #expect(throws: LoadError.self) { try await waiting.value }
        while !setting.server.revoked.contains("access-2") { await Task.yield() }
        #expect(try await setting.store.accounts().isEmpty)
        #expect(session.state == .signedOut)
    }

    @Test func `case 16: a late refresh does not replace the credential of a newer sign-in`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        setting.advance(by: 3600)
        let waiting = Task { try await load(session) }
        await gate.untilReached()
        setting.server.configure { $0.afterToken = nil }
        let other = setting.session()
        try await other.signIn()
        let standing = try await setting.store.read(session.account)?.version
        gate.open()
        #expect(try await waiting.value == 200)
        #expect(try await setting.store.read(session.account)?.version == standing)
        #expect(setting.server.revoked.contains("access-2"))
    }

    @Test func `case 25: replays a body that can be sent again byte for byte`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.endAccessTokens()
        #expect(try await load(session, body: .form(["a": "1 2"])) == 200)
        #expect(setting.server.apiRequests.map { String(decoding: $0.body, as: UTF8.self) } == ["a=1+2", "a=1+2"])
    }

    @Test func `RS09: sends the token to no other host`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        for url in ["https://evil.example/", "http://api.example/", "https://api.example:8443/", "https://api.example.evil.example/"] {
            _ = try await session.load(.get(url))
        }
        #expect(setting.server.apiRequests.map(\.authorization) == [nil, nil, nil, nil])
    }

    @Test func `case 24: a lifetime shorter than any margin causes one refresh per lifetime`() async throws {
        let setting = SessionSetting()
        setting.server.configure { $0.lifetime = 10 }
        let session = try await setting.signedIn()
        for _ in 0..<20 {
            setting.advance(by: 1)
            #expect(try await load(session) == 200)
        }
        #expect(setting.server.tokenRequests.count == 3)
    }

    @Test func `case 23: two refreshes without a new refresh token keep the old one`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.configure { $0.sendsRefreshToken = false }
        for _ in 0..<2 {
            setting.advance(by: 3600)
            #expect(try await load(session) == 200)
        }
        #expect(setting.server.tokenRequests.count == 3)
    }
}
