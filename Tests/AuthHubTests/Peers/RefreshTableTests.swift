import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Platform
import Testing

/// Rules about refreshing tokens, from the tests and bugs of other libraries; see `docs/checks.md`.
struct RefreshTableTests {
    private func load(_ session: OAuthSession) async throws -> Int {
        try await session.load(.get("https://api.example/things")).status.code
    }

    struct RefusalRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedAnswer
        /// Whether the server never lets the client refresh tokens.
        var isFinal = false
    }

    private static let codes = [
        ("AppAuth: temporarily_unavailable", "temporarily_unavailable"), ("AppAuth: server_error", "server_error"),
        ("AppAuth: slow_down", "slow_down"), ("AppAuth: invalid_request", "invalid_request"),
        ("AppAuth: unauthorized_client", "unauthorized_client"), ("AppAuth: unsupported_grant_type", "unsupported_grant_type"),
        ("AppAuth: invalid_scope", "invalid_scope"), ("AppAuth: invalid_client", "invalid_client"),
        ("AppAuth: access_denied", "access_denied"), ("AppAuth: an unknown error code", "out_of_cheese"),
    ].map {
        RefusalRow(
            testDescription: $0, answer: .json(["error": .string($1)], status: .badRequest),
            isFinal: ["unauthorized_client", "unsupported_grant_type"].contains($1))
    }

    private static let statuses = [400, 401, 403, 404, 405, 408, 409, 410, 413, 418, 422, 429, 500, 501, 502, 503, 504, 511, 599].flatMap {
        let status = HTTPResponse.Status(code: $0)
        return [
            RefusalRow(testDescription: "p2/OAuth2: \($0) without a body", answer: .status(status)),
            RefusalRow(testDescription: "p2/OAuth2: \($0) with JSON without an error", answer: .json(["message": "no"], status: status)),
            RefusalRow(
                testDescription: "p2/OAuth2: \($0) with a page that mentions invalid_grant",
                answer: .status(status, headers: [.contentType: "text/html"], body: Array("<p>invalid_grant</p>".utf8))),
        ]
    }

    @Test(arguments: codes + statuses)
    func `keeps the user signed in after any failure but a revoked grant, and works again an hour later`(row: RefusalRow) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let before = try await setting.store.read(session.account)?.version
        let scripted = RoutedTransport([(.any, row.answer)])
        setting.server.configure { $0.atToken = { request throws(LoadError) in try await scripted.send(request) } }
        setting.advance(by: 3600)
        let failure = await #expect(throws: LoadError.self) { try await load(session) }
        #expect(failure?.code == .notAuthorized)
        #expect(((failure?.underlying as? SessionError)?.code == .signInNeeded) == row.isFinal)
        if case .signedOut = session.state { Issue.record("signed out") }
        #expect(try await setting.store.read(session.account)?.version == before)
        setting.server.configure { $0.atToken = nil }
        setting.advance(by: 3600)
        #expect(try await load(session) == 200)
        #expect(!setting.server.familyIsRevoked)
    }

    @Test func `Auth0: keeps a refreshed token with a shorter lifetime than requested, and its refresh token`() async throws {
        let setting = SessionSetting()
        setting.server.configure { $0.lifetime = 10 }
        let session = try await setting.signedIn(.manual)
        let token = try await session.accessToken(minimumLifetime: .seconds(3600))
        #expect(token.value == Secret("access-2"))
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        setting.advance(by: 3600)
        #expect(try await setting.session(.manual).accessToken().value == Secret("access-3"))
        #expect(!setting.server.familyIsRevoked)
    }

    @Test func `Auth0: does not send an expired refresh token, and asks the user to sign in again`() async throws {
        let setting = SessionSetting()
        setting.server.configure {
            $0.atToken = { _ throws(LoadError) in
                let members: JSONValue = [
                    "access_token": "a", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r",
                    "refresh_token_expires_in": 7200,
                ]
                return try await ScriptedAnswer.json(members).load()
            }
        }
        let session = try await setting.signedIn(.manual)
        setting.advance(by: 7200)
        let failure = await #expect(throws: LoadError.self) { try await load(session) }
        #expect((failure?.underlying as? SessionError)?.code == .signInNeeded)
        #expect(setting.server.tokenRequests == ["authorization_code"])
    }

    /// Covers a missing refresh token and an empty one, which counts as missing.
    @Test(
        arguments: [
            ["access_token": "endless", "token_type": "Bearer"],
            ["access_token": "endless", "token_type": "Bearer", "refresh_token": ""],
        ] as [JSONValue])
    func `AppAuth: uses a token without an expiry until the API rejects it`(answer: JSONValue) async throws {
        let setting = SessionSetting()
        setting.server.configure {
            $0.atToken = { _ throws(LoadError) in try await ScriptedAnswer.json(answer).load() }
        }
        let session = try await setting.signedIn(.manual)
        setting.advance(by: 366 * 24 * 3600)
        // The API in these tests does not accept the token, and the 401 is final because there is nothing to refresh.
        #expect(try await load(session) == 401)
        #expect(try await setting.session(.manual).accessToken().expiresAt == nil)
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer endless"])
        #expect(setting.server.tokenRequests == ["authorization_code"])
    }

    @Test func `OAuthSwift: during a refresh the old token stays stored and the user stays signed in`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let before = try await setting.store.read(session.account)?.version
        let gate = Gate()
        setting.server.configure {
            $0.atToken = { request throws(LoadError) in
                await gate.pass()
                throw LoadError(.connectionLost, for: request)
            }
        }
        setting.advance(by: 3550)
        let waiting = Task { try await load(session) }
        await gate.untilReached()
        if case .signedOut = session.state { Issue.record("signed out") }
        #expect(try await setting.store.read(session.account)?.version == before)
        gate.open()
        #expect(try await waiting.value == 200)
        #expect(try await setting.store.read(session.account)?.version == before)
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer access-1"])
    }

    @Test func `Okta: sends nothing on its own after a failed refresh, however much time passes`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) } }
        setting.advance(by: 3600)
        await #expect(throws: LoadError.self) { try await load(session) }
        let asked = setting.server.tokenRequests
        for _ in 0..<24 {
            setting.advance(by: 3600)
            await session.finish()
            for _ in 0..<10 { await Task.yield() }
        }
        #expect(asked == ["authorization_code", "refresh_token"])
        #expect(setting.server.tokenRequests == asked)
    }

    @Test func `Okta: a hundred callers for each processor wait for one refresh, and other work continues`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        setting.advance(by: 3600)
        let count = 100 * ProcessInfo.processInfo.activeProcessorCount
        let callers = (0..<count).map { _ in Task { try await load(session) } }
        await gate.untilReached()
        let others = (0..<count).map { number in
            Task {
                await Task.yield()
                return number
            }
        }
        var sum = 0
        for other in others { sum += await other.value }
        #expect(sum == count * (count - 1) / 2)
        gate.open()
        for caller in callers { #expect(try await caller.value == 200) }
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }
}

extension ScriptedAnswer {
    /// The response to every request.
    fileprivate func load() async throws(LoadError) -> LoadResponse {
        try await RoutedTransport([(.any, self)]).send(.get("https://as.example/token"))
    }
}
