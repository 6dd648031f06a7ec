import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Synchronization
import Testing

@testable import AuthHub

/// Loaders, including malicious ones, that an app adds to requests to the authorization server.
@Suite(.timeLimit(.minutes(15)))
struct ServerLoadersTests {
    // MARK: Hostile loaders

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: SessionError.Code
        /// How many token requests reach the server.
        let sent: Int
        let load: HostileLoader.Load
    }

    private static let rows = [
        Row(testDescription: "sends the request twice", expected: .misconfigured, sent: 1) { request, next throws(LoadError) in
            _ = try await next(request)
            return try await next(request)
        },
        Row(testDescription: "sends the request twice concurrently", expected: .misconfigured, sent: 1) { request, next throws(LoadError) in
            let results = await withTaskGroup(of: Result<LoadResponse, LoadError>.self) { group in
                for _ in 0..<2 { group.addTask { await outcome(of: request, next) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for result in results { _ = try result.get() }
            return try results[0].get()
        },
        Row(testDescription: "sends the request again after a lost connection", expected: .unreachable, sent: 1) {
            request, next throws(LoadError) in
            var request = request
            request.head.headerFields[fault] = "lost connection"
            _ = await outcome(of: request, next)
            return try await next(request)
        },
        Row(testDescription: "changes the URL to another origin", expected: .misconfigured, sent: 0) { request, next throws(LoadError) in
            var request = request
            request.head.authority = "evil.example"
            return try await next(request)
        },
        Row(testDescription: "changes the path", expected: .misconfigured, sent: 0) { request, next throws(LoadError) in
            var request = request
            request.head.path = "/elsewhere"
            return try await next(request)
        },
        Row(testDescription: "changes https to http", expected: .misconfigured, sent: 0) { request, next throws(LoadError) in
            var request = request
            request.head.scheme = "http"
            return try await next(request)
        },
        Row(testDescription: "follows a redirect itself", expected: .misconfigured, sent: 1) { request, next throws(LoadError) in
            var request = request
            request.head.headerFields[fault] = "redirect"
            let response = try await next(request)
            #expect(response.status == .temporaryRedirect)
            request.head.authority = "evil.example"
            return try await next(request)
        },
        Row(testDescription: "returns a redirect", expected: .serverMisbehaved, sent: 0) { _, _ throws(LoadError) in
            LoadResponse(HTTPResponse(status: .found, headerFields: [.location: "https://evil.example/"]))
        },
        Row(testDescription: "returns 10 MiB", expected: .serverMisbehaved, sent: 1) { request, next throws(LoadError) in
            var response = try await next(request)
            response.body = .bytes([UInt8](repeating: 0x20, count: 10 << 20))
            return response
        },
        Row(testDescription: "returns JSON with a duplicate name", expected: .serverMisbehaved, sent: 0) { _, _ throws(LoadError) in
            LoadResponse(
                HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
                body: .bytes(Array(#"{"access_token":"a","access_token":"b","token_type":"Bearer"}"#.utf8)))
        },
        Row(testDescription: "drops the request", expected: .serverMisbehaved, sent: 0) { _, _ throws(LoadError) in
            LoadResponse(HTTPResponse(status: .noContent))
        },
        Row(testDescription: "replaces the request with another", expected: .misconfigured, sent: 0) { request, next throws(LoadError) in
            try await next(LoadRequest(request.head, body: request.body))
        },
        Row(testDescription: "replaces the request and keeps its options", expected: .misconfigured, sent: 0) {
            request, next throws(LoadError) in
            try await next(LoadRequest(request.head, body: request.body, options: request.options))
        },
        Row(testDescription: "adds an Authorization field", expected: .misconfigured, sent: 0) { request, next throws(LoadError) in
            var request = request
            request.head.headerFields[.authorization] = "Bearer t0ken"
            return try await next(request)
        },
    ]

    @Test(arguments: rows)
    func `a hostile loader ends a sign-in with a clear error, and the code is sent neither twice nor elsewhere`(row: Row) async throws {
        let bench = Bench(row.load)
        bench.hostile.arm()
        let failure = await #expect(throws: SessionError.self) { try await bench.session.signIn() }
        #expect(failure?.code == row.expected, "\(failure?.explanation ?? "")")
        #expect(bench.server.tokenRequests.count == row.sent)
        #expect(bench.transport.strangers.isEmpty)
        #expect(try await bench.session.restore().isSignedOut)
        if row.expected == .misconfigured { #expect(failure?.explanation.contains("serverLoaders") == true) }
    }

    @Test(arguments: rows)
    func `a hostile loader ends a refresh with a clear error, and the stored tokens remain`(row: Row) async throws {
        let bench = Bench(row.load)
        try await bench.session.signIn()
        bench.hostile.arm()
        let failure = await #expect(throws: SessionError.self) { try await bench.session.refresh() }
        #expect(failure?.code == row.expected, "\(failure?.explanation ?? "")")
        #expect(bench.server.tokenRequests.count == 1 + row.sent)
        #expect(bench.transport.strangers.isEmpty)
        #expect(try await bench.session.accessToken().value == Secret("access-1"))
    }

    @Test func `times out a loader that never responds after 30 seconds`() async throws {
        let bench = Bench { request, _ throws(LoadError) in try await ScriptedTransport([.init(.any, .never)]).send(request) }
        bench.hostile.arm()
        let failure = await #expect(throws: SessionError.self) { try await bench.clock.run { try await bench.session.signIn() } }
        #expect(failure?.code == .unreachable)
        #expect(bench.clock.now.offset == .seconds(30))
        #expect(bench.server.tokenRequests.isEmpty)
    }

    @Test func `abandons a loader that ignores its cancellation, which sends nothing afterwards`() async throws {
        let (gate, end) = (Gate(), Latest<LoadError.Code>())
        let bench = Bench { request, next throws(LoadError) in
            await gate.pass()
            let outcome = await outcome(of: request, next)
            if case .failure(let error) = outcome { end.set(error.code) }
            return try outcome.get()
        }
        bench.hostile.arm()
        let failure = await #expect(throws: SessionError.self) { try await bench.clock.run { try await bench.session.signIn() } }
        #expect(failure?.code == .unreachable)
        #expect(bench.clock.now.offset == .seconds(30))
        gate.open()
        #expect(await end.value() == .timedOut)
        #expect(bench.server.tokenRequests.isEmpty)
    }

    @Test func `abandons an endless body, too`() async throws {
        let gate = Gate()
        let bench = Bench { _, _ throws(LoadError) in
            LoadResponse(
                HTTPResponse(status: .ok),
                body: ResponseBody { () async throws(LoadError) in
                    await gate.pass()
                    return nil
                })
        }
        bench.hostile.arm()
        let failure = await #expect(throws: SessionError.self) { try await bench.clock.run { try await bench.session.signIn() } }
        #expect(failure?.code == .unreachable)
        gate.open()
    }

    @Test func `a loader that signs out during a refresh: the old and the new tokens are revoked`() async throws {
        let session = Latest<OAuthSession>()
        let bench = Bench { request, next throws(LoadError) in
            await session.value().signOut()
            return try await next(request)
        }
        session.set(bench.session)
        try await bench.session.signIn()
        bench.hostile.arm(once: true)
        let failure = await #expect(throws: SessionError.self) { try await bench.session.refresh() }
        #expect(failure?.code == .cancelledByProgram)
        await bench.session.finish()
        #expect(bench.session.state.isSignedOut)
        #expect(Set(bench.server.revoked) == ["refresh-1", "access-1", "refresh-2", "access-2"])
        #expect(bench.server.tokenRequests.count == 2)
    }

    @Test func `a loader cannot change the timeout of an attempt or where it connects to`() async throws {
        let bench = Bench { request, next throws(LoadError) in
            var request = request
            request.options[AttemptTimeout.self] = .seconds(3600)
            request.options[ConnectionAddress.self] = "192.0.2.1"
            return try await next(request)
        }
        bench.hostile.arm()
        try await bench.session.signIn()
        let options = try #require(bench.transport.options)
        #expect(options[AttemptTimeout.self] == .seconds(30))
        #expect(options[ConnectionAddress.self] == nil)
    }

    // MARK: Loaders that help

    @Test func `loaders see each request to the server, and may change header fields and bodies`() async throws {
        let bench = Bench { request, next throws(LoadError) in
            var request = request
            request.head.headerFields[.userAgent] = "notes/1.0"
            request.body = .bytes((request.body.bytes ?? []) + Array("&audience=notes".utf8), contentType: request.body.contentType)
            return try await next(request)
        }
        bench.hostile.arm()
        try await bench.session.signIn()
        try await bench.session.refresh()
        await bench.session.signOut()
        #expect(bench.hostile.count == 4)
        #expect(bench.server.tokenRequests == ["authorization_code", "refresh_token"])
        #expect(bench.transport.bodies.allSatisfy { $0.hasSuffix("&audience=notes") })
    }

    @Test func `a loader may retry a request that was certainly not sent`() async throws {
        let bench = Bench(with: [RetryLoader(RetryPolicy(backoff: .immediate))])
        bench.transport.failConnections(1)
        try await bench.session.signIn()
        #expect(bench.server.tokenRequests == ["authorization_code"])
    }

    @Test func `a loader may request metadata again`() async throws {
        let busy = ScriptedTransport([
            .init(.get("https://as.example/metadata"), .status(.serviceUnavailable)),
            .init(.get("https://as.example/metadata"), .json(["issuer": "https://as.example"])),
        ])
        var dependencies = Dependencies(transport: busy) { start }
        dependencies.serverLoaders = [RetryLoader(RetryPolicy(backoff: .immediate))]
        let answer = try await BackChannel(dependencies).get("https://as.example/metadata")
        #expect(answer.head.status == .ok)
    }

    struct Setup: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let loaders: [any Loader]
    }

    @Test(arguments: [
        Setup(
            testDescription: "a wrong order", words: "serverLoaders are in the wrong order",
            loaders: [RedirectLoader(), RetryLoader()]),
        Setup(
            testDescription: "an authorizing loader", words: "serverLoaders contains an authorizing loader",
            loaders: [AuthorizeLoader(SessionSetting().session().authorizer)]),
    ])
    func `throws for loaders that cannot work, and sends nothing`(setup: Setup) async throws {
        let bench = Bench(with: setup.loaders)
        let failure = await #expect(throws: SessionError.self) { try await bench.session.signIn() }
        #expect(failure?.code == .misconfigured)
        #expect(failure?.explanation.contains(setup.words) == true, "\(failure?.explanation ?? "")")
        #expect(bench.server.tokenRequests.isEmpty)
    }

    /// The header field that requests a fault from ``WatchedTransport``.
    fileprivate static let fault = HTTPField.Name.from
}

private func outcome(of request: LoadRequest, _ next: Next) async -> Result<LoadResponse, LoadError> {
    do throws(LoadError) {
        return .success(try await next(request))
    } catch {
        return .failure(error)
    }
}

/// A loader whose behavior is set by a test. It starts when it is armed.
final class HostileLoader: Loader {
    typealias Load = @Sendable (LoadRequest, Next) async throws(LoadError) -> LoadResponse

    private struct State {
        var isArmed = false
        var isForOnce = false
        var count = 0
    }

    private let act: Load
    private let state = Mutex(State())

    init(_ act: @escaping Load) {
        self.act = act
    }

    var count: Int { state.withLock { $0.count } }

    func arm(once: Bool = false) { state.withLock { ($0.isArmed, $0.isForOnce) = (true, once) } }

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let acts = state.withLock { state in
            guard state.isArmed else { return false }
            state.count += 1
            state.isArmed = !state.isForOnce
            return true
        }
        return acts ? try await act(request, next) : try await next(request)
    }
}

/// The server, the network in front of it, and a session whose server loaders are hostile.
private struct Bench: Sendable {
    let server = RotatingServer()
    let clock = TestClock()
    let hostile: HostileLoader
    let transport: WatchedTransport
    let session: OAuthSession

    init(
        with loaders: [any Loader] = [],
        _ act: @escaping HostileLoader.Load = { request, next throws(LoadError) in try await next(request) }
    ) {
        hostile = HostileLoader(act)
        transport = WatchedTransport(server)
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.clock = LoadClock(clock)
        dependencies.serverLoaders = loaders + [hostile]
        var configuration = OAuthSession.Configuration(
            server: SessionSetting.profile, client: OAuthClient(id: "client"),
            grant: .authorizationCode(ScriptedBrowser(visit: consenting)), store: MemoryCredentialStore(), dependencies: dependencies)
        configuration.prompting = .manual
        session = OAuthSession(configuration)
    }
}

/// A transport that records the requests that reach the network, and fails if a request asks for it.
private final class WatchedTransport: Transport {
    private struct State {
        var strangers: [String] = []
        var bodies: [String] = []
        var options: RequestOptions?
        var refusals = 0
    }

    private let server: RotatingServer
    private let state = Mutex(State())

    init(_ server: RotatingServer) {
        self.server = server
    }

    /// Origins other than the server's.
    var strangers: [String] { state.withLock { $0.strangers } }
    var bodies: [String] { state.withLock { $0.bodies } }
    /// The options of the last request.
    var options: RequestOptions? { state.withLock { $0.options } }

    func failConnections(_ count: Int) { state.withLock { $0.refusals = count } }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let origin = "\(request.head.scheme ?? "")://\(request.head.authority ?? "")"
        let isRefused = state.withLock { state in
            if !["https://as.example", "https://api.example"].contains(origin) { state.strangers.append(origin) }
            state.options = request.options
            guard state.refusals == 0 else {
                state.refusals -= 1
                return true
            }
            state.bodies.append(String(decoding: request.body.bytes ?? [], as: UTF8.self))
            return false
        }
        if isRefused { throw LoadError(.cannotConnect, for: request) }
        switch request.head.headerFields[ServerLoadersTests.fault] {
        case "lost connection":
            _ = try await server.send(request)
            throw LoadError(.connectionLost, for: request)
        case "redirect":
            _ = try await server.send(request)
            return LoadResponse(HTTPResponse(status: .temporaryRedirect, headerFields: [.location: "https://evil.example/token"]))
        default:
            return try await server.send(request)
        }
    }
}

/// A value that is set once and awaited.
private final class Latest<Value: Sendable>: Sendable {
    private let values = AsyncStream<Value>.makeStream()
    private let current = Mutex<Value?>(nil)

    func set(_ value: Value) {
        current.withLock { $0 = value }
        values.continuation.yield(value)
        values.continuation.finish()
    }

    func value() async -> Value {
        while true {
            if let value = current.withLock({ $0 }) { return value }
            for await value in values.stream { return value }
        }
    }
}
