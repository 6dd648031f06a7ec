import AsyncHTTPClientTransport
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import Testing
import Tracing

/// Nothing that a chain records about an exchange contains the exchange's secrets.
struct SecretsTests {
    private static let secret = "canary"
    private static let origin = Origin(scheme: "https", host: "api.example.com", port: 443)
    /// The secret, and the encoding in which it is sent as a password.
    private static let traces = [secret, "Y2FuYXJ5"]

    private let handler = InMemoryLogHandler()
    private let metrics = TestMetrics()
    private let tracer = InMemoryTracer()

    private struct Cause: Error, CustomStringConvertible {
        let description = "canary"
    }

    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue("canary", .init(codingPath: [], debugDescription: "canary"))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var change: @Sendable (inout LoadRequest) -> Void = { _ in }
        var modify = ModifyLoader()
        var answers: [ScriptedAnswer] = [.status(.ok, headers: SecretsTests.fields, body: Array("canary".utf8))]
        /// The expected error; nil if a response arrives.
        var error: LoadError.Code?
        /// Whether the error has a cause from outside AuthHub, which only the caller sees.
        var hasForeignCause = false
        /// Whether the request reaches the loaders that record it.
        var isObserved = true
    }

    private static let fields: HTTPFields = {
        var fields: HTTPFields = [
            .cookie: "canary", .setCookie: "canary", .proxyAuthorization: "canary", .wwwAuthenticate: "canary", .referer: "canary",
            .acceptLanguage: "canary",
        ]
        for name in ["X-API-Key", "DPoP", "Idempotency-Key"].compactMap({ HTTPField.Name($0) }) { fields[name] = "canary" }
        return fields
    }()

    @Test(arguments: [
        Row(testDescription: "case 36: a response"),
        Row(testDescription: "case 36: a 401", answers: [.status(.unauthorized, headers: Self.fields, body: Array("canary".utf8))]),
        Row(
            testDescription: "case 36: a redirect with a secret in its URL",
            answers: [.redirect(.found, to: "https://api.example.com/canary?canary#canary"), .status(.ok)]),
        Row(
            testDescription: "case 36: a redirect to another origin and back",
            answers: [
                .redirect(.seeOther, to: "https://b.example/canary?canary"),
                .redirect(.temporaryRedirect, to: "https://api.example.com/canary/2"), .status(.ok),
            ]),
        Row(
            testDescription: "case 36: a redirect to http", answers: [.redirect(.found, to: "http://api.example.com/canary?canary")],
            error: .redirectRefused),
        Row(
            testDescription: "case 36: a redirect with user information",
            answers: [.redirect(.found, to: "https://canary:canary@api.example.com/")]),
        Row(
            testDescription: "case 36: a redirect loop",
            answers: [
                .redirect(.temporaryRedirect, to: "/canary/2?canary=canary"), .redirect(.temporaryRedirect, to: "/canary/2?canary=canary"),
            ], error: .redirectRefused),
        Row(
            testDescription: "case 36: a redirect of a body that can be sent only once",
            change: { $0.body = .stream(once: .bytes(Array("canary".utf8))) },
            answers: [
                .init { request throws(LoadError) in
                    _ = try await request.body.open()
                    return LoadResponse(HTTPResponse(status: .temporaryRedirect, headerFields: [.location: "/canary"]))
                }
            ], error: .bodySpent),
        Row(
            testDescription: "case 36: no connection", answers: [.failure(.cannotConnect), .failure(.cannotConnect)],
            error: .cannotConnect),
        Row(
            testDescription: "case 36: a second attempt, which has no connection either",
            change: { request in
                request.head.method = .put
                request.options[IdempotencyKey.self] = IdempotencyKey("canary")
            }, answers: [.failure(.connectionLost), .failure(.cannotConnect)], error: .cannotConnect),
        Row(
            testDescription: "case 36: a failure whose cause quotes the exchange",
            change: { $0.options[RetryPolicy.self] = .never },
            answers: [.init { request throws(LoadError) in throw LoadError(.connectionLost, for: request, underlying: Cause()) }],
            error: .connectionLost, hasForeignCause: true),
        Row(
            testDescription: "case 36: a body that cannot be created",
            answers: [
                .init { request throws(LoadError) in
                    _ = try RequestBody.json(encoding: Unencodable())
                    return LoadResponse(HTTPResponse(status: .ok))
                }
            ], error: .invalidRequest),
        Row(
            testDescription: "case 36: a change that replaces the request with another",
            modify: ModifyLoader(request: { request in request = LoadRequest(request.head, body: request.body) }), answers: [],
            error: .invalidRequest, isObserved: false),
        Row(
            testDescription: "case 36: a change that replaces the response with another",
            modify: ModifyLoader(response: { response, _ in response = LoadResponse(response.head, body: response.body) }),
            error: .invalidResponse),
        Row(
            testDescription: "case 36: an unknown authorizer",
            change: { $0.options[Authentication.self] = .named("canary") }, answers: [], error: .notAuthorized),
        Row(
            testDescription: "case 36: the request's own credentials",
            change: { request in
                request.head.headerFields[.authorization] = nil
                request.options[BasicCredentials.self] = try? BasicCredentials(userID: "canary", password: Secret("canary"))
            }),
        Row(
            testDescription: "case 36: the request's own Authorization field",
            change: { $0.head.headerFields[.authorization] = "Bearer canary" }),
        Row(testDescription: "case 36: a path with line breaks", change: { $0.head.path = "/a\r\ncanary" }),
        Row(testDescription: "case 36: an invalid path", change: { $0.head.path = "canary" }),
        Row(testDescription: "case 36: an authority with user information", change: { $0.head.authority = "canary:canary@example.com" }),
        Row(testDescription: "case 36: an invalid scheme", change: { $0.head.scheme = "canary" }),
        Row(
            testDescription: "case 36: a custom method", change: { $0.head.method = .init("PURGE") ?? .get }),
    ])
    func `no secret of an exchange reaches logs, metrics, spans or errors`(row: Row) async throws {
        let transport = ScriptedTransport(row.answers.map { .init(.any, $0) })
        let chain = try chain(to: transport, modify: row.modify)
        var request = try LoadRequest.post(
            "https://api.example.com/canary?canary=canary#canary", headers: Self.fields, body: .form(["canary": "canary"]))
        row.change(&request)
        do throws(LoadError) {
            let response = try await chain.load(request)
            #expect(row.error == nil)
            #expect(!traced(response.notes), "the notes hold it")
        } catch {
            #expect(error.code == row.error)
            #expect(!traced("\(error)"), "the error says it")
            if !row.hasForeignCause { #expect(!traced(error), "the error holds it") }
        }
        try transport.verifyFinished()
        checkWhatWasWritten(isObserved: row.isObserved)
    }

    struct BrokenRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: String
    }

    @Test(arguments: [
        BrokenRow(testDescription: "case 36: not HTTP", answer: "canary canary\r\n\r\n"),
        BrokenRow(testDescription: "case 36: an invalid header field", answer: "HTTP/1.1 200 OK\r\ncanary canary: canary\r\n\r\n"),
        BrokenRow(testDescription: "case 36: an invalid length", answer: "HTTP/1.1 200 OK\r\nContent-Length: canary\r\n\r\ncanary"),
        BrokenRow(testDescription: "case 36: a body that is cut short", answer: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\ncanary"),
        BrokenRow(
            testDescription: "case 36: a chunk without a size", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ncanary"),
        BrokenRow(
            testDescription: "case 36: a redirect to nowhere, its body cut short",
            answer: "HTTP/1.1 302 Found\r\nLocation: ftp://canary:canary@canary/\r\nContent-Length: 99\r\n\r\ncanary"),
    ])
    func `data from a broken server reaches no log, metric, span or error`(row: BrokenRow) async throws {
        try await RawServer.run(answering: { connection in
            _ = try await connection.readRequest()
            try await connection.write(row.answer)
        }) { authority in
            let origin = try #require(Origin(scheme: "http", authority: authority))
            let chain = try chain(to: NetworkTransport(), modify: ModifyLoader(), origin: origin)
            let request = try LoadRequest.post(
                "http://\(authority)/canary?canary=canary", headers: Self.fields, body: .form(["canary": "canary"]))
            let error = await #expect(throws: LoadError.self) { try await chain.load(request).body.collect(upTo: 1000) }
            if let error { #expect(!traced(error), "the error holds it") }
        }
        checkWhatWasWritten(isObserved: true)
    }

    private func checkWhatWasWritten(isObserved: Bool) {
        #expect(
            [handler.entries.isEmpty, metrics.counters.isEmpty, tracer.finishedSpans.isEmpty] == .init(repeating: !isObserved, count: 3)
        )
        for entry in handler.entries { #expect(!traced(entry), "a line holds it") }
        for dimensions in metrics.counters.map(\.dimensions) + metrics.timers.map(\.dimensions) {
            #expect(!traced(dimensions), "a metric holds it")
        }
        for span in tracer.finishedSpans {
            #expect(!traced(span.attributes) && !traced(span.operationName), "a span holds it")
            #expect(span.errors.isEmpty && span.events.isEmpty && span.status?.message == nil)
        }
        for injection in tracer.performedContextInjections { #expect(!traced(injection.values)) }
    }

    @Test func `rejects invalid requests without repeating them`() throws {
        for url in ["https://canary:canary@example.com/", "ftp://canary/", "https://example.com/canary canary", "canary"] {
            let error = try #require(throws: LoadError.self) { try LoadRequest.get(url) }
            #expect(!traced(error))
            #expect(!traced(try #require(throws: LoadError.self) { try ServerEnvironment(url: url) }))
        }
    }

    /// Creates a chain with each observer in both of its places, and with everything that may fail between them.
    private func chain(to transport: any Transport, modify: ModifyLoader, origin: Origin = Self.origin) throws -> Chain {
        let logger = Logger(label: "test") { [handler] _ in
            var handler = handler
            handler.logLevel = .trace
            return handler
        }
        let environment = try ServerEnvironment(
            url: "https://api.example.com/canary", queryItems: ["key": "canary"], headerFields: [.init("X-Key") ?? .from: "canary"])
        let basic = try BasicAuthorizer(BasicCredentials(userID: "canary", password: Secret("canary")), origins: [origin])
        let router = try AuthorizerRouter([.init("basic", basic)])
        return try Chain(transport: transport) {
            EnvironmentLoader(environment)
            modify
            LogLoader(logger)
            MetricsLoader(factory: metrics, origins: [origin])
            TraceLoader(tracer: tracer)
            DeadlineLoader(.seconds(300))
            RetryLoader(RetryPolicy(maximumAttempts: 2, backoff: .immediate))
            RedirectLoader()
            AuthorizeLoader(router)
            AttemptTimeoutLoader()
            LogLoader(logger, eachAttempt: true)
            MetricsLoader(factory: metrics, origins: [origin], eachAttempt: true)
            TraceLoader.eachAttempt(tracer: tracer, propagatingTo: [origin])
        }
    }

    private func traced(_ value: some Any) -> Bool {
        let text = dumped(value)
        return Self.traces.contains { text.contains($0) }
    }
}
