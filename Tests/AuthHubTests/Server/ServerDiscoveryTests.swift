import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Synchronization
import Testing

struct ServerDiscoveryTests {
    private static let place = "https://as.example/.well-known/oauth-authorization-server"
    private static let document: JSONValue = ["issuer": "https://as.example", "token_endpoint": "https://as.example/token"]

    private static func response(_ json: JSONValue) -> LoadResponse {
        LoadResponse(HTTPResponse(status: .ok), body: .bytes(json.serialized()))
    }

    @Test func `DD16: concurrent callers share one request, and later callers get its result`() async throws {
        let gate = Gate()
        let transport = RoutedTransport([
            (
                .get(Self.place),
                ScriptedAnswer { _ throws(LoadError) in
                    await gate.pass()
                    return Self.response(Self.document)
                }
            )
        ])
        let dependencies = Dependencies(transport: transport) { start }
        let (one, other) = (ServerDiscovery(dependencies: dependencies), ServerDiscovery(dependencies: dependencies))
        let asking = (0..<100).map { number in
            Task { try await (number.isMultiple(of: 2) ? one : other).metadata(of: "https://as.example").issuer }
        }
        await gate.untilReached()
        asking[7].cancel()
        let cancelled = await #expect(throws: SessionError.self) { try await asking[7].value }
        #expect(cancelled?.code == .cancelledByProgram)
        gate.open()
        for (number, task) in asking.enumerated() where number != 7 { #expect(try await task.value == "https://as.example") }
        _ = try await one.metadata(of: "https://as.example")
        #expect(transport.requests.count == 1)
    }

    @Test func `DD16: sessions share the document they read, and fetch it again when it is no longer fresh`() async throws {
        let time = Mutex(start)
        let answers = Mutex<[JSONValue?]>([])
        let transport = RoutedTransport([
            (
                .get(Self.place),
                ScriptedAnswer { request throws(LoadError) in
                    let next = answers.withLock { $0.removeFirst() }
                    guard let next else { throw LoadError(.cannotConnect, for: request) }
                    return Self.response(next)
                }
            )
        ])
        let dependencies = Dependencies(transport: transport) { time.withLock { $0 } }
        let server = ProviderProfile.issuer(try Issuer("https://as.example"))
        let sessions = (0..<3).map { number in
            OAuthSession(
                OAuthSession.Configuration(
                    server: server, client: OAuthClient(id: "client"), grant: .authorizationCode(ScriptedBrowser { _ in .cancelled }),
                    store: MemoryCredentialStore(), dependencies: dependencies), label: "\(number)")
        }
        func tokenEndpoints() async throws -> [String?] {
            var endpoints: [String?] = []
            for session in sessions { endpoints.append(try await session.provider().endpoints?.token) }
            return endpoints
        }
        let moved: JSONValue = ["issuer": "https://as.example", "token_endpoint": "https://as.example/moved"]
        answers.withLock { $0 = [Self.document, nil, moved] }
        #expect(try await tokenEndpoints() == Array(repeating: "https://as.example/token", count: 3))
        time.withLock { $0 += 3599 }
        #expect(try await tokenEndpoints() == Array(repeating: "https://as.example/token", count: 3))
        #expect(transport.requests.count == 1)
        time.withLock { $0 += 1 }
        #expect(
            try await tokenEndpoints() == Array(repeating: "https://as.example/token", count: 3), "the old one, while no new one is had")
        #expect(transport.requests.count == 2)
        time.withLock { $0 += 60 }
        #expect(try await tokenEndpoints() == Array(repeating: "https://as.example/moved", count: 3))
        #expect(transport.requests.count == 3)
    }

    @Test func `DD15: a sign-in ends at the token endpoint that it started with`() async throws {
        let time = Mutex(start)
        let moved: JSONValue = [
            "issuer": "https://as.example", "authorization_endpoint": "https://evil.example/a",
            "token_endpoint": "https://evil.example/token",
        ]
        let first: JSONValue = [
            "issuer": "https://as.example", "authorization_endpoint": "https://as.example/a", "token_endpoint": "https://as.example/token",
        ]
        let transport = RoutedTransport([
            (
                .get(Self.place),
                ScriptedAnswer { _ throws(LoadError) in
                    let isFirst = time.withLock { $0 == start }
                    return Self.response(isFirst ? first : moved)
                }
            ),
            (.post("https://as.example/token"), .json(["access_token": "canary", "token_type": "Bearer"])),
        ])
        let dependencies = Dependencies(transport: transport) { time.withLock { $0 } }
        let others = ServerDiscovery(dependencies: dependencies)
        let browser = ScriptedBrowser { url in
            // Longer than the document stays fresh, but shorter than the timeout of the sign-in.
            time.withLock { $0 += 3700 }
            let changed = try? await others.metadata(of: "https://as.example").endpoints.token
            #expect(changed == "https://evil.example/token")
            return await consenting(url)
        }
        var configuration = OAuthSession.Configuration(
            server: .issuer(try Issuer("https://as.example")), client: OAuthClient(id: "client"), grant: .authorizationCode(browser),
            store: MemoryCredentialStore(), dependencies: dependencies)
        configuration.signInTimeout = .seconds(7200)
        let session = OAuthSession(configuration)
        try await session.signIn()
        #expect(transport.requests.filter { $0.head.method == .post }.compactMap(\.head.authority) == ["as.example"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The API's challenge; nil if no request was rejected yet.
        var challenge: String?
        /// Documents by their complete URL.
        var documents: [String: JSONValue] = [:]
        var reach = HostPolicy.publicHosts
        /// The addresses that host names resolve to.
        var names: [String: [String]] = [:]
        let expected: Outcome

        enum Outcome: Sendable, Equatable {
            case issuer(String)
            case failed(SessionError.Code)
        }
    }

    private static let api = "https://api.example/v1"
    private static let own = "https://api.example/.well-known/oauth-protected-resource/v1"
    private static let root = "https://api.example/.well-known/oauth-protected-resource"

    private static func protected(_ resource: String = api, by servers: JSONValue = ["https://as.example"]) -> JSONValue {
        ["resource": .string(resource), "authorization_servers": servers]
    }

    static let rows: [Row] = [
        Row(testDescription: "DD05 between host and path", documents: [own: protected()], expected: .issuer("https://as.example")),
        Row(testDescription: "DD05 at the root", documents: [root: protected()], expected: .issuer("https://as.example")),
        Row(testDescription: "nowhere", expected: .failed(.misconfigured)),
        Row(
            testDescription: "DD19 another resource", documents: [own: protected("https://other.example")],
            expected: .failed(.securityCheckFailed)),
        Row(testDescription: "DD20 no authorization server", documents: [own: protected(by: [])], expected: .failed(.misconfigured)),
        Row(
            testDescription: "DD20 the first of several", documents: [own: protected(by: ["https://as.example", "https://b.example"])],
            expected: .issuer("https://as.example")),
        Row(
            testDescription: "only at the URL that the challenge names",
            challenge: #"Bearer resource_metadata="https://api.example/m""#,
            documents: ["https://api.example/m": protected(), own: protected(by: ["https://evil.example"])],
            expected: .issuer("https://as.example")),
        Row(
            testDescription: "a challenge without a URL", challenge: "Bearer", documents: [own: protected()],
            expected: .issuer("https://as.example")),
        Row(
            testDescription: "DD21 on another host, with a matching resource",
            challenge: #"Bearer resource_metadata="https://m.example/api""#, documents: ["https://m.example/api": protected()],
            expected: .issuer("https://as.example")),
        Row(
            testDescription: "DD21 on another host, without a matching resource",
            challenge: #"Bearer resource_metadata="https://m.example/api""#,
            documents: ["https://m.example/api": protected("https://m.example/api")], expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "DD22 a challenge that points to this machine", challenge: #"Bearer resource_metadata="https://127.0.0.1/m""#,
            expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "DD22 a challenge that points to the cloud's metadata service",
            challenge: #"Bearer resource_metadata="https://169.254.169.254/latest""#, expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "DD22 a challenge that points to an http URL", challenge: #"Bearer resource_metadata="http://api.example/m""#,
            expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "DD22 a name that resolves to a private address",
            challenge: #"Bearer resource_metadata="https://m.example/m""#,
            documents: ["https://m.example/m": protected()], names: ["m.example": ["93.184.215.14", "192.168.0.7"]],
            expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "DD22 a name that resolves to a public address", challenge: #"Bearer resource_metadata="https://m.example/m""#,
            documents: ["https://m.example/m": protected()], names: ["m.example": ["93.184.215.14"]],
            expected: .issuer("https://as.example")),
        Row(
            testDescription: "DD22 an issuer in a private network", documents: [own: protected(by: ["https://as.internal"])],
            expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "DD22 an issuer whose name resolves to a private address", documents: [own: protected()],
            names: ["as.example": ["10.0.0.1"]], expected: .failed(.securityCheckFailed)),
        Row(
            testDescription: "DD22 an issuer in a private network, if the program trusts the resource",
            documents: [own: protected(by: ["https://as.internal"])], reach: .anyHostEvenInPrivateNetworks,
            expected: .issuer("https://as.internal")),
        Row(
            testDescription: "the API's own host may be named, wherever it is", documents: [own: protected(by: ["https://api.example/as"])],
            names: ["api.example": ["10.0.0.1"]], expected: .issuer("https://api.example/as")),
    ]

    @Test(arguments: rows)
    func `a resource names its issuer, and untrusted URLs cannot lead to private hosts`(row: Row) async throws {
        let transport = RoutedTransport(row.documents.map { (.get($0.key), .json($0.value)) })
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.addresses = { row.names[$0] ?? ["93.184.215.14"] }
        let discovery = ServerDiscovery(dependencies: dependencies, allowedHosts: row.reach)
        let outcome: Row.Outcome
        do {
            var refusal = HTTPResponse(status: .unauthorized)
            refusal.headerFields[.wwwAuthenticate] = row.challenge
            let resource =
                row.challenge == nil
                ? try await discovery.resource(Self.api) : try await discovery.resource(refusing: refusal, to: Self.api)
            outcome = .issuer(try await discovery.issuer(protecting: resource))
        } catch {
            outcome = .failed(error.code)
        }
        #expect(outcome == row.expected)
        let reached = Set(transport.requests.compactMap(\.head.authority))
        #expect(reached.isSubset(of: ["api.example", "m.example"]), "nobody else is asked")
        if case .failed = row.expected, row.names["m.example"] != nil { #expect(!reached.contains("m.example")) }
    }

    @Test func `DD06: lists the results of all locations, whatever one of them returns`() async throws {
        let issuer = "https://as.example/t"
        let transport = RoutedTransport([
            (.get("https://as.example/.well-known/oauth-authorization-server/t"), .status(.internalServerError)),
            (.get("https://as.example/.well-known/openid-configuration/t"), .redirect(.found, to: "https://cdn.example/m")),
            (.get("https://as.example/t/.well-known/openid-configuration"), .json(["issuer": .string(issuer)])),
        ])
        let answers = try await ServerDiscovery(dependencies: Dependencies(transport: transport) { start }).answers(of: issuer)
        #expect(answers.map(\.status) == [500, 302, 200])
        guard case .failed(let error) = answers[0].outcome, case .redirect(let target) = answers[1].outcome,
            case .found(let metadata) = answers[2].outcome
        else {
            Issue.record("\(answers)")
            return
        }
        #expect(error.code == .unreachable)
        #expect(target == "https://cdn.example/m")
        #expect(metadata.issuer == issuer)
    }
}
