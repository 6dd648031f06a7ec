import AsyncHTTPClientTransport
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import InMemoryTracing
import Testing
import Tracing

struct TraceLoaderTests {
    private let tracer = InMemoryTracer()

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = HTTPRequest.Method.get
        var url = "https://example.com:8443/path?query"
        let answer: ScriptedAnswer
        var name = "GET"
        let expected: SpanAttributes
        var isError = false
    }

    @Test(arguments: [
        Row(
            testDescription: "200", answer: .status(.ok),
            expected: [
                "http.request.method": "GET", "url.scheme": "https", "server.address": "example.com", "server.port": 8443,
                "http.response.status_code": 200,
            ]),
        Row(
            testDescription: "404 is a client error", url: "http://example.com/", answer: .status(.notFound),
            expected: [
                "http.request.method": "GET", "url.scheme": "http", "server.address": "example.com", "server.port": 80,
                "http.response.status_code": 404, "error.type": "404",
            ], isError: true),
        Row(
            testDescription: "no response", url: "https://example.com/", answer: .failure(.connectionLost),
            expected: [
                "http.request.method": "GET", "url.scheme": "https", "server.address": "example.com", "server.port": 443,
                "error.type": "connection_lost",
            ], isError: true),
        Row(
            testDescription: "a custom method, and no server", method: .init("PURGE") ?? .get, url: "/path", answer: .status(.ok),
            name: "HTTP", expected: ["http.request.method": "_OTHER", "http.response.status_code": 200]),
    ])
    func `a span has the attributes of OpenTelemetry's conventions, and no URL beyond the origin`(row: Row) async throws {
        for loader in [TraceLoader(tracer: tracer), .eachAttempt(tracer: tracer)] {
            let chain = try Chain(transport: RoutedTransport([(.any, row.answer)]), [loader])
            _ = try? await chain.load(LoadRequest(row.method, row.url))
        }
        #expect(tracer.activeSpans.isEmpty)
        #expect(tracer.finishedSpans.map(\.kind) == [.internal, .client])
        for span in tracer.finishedSpans {
            #expect(span.operationName == row.name)
            #expect(span.attributes == row.expected)
            #expect(span.status?.code == (row.isError ? .error : nil))
            #expect(span.errors.isEmpty && span.events.isEmpty)
        }
    }

    @Test func `the spans of attempts and hops are children of their request's span, which is a child of the caller's`() async throws {
        struct Again: Loader {
            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                _ = try? await next(request)
                return try await next.attempting(2)(request)
            }
        }
        let transport = ScriptedTransport([
            .init(.any, .failure(.connectionLost)), .init(.any, .redirect(.found, to: "https://b.example/")), .init(.any, .status(.ok)),
        ])
        let chain = try Chain(
            transport: transport, [TraceLoader(tracer: tracer), Again(), RedirectLoader(), TraceLoader.eachAttempt(tracer: tracer)])
        try await tracer.withSpan("caller") { _ in _ = try await chain.load(.get("https://a.example/")) }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["GET", "GET", "GET", "GET", "caller"])
        #expect(spans.map(\.parentSpanID) == [spans[3].spanID, spans[3].spanID, spans[3].spanID, spans[4].spanID, nil])
        #expect(Set(spans.map(\.traceID)).count == 1)
        let counts = spans.map { $0.attributes.get("http.request.resend_count") }
        #expect(counts == [nil, 1, 1, nil, nil])
        #expect(spans.prefix(3).map { $0.attributes.get("server.address") } == ["a.example", "a.example", "b.example"])
    }

    @Test func `sends the trace to the named origins, and no redirect carries it elsewhere`() async throws {
        let transport = ScriptedTransport([
            .init(.any, .redirect(.found, to: "https://evil.example/")), .init(.any, .redirect(.found, to: "https://a.example/b")),
            .init(.any, .status(.ok)),
        ])
        let origin = Origin(scheme: "https", host: "a.example", port: 443)
        let chain = try Chain(
            transport: transport,
            [
                TraceLoader(tracer: tracer), RedirectLoader(),
                TraceLoader.eachAttempt(tracer: tracer, propagatingTo: [origin]),
            ])
        _ = try await chain.load(.get("https://a.example/"))
        let field = try #require(HTTPField.Name(InMemoryTracer.spanIDKey))
        let attempts = tracer.finishedSpans.filter { $0.kind == .client }
        #expect(transport.requests.map { $0.head.headerFields[field] } == [attempts[0].spanID, nil, attempts[2].spanID])
    }

    @Test func `without named origins no server receives the trace`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        let chain = try Chain(transport: transport, [TraceLoader(tracer: tracer), TraceLoader.eachAttempt(tracer: tracer)])
        _ = try await chain.load(.get("https://a.example/"))
        #expect(transport.requests.first?.head.headerFields.isEmpty == true)
        #expect(tracer.performedContextInjections.isEmpty)
    }

    @Test func `keeps trace fields that a request has`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        let origin = Origin(scheme: "https", host: "a.example", port: 443)
        let field = try #require(HTTPField.Name(InMemoryTracer.spanIDKey))
        let chain = try Chain(transport: transport, [TraceLoader.eachAttempt(tracer: tracer, propagatingTo: [origin])])
        _ = try await chain.load(.get("https://a.example/", headers: [field: "own"]))
        #expect(transport.requests.first?.head.headerFields[values: field] == ["own"])
    }

    @Test func `over the network each attempt has one span, created by the tracer that the program has chosen`() async throws {
        try await RawServer.run(answering: { connection in
            _ = try await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }) { authority in
            try await withTracer(tracer) {
                let chain = try Chain(transport: NetworkTransport(), [TraceLoader(), TraceLoader.eachAttempt()])
                _ = try await chain.load(.get("http://\(authority)/")).body.collect(upTo: 10)
            }
        }
        #expect(tracer.finishedSpans.map(\.kind) == [.client, .internal])
        #expect(tracer.activeSpans.isEmpty)
    }
}
