import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Metrics
import MetricsTestKit
import Testing

struct MetricsLoaderTests {
    private let metrics = TestMetrics()

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = HTTPRequest.Method.get
        let answer: ScriptedAnswer
        let expected: [String: String]
    }

    @Test(arguments: [
        Row(testDescription: "200", answer: .status(.ok), expected: ["method": "GET", "status": "2xx", "error": "none"]),
        Row(testDescription: "404", answer: .status(.notFound), expected: ["method": "GET", "status": "4xx", "error": "none"]),
        Row(
            testDescription: "503 to a POST", method: .post, answer: .status(.serviceUnavailable),
            expected: ["method": "POST", "status": "5xx", "error": "none"]),
        Row(
            testDescription: "no connection", answer: .failure(.cannotConnect),
            expected: ["method": "GET", "status": "none", "error": "cannot_connect"]),
        Row(
            testDescription: "an uncommon method", method: .init("PURGE-canary") ?? .get, answer: .status(.ok),
            expected: ["method": "other", "status": "2xx", "error": "none"]),
    ])
    func `counts and times each request by method, status class and error`(row: Row) async throws {
        let clock = SteppingClock(step: .milliseconds(250))
        let chain = try Chain(
            transport: RoutedTransport([(.any, row.answer)]), clock: LoadClock(clock), [MetricsLoader(factory: metrics)])
        _ = try? await chain.load(LoadRequest(row.method, "https://example.com/"))
        let counter = try #require(metrics.counters.first)
        #expect(metrics.counters.count == 1)
        #expect(counter.label == "http.client.loads" && counter.values == [1])
        #expect(Dictionary(uniqueKeysWithValues: counter.dimensions) == row.expected)
        let timer = try #require(metrics.timers.first)
        #expect(timer.label == "http.client.load.duration" && timer.values == [250_000_000])
        #expect(Dictionary(uniqueKeysWithValues: timer.dimensions) == row.expected)
    }

    @Test func `distinguishes only origins that are named`() async throws {
        let known = Origin(scheme: "https", host: "a.example", port: 443)
        let chain = try Chain(
            transport: RoutedTransport([(.any, .status(.ok))]), [MetricsLoader(factory: metrics, origins: [known])])
        for url in ["https://a.example/", "https://A.example:443/b", "https://b.example/", "/path"] {
            _ = try await chain.load(.get(url))
        }
        let counts = metrics.counters.map { counter in
            "\(counter.dimensions.first { $0.0 == "origin" }?.1 ?? "?"): \(counter.totalValue)"
        }
        #expect(Set(counts) == ["https://a.example: 2", "other: 2"])
    }

    @Test func `the outer loader counts requests, retries, replays and redirects; the inner loader counts attempts`() async throws {
        let transport = RoutedTransport([
            (.get("https://a.example/"), .redirect(.found, to: "https://b.example/")),
            (
                .get("https://b.example/"),
                ScriptedAnswer { _ throws(LoadError) in
                    var notes = ResponseNotes()
                    notes.attempts = 3
                    notes.replays = 2
                    return LoadResponse(HTTPResponse(status: .ok), notes: notes)
                }
            ),
        ])
        let chain = try Chain(
            transport: transport,
            [MetricsLoader(factory: metrics), RedirectLoader(), MetricsLoader(factory: metrics, eachAttempt: true)])
        _ = try await chain.load(.get("https://a.example/"))
        let counts = Dictionary(grouping: metrics.counters, by: \.label).mapValues { $0.reduce(0) { $0 + $1.totalValue } }
        #expect(
            counts == [
                "http.client.loads": 1, "http.client.attempts": 2, "http.client.retries": 2, "http.client.replays": 2,
                "http.client.redirects": 1,
            ])
        #expect(metrics.timers(label: "http.client.attempt.duration").reduce(0) { $0 + $1.values.count } == 2)
    }

    @Test func `passes measured requests and responses on unchanged`() async throws {
        let chain = try Chain(
            transport: RoutedTransport([
                (.get("/a"), .status(.ok, headers: [.server: "s"], body: [1])), (.any, .failure(.notSecure)),
            ]),
            [MetricsLoader(factory: metrics), MetricsLoader(factory: metrics, eachAttempt: true)])
        let response = try await chain.load(.get("https://a.example/a"))
        #expect(response.head.headerFields[.server] == "s")
        #expect(try await response.body.collect(upTo: 1) == [1])
        #expect(await #expect(throws: LoadError.self) { try await chain.load(.get("https://a.example/b")) }?.code == .notSecure)
    }
}
