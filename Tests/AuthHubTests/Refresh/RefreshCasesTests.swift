import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Synchronization
import Testing

/// The ways in which refreshing has failed in other libraries (see `docs/checks.md`): a session with a server that responds when
/// the test tells it to.
struct RefreshCasesTests {
    private func load(_ session: OAuthSession, _ path: String = "/things") async throws -> Int {
        try await session.load(.get("https://api.example\(path)")).status.code
    }

    struct FailureRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedAnswer
        /// The error for callers that needed a new token and do not get one.
        let expected: SessionError.Code
    }

    private static let failures = [
        FailureRow(
            testDescription: "case 5, case 8: a rejected refresh token", answer: .json(["error": "invalid_grant"], status: .badRequest),
            expected: .signInNeeded),
        FailureRow(
            testDescription: "case 8: a rejected client", answer: .json(["error": "invalid_client"], status: .unauthorized),
            expected: .serverRejected),
        FailureRow(testDescription: "case 8: 500", answer: .status(.internalServerError), expected: .unreachable),
        FailureRow(testDescription: "case 8: no connection", answer: .failure(.cannotConnect), expected: .unreachable),
        FailureRow(testDescription: "case 8: a lost connection", answer: .failure(.connectionLost), expected: .unreachable),
        FailureRow(testDescription: "case 8: a timeout", answer: .failure(.timedOut), expected: .unreachable),
        FailureRow(
            testDescription: "case 8: an invalid response", answer: .status(.ok, headers: [.contentType: "text/html"]),
            expected: .serverMisbehaved),
        FailureRow(
            testDescription: "case 8: a response whose body breaks off",
            answer: ScriptedAnswer { request throws(LoadError) in
                LoadResponse(
                    HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
                    body: ResponseBody { () async throws(LoadError) in throw LoadError(.connectionLost, for: request) })
            }, expected: .unreachable),
    ]

    @Test(arguments: failures)
    func `after a failed refresh all waiting callers fail, and nothing is sent with the old token`(row: FailureRow) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let gate = Gate()
        let answer = RoutedTransport([(.any, row.answer)])
        setting.server.configure {
            $0.atToken = { request throws(LoadError) in
                await gate.pass()
                return try await answer.send(request)
            }
        }
        setting.advance(by: 3600)
        let first = Task { try await load(session) }
        await gate.untilReached()
        let others = (0..<20).map { _ in startedTask { try await load(session) } }
        gate.open()
        for waiting in [first] + others {
            let failure = await #expect(throws: LoadError.self) { try await waiting.value }
            #expect(failure?.code == .notAuthorized)
            #expect((failure?.underlying as? SessionError)?.code == row.expected)
        }
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        #expect(setting.server.apiRequests.isEmpty)
    }

    @Test(arguments: failures)
    func `case 8: returns the server's 401 to all callers if the refresh after it fails`(row: FailureRow) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let answer = RoutedTransport([(.any, row.answer)])
        let arrivals = Arrivals(expecting: 20)
        setting.server.configure {
            // The server rejects the requests only after all of them have arrived, so that one refresh serves them all.
            $0.afterAPI = { _ in await arrivals.arriveAndWait() }
            $0.atToken = { request throws(LoadError) in try await answer.send(request) }
        }
        setting.server.endAccessTokens()
        let tasks = (0..<20).map { _ in Task { try await load(session) } }
        for task in tasks { #expect(try await task.value == 401) }
        #expect(setting.server.apiRequests.count == 20)
    }

    @Test func `case 9: sends token requests past the chain that waits for them, although their origin may see the token`() async throws {
        let setting = SessionSetting()
        let session = setting.session(tokenOrigins: [Origin(scheme: "https", host: "as.example", port: 443)])
        try await session.signIn()
        setting.server.endAccessTokens()
        #expect(try await load(session) == 200)
        setting.advance(by: 3600)
        #expect(try await load(session) == 200)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token", "refresh_token"])
        #expect(setting.server.tokenAuthorizations == [nil, nil, nil])
    }

    @Test func `case 9: a refresh that is itself rejected with 401 starts no other refresh`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure {
            $0.atToken = { _ throws(LoadError) in LoadResponse(HTTPResponse(status: .unauthorized), body: .bytes([])) }
        }
        setting.server.endAccessTokens()
        #expect(try await load(session) == 401)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }

    @Test func `case 9: refreshes past a custom chain that uses the session's authorizer`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.endAccessTokens()
        let counted = Mutex(0)
        let chain = try Chain(
            transport: setting.server,
            [ModifyLoader(request: { _ in counted.withLock { $0 += 1 } }), RedirectLoader(), AuthorizeLoader(session.authorizer)])
        #expect(try await chain.load(.get("https://api.example/things")).status == .ok)
        #expect(counted.withLock { $0 } == 1)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }

    @Test func `case 13: requests with a valid token run concurrently`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        // No response is sent before all ten requests have arrived.
        let arrivals = Arrivals(expecting: 10)
        setting.server.configure { $0.atAPI = { _ in await arrivals.arriveAndWait() } }
        let tasks = (0..<10).map { _ in Task { try await load(session) } }
        for task in tasks { #expect(try await task.value == 200) }
        #expect(setting.server.tokenRequests == ["authorization_code"])
    }

    @Test func `case 14, case 2: replays requests rejected at the start, in the middle, at the end and after a refresh, with one refresh`()
        async throws
    {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let (refresh, middle, end, after) = (Gate(), Gate(), Gate(), Gate())
        let (middleChecked, endChecked, afterChecked) = (Gate(), Gate(), Gate())
        let holds: [String: (checked: Gate, hold: Gate)] = [
            "/middle": (middleChecked, middle), "/end": (endChecked, end), "/after": (afterChecked, after),
        ]
        setting.server.endAccessTokens()
        setting.server.configure {
            $0.afterAPI = { request in
                guard let (checked, hold) = holds[request.head.path ?? ""] else { return }
                checked.open()
                await checked.pass()
                await hold.pass()
            }
            $0.afterToken = { () async throws(LoadError) in await refresh.pass() }
        }
        let late = ["/middle", "/end", "/after"].map { path in Task { try await load(session, path) } }
        for gate in [middleChecked, endChecked, afterChecked] { await gate.untilReached() }
        let start = Task { try await load(session, "/start") }
        await refresh.untilReached()
        middle.open()
        end.open()
        refresh.open()
        #expect(try await start.value == 200)
        after.open()
        for task in late { #expect(try await task.value == 200) }
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        #expect(setting.server.apiRequests.count == 8)
    }

    @Test(arguments: [HTTPResponse.Status.movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect])
    func `case 29: a token request does not follow redirects`(status: HTTPResponse.Status) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let asked = Mutex<[String]>([])
        setting.server.configure {
            $0.atToken = { request throws(LoadError) in
                asked.withLock { $0.append("\(request.head.authority ?? "")\(request.head.path ?? "")") }
                return LoadResponse(HTTPResponse(status: status, headerFields: [.location: "https://evil.example/token"]))
            }
        }
        setting.advance(by: 3600)
        let failure = await #expect(throws: LoadError.self) { try await load(session) }
        #expect((failure?.underlying as? SessionError)?.code == .serverMisbehaved)
        #expect(asked.withLock { $0 } == ["as.example/token"])
        #expect(setting.server.apiRequests.isEmpty)
    }

    @Test func `case 25: returns the 401 to a request whose body can be sent only once, and the next request has the new token`()
        async throws
    {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.endAccessTokens()
        setting.server.configure { $0.atAPI = { request in _ = try? await request.body.open() } }
        let body = RequestBody.stream(once: .bytes([1, 2, 3]))
        let response = try await session.load(.post("https://api.example/things", body: body))
        #expect(response.status == .unauthorized)
        #expect(setting.server.apiRequests.count == 1)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        #expect(try await load(session) == 200)
        #expect(setting.server.tokenRequests.count == 2)
    }

    @Test func `case 12: a caller that arrives during a refresh waits for the new token`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        setting.server.endAccessTokens()
        let first = Task { try await load(session) }
        await gate.untilReached()
        let others = (0..<20).map { _ in startedTask { try await load(session) } }
        gate.open()
        for task in [first] + others { #expect(try await task.value == 200) }
        #expect(setting.server.apiRequests.filter { !$0.accepted }.count == 1)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }

    @Test func `case 3: refreshes a token once if it expires while its rejection is in transit`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let (checked, refusal, refresh) = (Gate(), Gate(), Gate())
        setting.server.endAccessTokens()
        setting.server.configure {
            $0.afterAPI = { request in
                guard request.head.path == "/refused" else { return }
                checked.open()
                await checked.pass()
                await refusal.pass()
            }
            $0.afterToken = { () async throws(LoadError) in await refresh.pass() }
        }
        let refused = Task { try await load(session, "/refused") }
        await checked.untilReached()
        setting.advance(by: 3600)
        let expired = Task { try await load(session, "/expired") }
        await refresh.untilReached()
        refusal.open()
        refresh.open()
        #expect(try await expired.value == 200)
        #expect(try await refused.value == 200)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }

    @Test func `case 17: two accounts that refresh at the same time each get their own token`() async throws {
        let work = SessionSetting()
        let home = SessionSetting(store: work.store)
        let workSession = work.session(label: "work")
        let homeSession = home.session(label: "home")
        try await workSession.signIn()
        // Sign in twice, so that the two accounts have different tokens.
        for _ in 0..<2 { try await homeSession.signIn() }
        let arrivals = Arrivals(expecting: 2)
        for setting in [work, home] {
            setting.server.configure { $0.afterToken = { () async throws(LoadError) in await arrivals.arriveAndWait() } }
            setting.advance(by: 3600)
        }
        async let atWork = load(workSession)
        async let atHome = load(homeSession)
        #expect(try await atWork == 200)
        #expect(try await atHome == 200)
        #expect(work.server.apiRequests.map(\.authorization) == ["Bearer access-2"])
        #expect(home.server.apiRequests.map(\.authorization) == ["Bearer access-3"])
        #expect(!work.server.familyIsRevoked && !home.server.familyIsRevoked)
    }

    @Test func `case 18: no request has the old token after a sign-out, and the next user's token is used`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        #expect(try await load(session) == 200)
        #expect(await session.signOut().isSignedOut)
        let failure = await #expect(throws: LoadError.self) { try await load(session) }
        #expect((failure?.underlying as? SessionError)?.code == .signInNeeded)
        try await setting.session().signIn()
        #expect(try await load(session) == 200)
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer access-1", "Bearer access-2"])
    }

    @Test func `case 37: 20 requests that learn together that the grant is revoked open no page, and the next 20 open one`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let gate = Gate()
        setting.server.configure {
            $0.atToken = { request throws(LoadError) in
                guard String(decoding: request.body.bytes ?? [], as: UTF8.self).contains("grant_type=refresh_token") else { return nil }
                await gate.pass()
                return LoadResponse(
                    HTTPResponse(status: .badRequest, headerFields: [.contentType: "application/json"]),
                    body: .bytes(Array(#"{"error":"invalid_grant"}"#.utf8)))
            }
        }
        setting.advance(by: 3600)
        let first = Task { try await load(session) }
        await gate.untilReached()
        let others = (1..<20).map { _ in startedTask { try await load(session) } }
        gate.open()
        for task in [first] + others { await #expect(throws: LoadError.self) { try await task.value } }
        #expect(setting.browser.visitedURLs.count == 1)
        let next = (0..<20).map { _ in Task { try await load(session) } }
        for task in next { #expect(try await task.value == 200) }
        #expect(setting.browser.visitedURLs.count == 2)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token", "authorization_code"])
    }
}

/// Returns a task that has run up to its first suspension, on systems that can start a task in this way.
func startedTask(_ operation: @escaping @Sendable () async throws -> Int) -> Task<Int, any Error> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate { try await operation() }
    } else {
        Task { try await operation() }
    }
}

/// A barrier: tasks wait until the expected number has arrived. After that, all tasks pass.
private final class Arrivals: Sendable {
    private let missing: Mutex<Int>
    private let gate = Gate()

    init(expecting count: Int) {
        missing = Mutex(count)
    }

    func arriveAndWait() async {
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { gate.open() }
        await gate.pass()
    }
}
