import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct AuthorizerRouterTests {
    /// An authorizer that sends its name and a number, which increases with each rejection.
    private final class Named: Authorizer {
        struct Stuck: Error {}

        let name: String
        let origins: Set<Origin>
        let cannotReset: Bool
        let resets = Mutex<[ResetPhase]>([])
        let refused = Mutex<[Int]>([])

        init(_ name: String, _ hosts: [String], cannotReset: Bool = false) {
            self.name = name
            origins = Set(hosts.map { Origin(scheme: "https", host: $0, port: 443) })
            self.cannotReset = cannotReset
        }

        func covers(_ origin: Origin, path: String, options: RequestOptions) -> Bool { origins.contains(origin) }
        func credential(for request: LoadRequest) async throws(LoadError) -> Int { 1 }

        func apply(_ credential: Int, to head: inout HTTPRequest) throws(LoadError) {
            head.headerFields[.authorization] = "\(name) \(credential)"
        }

        func replacement(for credential: Int, refusedBy response: HTTPResponse, request: LoadRequest) async throws(LoadError) -> Int? {
            refused.withLock { $0.append(credential) }
            return credential + 1
        }

        func reset(_ context: ResetContext) async throws {
            resets.withLock { $0.append(context.phase) }
            if cannotReset { throw Stuck() }
        }
    }

    private let first = Named("first", ["a.example", "both.example"])
    private let second = Named("second", ["b.example", "both.example"])

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var authentication: Authentication?
        let host: String
        let expected: String?
    }

    @Test(arguments: [
        Row(testDescription: "without the option, by origin", host: "b.example", expected: "second 1"),
        Row(testDescription: "automatic, by origin", authentication: .automatic, host: "a.example", expected: "first 1"),
        Row(testDescription: "the first of two that cover it", host: "both.example", expected: "first 1"),
        Row(testDescription: "no authorizer covers it", host: "c.example", expected: nil),
        Row(testDescription: "none, although one covers it", authentication: Authentication.none, host: "a.example", expected: nil),
        Row(testDescription: "by name", authentication: .named("second"), host: "both.example", expected: "second 1"),
        Row(testDescription: "by name, at another authorizer's origin", authentication: .named("second"), host: "a.example", expected: nil),
        Row(testDescription: "by name, at a foreign origin", authentication: .named("second"), host: "c.example", expected: nil),
    ])
    func `authorizes a request with the authorizer that it names, otherwise with the first that covers its origin`(row: Row) async throws {
        var request = try LoadRequest.get("https://\(row.host)/")
        if let authentication = row.authentication { request.options[Authentication.self] = authentication }
        #expect(try await sent(request, answers: [.status(.ok)]) == [row.expected])
    }

    @Test(arguments: ["a.example", "c.example"])
    func `an unknown name is an error that lists the known names, and nothing is sent`(host: String) async throws {
        let transport = ScriptedTransport([])
        let chain = try chain(to: transport)
        var request = try LoadRequest.get("https://\(host)/")
        request.options[Authentication.self] = .named("third")
        let error = await #expect(throws: LoadError.self) { try await chain.load(request) }
        #expect(error?.code == .notAuthorized)
        #expect(error?.explanation?.hasSuffix("the names are first, second") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test func `the authorizer whose credential was rejected handles the rejection`() async throws {
        let request = try LoadRequest.get("https://b.example/")
        #expect(try await sent(request, answers: [.status(.unauthorized), .status(.ok)]) == ["second 1", "second 2"])
        #expect(second.refused.withLock { $0 } == [1])
        #expect(first.refused.withLock { $0 }.isEmpty)
    }

    @Test func `checks each hop again, with the same option`() async throws {
        let hops: [ScriptedAnswer] = [
            .redirect(.found, to: "https://b.example/"), .redirect(.found, to: "https://c.example/"),
            .redirect(.found, to: "https://a.example/again"), .status(.ok),
        ]
        #expect(try await sent(.get("https://a.example/"), answers: hops) == ["first 1", "second 1", nil, nil])
        var named = try LoadRequest.get("https://a.example/")
        named.options[Authentication.self] = .named("second")
        #expect(try await sent(named, answers: hops) == [nil, nil, nil, nil])
        var bare = try LoadRequest.get("https://a.example/")
        bare.options[Authentication.self] = Authentication.none
        #expect(try await sent(bare, answers: hops) == [nil, nil, nil, nil])
    }

    @Test func `checks each attempt again`() async throws {
        struct Twice: Loader {
            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                _ = try await next(request)
                var other = request
                other.options[Authentication.self] = .named("second")
                return try await next.attempting(2)(other)
            }
        }
        let transport = ScriptedTransport([.init(.any, .status(.ok)), .init(.any, .status(.ok))])
        let chain = try Chain(transport: transport, [Twice(), AuthorizeLoader(router())])
        _ = try await chain.load(.get("https://both.example/"))
        #expect(transport.requests.map { $0.head.headerFields[.authorization] } == ["first 1", "second 1"])
    }

    @Test func `a reset reaches each authorizer once per phase, whatever happens to the others`() async throws {
        let stuck = Named("stuck", [], cannotReset: true)
        let router = try AuthorizerRouter([
            .init("stuck", stuck), .init("first", first), .init("again", first), .init("stuck too", Named("", [], cannotReset: true)),
            .init("basic", BasicAuthorizer(origins: [])), .init("second", second),
        ])
        let report = await (try Chain(transport: ScriptedTransport([]), [AuthorizeLoader(router)])).reset()
        for authorizer in [stuck, first, second] {
            #expect(authorizer.resets.withLock { $0 } == [.forget, .cleanUp])
        }
        #expect(report.failures.map(\.phase) == [.forget, .cleanUp])
        let failures = try #require(report.failures.first?.error as? AuthorizerRouter.ResetFailures)
        #expect(failures.failures.map(\.name) == ["stuck", "stuck too"])
        #expect("\(failures)" == "not reset: stuck, stuck too")
        #expect(failures.failures.first?.error is Named.Stuck)
    }

    @Test func `names are unique`() {
        let error = #expect(throws: LoadError.self) { try AuthorizerRouter([.init("first", first), .init("first", second)]) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `every option but automatic is part of a request's identity`() {
        #expect(Authentication.identity(of: .automatic) == nil)
        #expect(Authentication.identity(of: .none) as? Authentication == Authentication.none)
        #expect(Authentication.identity(of: .named("a")) as? Authentication == .named("a"))
    }

    @Test func `a credential reveals nothing of itself`() async throws {
        let basic = try BasicAuthorizer(
            BasicCredentials(userID: "canary", password: Secret("canary")), origins: [Origin(scheme: "https", host: "a.example", port: 443)]
        )
        let router = try AuthorizerRouter([.init("basic", basic)])
        let credential = try await router.credential(for: .get("https://a.example/"))
        #expect(!dumped(credential).contains("canary") && !dumped(router).contains("canary"))
    }

    private func router() throws -> AuthorizerRouter {
        try AuthorizerRouter([.init("first", first), .init("second", second)])
    }

    private func chain(to transport: any Transport) throws -> Chain {
        try Chain(transport: transport, [RedirectLoader(), AuthorizeLoader(router())])
    }

    private func sent(_ request: LoadRequest, answers: [ScriptedAnswer]) async throws -> [String?] {
        let transport = ScriptedTransport(answers.map { .init(.any, $0) })
        _ = try await chain(to: transport).load(request)
        try transport.verifyFinished()
        return transport.requests.map { $0.head.headerFields[.authorization] }
    }
}
