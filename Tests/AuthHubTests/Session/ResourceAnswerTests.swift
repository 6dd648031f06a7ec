import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Synchronization
import Testing

/// The responses of an API to a session's requests, and the session's reactions.
struct ResourceAnswerTests {
    private func load(_ session: OAuthSession) async throws -> LoadResponse {
        try await session.load(.get("https://api.example/things"))
    }

    /// Rejects a token with a challenge as long as the closure returns true.
    private static func refusing(_ field: String, while isRefused: @escaping @Sendable (String?) -> Bool)
        -> @Sendable (String?)
        -> LoadResponse?
    {
        { authorization in
            guard isRefused(authorization) else { return nil }
            return LoadResponse(
                HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: field]), body: .bytes(Array("refused".utf8)))
        }
    }

    @Test(arguments: [
        ("RS02 invalid_token", #"Bearer error="invalid_token""#),
        ("RS02 no error code", "Bearer"),
        ("RS10 a quoted string without its closing quote", #"Bearer error="invalid_token"#),
        ("RS10 noise", "%%/%%"),
        ("RS10 another scheme", "Negotiate"),
        ("RS10 nothing", ""),
    ])
    func `refreshes a rejected token once, and replays the request once`(description: String, field: String) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure { $0.apiAnswer = Self.refusing(field) { $0 == "Bearer access-1" } }
        #expect(try await load(session).status == .ok, "\(description)")
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer access-1", "Bearer access-2"])
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }

    @Test(arguments: [#"Bearer error="invalid_token""#, "%%/%%"])
    func `RS02, RS10: returns the second rejection unchanged`(field: String) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure { $0.apiAnswer = Self.refusing(field) { _ in true } }
        let response = try await load(session)
        #expect(response.status == .unauthorized)
        #expect(response.head.headerFields[.wwwAuthenticate] == field)
        #expect(try await response.body.collect(upTo: 100) == Array("refused".utf8))
        #expect(setting.server.apiRequests.count == 2)
        #expect(setting.server.tokenRequests.count == 2)
    }

    @Test func `RS03: fifty concurrent rejections cause one refresh`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure { $0.apiAnswer = Self.refusing(#"Bearer error="invalid_token""#) { $0 == "Bearer access-1" } }
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for _ in 0..<50 { group.addTask { try await load(session).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: .ok, count: 50))
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }

    @Test func `RS04: replays a request with the new token, without a refresh, if its token was refreshed in the meantime`()
        async throws
    {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let gate = Gate()
        setting.server.configure {
            $0.apiAnswer = Self.refusing(#"Bearer error="invalid_token""#) { $0 == "Bearer access-1" }
            $0.afterAPI = { request in
                if request.head.headerFields[.authorization] == "Bearer access-1" { await gate.pass() }
            }
        }
        let refused = Task { try await load(session).status }
        await gate.untilReached()
        try await session.refresh()
        gate.open()
        #expect(try await refused.value == .ok)
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer access-1", "Bearer access-2"])
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }

    @Test func `RS05: neither refreshes nor replays for insufficient_scope`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.configure {
            $0.apiAnswer = { _ in
                LoadResponse(
                    HTTPResponse(
                        status: .forbidden, headerFields: [.wwwAuthenticate: #"Bearer error="insufficient_scope", scope="write""#]))
            }
        }
        #expect(try await load(session).status == .forbidden)
        #expect(setting.server.apiRequests.count == 1)
        #expect(setting.server.tokenRequests == ["authorization_code"])
        #expect(setting.browser.visitedURLs.count == 1)
    }

    @Test func `RS12: returns the API's response if the refresh fails, and the state says why`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let broken = RoutedTransport([(.any, .json(["error": "invalid_client"], status: .unauthorized))])
        setting.server.configure {
            $0.apiAnswer = Self.refusing(#"Bearer error="invalid_token""#) { _ in true }
            $0.atToken = { request throws(LoadError) in try await broken.send(request) }
        }
        let response = try await load(session)
        #expect(response.status == .unauthorized)
        #expect(try await response.body.collect(upTo: 100) == Array("refused".utf8))
        guard case .signedIn(let facts) = session.state else {
            Issue.record("not signed in: \(session.state)")
            return
        }
        #expect(facts.problem?.code == .serverRejected)
    }

    @Test(arguments: ["a\r\nX-Injected: y", "ä", "a b", "a\u{0}", "", "a\u{7F}"])
    func `RS11: does not send a stored token that is not valid in a header field`(token: String) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let stored = try #require(try await setting.store.read(session.account))
        var members = try #require(JSONValue(strict: stored.payload.reveal()).object)
        members["access_token"] = .string(token)
        let record = Secret(JSONValue.object(members).serialized())
        _ = try await setting.store.write(record, for: session.account, replacing: stored.version)
        let failure = await #expect(throws: LoadError.self) { try await load(setting.session(.manual)) }
        #expect((failure?.underlying as? SessionError)?.code == .storeFailed)
        #expect(setting.server.apiRequests.isEmpty)
    }

    @Test func `RQ07: adds the token to the header field only, and leaves the URL and body unchanged`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let seen = Mutex<[HTTPRequest]>([])
        setting.server.configure { $0.atAPI = { request in seen.withLock { $0.append(request.head) } } }
        let request = try LoadRequest.post("https://api.example/things?page=2", body: .form(["a": "b"]))
        #expect(try await session.load(request).status == .ok)
        let head = try #require(seen.withLock { $0.first })
        #expect(head.headerFields[.authorization] == "Bearer access-1")
        #expect(head.path == "/things?page=2")
        #expect(setting.server.apiRequests.map { String(decoding: $0.body, as: UTF8.self) } == ["a=b"])
        #expect(head.headerFields.filter { $0.value.contains("access-1") }.map(\.name) == [.authorization])
    }
}
