import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import InMemoryLogging
import Logging
import Testing

struct LogLoaderTests {
    private let handler = InMemoryLogHandler()
    private var logger: Logger {
        var logger = Logger(label: "test") { [handler] _ in handler }
        logger.logLevel = .trace
        return logger
    }

    @Test func `one line states the request, its destination and its outcome`() async throws {
        let transport = ScriptedTransport([
            .init(.any, .redirect(.found, to: "/b")), .init(.any, .status(.ok, headers: [.contentType: "text/plain"])),
        ])
        let request = try LoadRequest.get("https://example.com:8443/a?b")
        _ = try await Chain(transport: transport, [LogLoader(logger), RedirectLoader()]).load(request)
        let entry = try #require(handler.entries.first)
        #expect(handler.entries.count == 1)
        #expect(entry.level == .info)
        #expect(entry.message == "loaded")
        let milliseconds = try #require(entry.metadata["milliseconds"].flatMap { Double($0.description) })
        #expect(milliseconds >= 0)
        var rest = entry.metadata
        rest["milliseconds"] = nil
        #expect(
            rest == [
                "request": "\(request.id)", "method": "GET", "origin": "https://example.com:8443", "status": "200", "attempts": "1",
                "replays": "0", "redirects": "1", "response-header.content-type": "text/plain",
            ])
    }

    @Test func `no secret of an exchange reaches the log`() async throws {
        let secretField = try #require(HTTPField.Name("X-Secret"))
        let secretFields: HTTPFields = [
            .authorization: "Bearer canary", .cookie: "canary", .setCookie: "canary", .proxyAuthorization: "canary", secretField: "canary",
            .location: "https://example.com/?canary", .wwwAuthenticate: "canary", .referer: "canary",
        ]
        let transport = ScriptedTransport([
            .init(.any, .status(.ok, headers: secretFields, body: Array("canary".utf8))),
            .init(
                .any,
                ScriptedAnswer { request throws(LoadError) in
                    struct Cause: Error { let text = "canary" }
                    throw LoadError(.connectionLost, for: request, underlying: Cause())
                }),
            .init(.any, .status(.ok)),
            .init(.any, .status(.ok)),
        ])
        let chain = try Chain(transport: transport, [LogLoader(logger, level: .trace)])
        let request = try LoadRequest.post(
            "https://example.com/canary?code=canary#canary", headers: secretFields, body: .form(["token": "canary"]))
        _ = try await chain.load(request)
        await #expect(throws: LoadError.self) { try await chain.load(request) }
        for path in ["/a\ncanary", "canary"] {
            var malformed = request
            malformed.head.path = path
            _ = try await chain.load(malformed)
        }
        #expect(handler.entries.count == 4)
        #expect(handler.entries[1].level == .warning)
        #expect(handler.entries[1].metadata["error"] == "connection_lost")
        for entry in handler.entries {
            #expect(!dumped(entry).contains("canary"))
        }
    }

    @Test func `the line of each attempt contains its number`() async throws {
        struct Again: Loader {
            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                _ = try? await next(request)
                return try await next.attempting(2)(request)
            }
        }
        let transport = ScriptedTransport([
            .init(.any, .failure(.connectionLost)), .init(.any, .redirect(.found, to: "https://b.example/")), .init(.any, .status(.ok)),
        ])
        let chain = try Chain(transport: transport, [Again(), RedirectLoader(), LogLoader(logger, eachAttempt: true)])
        let request = try LoadRequest.get("https://a.example/")
        _ = try await chain.load(request)
        let lines = handler.entries.map { entry in
            ["attempt", "origin", "status", "error"].map { entry.metadata[$0].map { "\($0)" } }
        }
        #expect(
            lines == [
                ["1", "https://a.example", nil, "connection_lost"], ["2", "https://a.example", "302", nil],
                ["2", "https://b.example", "200", nil],
            ])
        #expect(handler.entries.map(\.level) == [.warning, .info, .info])
        for entry in handler.entries { #expect(entry.metadata["request"] == "\(request.id)") }
    }

    @Test func `logs what the chain did for a request`() async throws {
        let other = try LoadRequest.get("https://example.com/")
        let transport = RoutedTransport([
            (
                .any,
                ScriptedAnswer { _ throws(LoadError) in
                    var notes = ResponseNotes()
                    notes.attempts = 3
                    notes.replays = 1
                    notes.sharedFrom = other.id
                    notes.timings.waiting = .milliseconds(20)
                    notes.timings.pausing = .milliseconds(30)
                    return LoadResponse(HTTPResponse(status: .ok), notes: notes)
                }
            )
        ])
        _ = try await Chain(transport: transport, [LogLoader(logger)]).load(.get("https://example.com/"))
        let line = try #require(handler.entries.first).metadata
        #expect(line["attempts"] == "3" && line["replays"] == "1" && line["shared-from"] == "\(other.id)")
        #expect(line["waiting-milliseconds"] == "20.0" && line["pausing-milliseconds"] == "30.0")
    }

    @Test(arguments: [("/a/b?c=d", "/a/b"), ("/?c", "/"), ("/a\nb", "<malformed>"), ("secret", "<malformed>")])
    func `logs paths only if requested, and never with a query`(path: String, expected: String) async throws {
        let transport = RoutedTransport([(.any, .status(.ok))])
        var request = try LoadRequest.get("https://example.com/")
        request.head.path = path
        _ = try await Chain(transport: transport, [LogLoader(logger), LogLoader(logger, showsPaths: true)]).load(request)
        #expect(handler.entries.map { $0.metadata["path"].map { "\($0)" } } == [expected, nil])
    }

    @Test func `logs header fields only if they are on the list`() async throws {
        let mine = try #require(HTTPField.Name("X-Mine"))
        let transport = ScriptedTransport([.init(.any, .status(.ok, headers: [mine: "1", .server: "2"]))])
        let chain = try Chain(transport: transport, [LogLoader(logger, headerFields: [mine])])
        _ = try await chain.load(.get("https://example.com/", headers: [.accept: "3", mine: "4"]))
        let keys = try #require(handler.entries.first).metadata.keys.filter { $0.contains("header") }
        #expect(Set(keys) == ["request-header.x-mine", "response-header.x-mine"])
    }

    @Test func `logs nothing below the logger's level`() async throws {
        let transport = RoutedTransport([(.any, .status(.ok))])
        var quiet = logger
        quiet.logLevel = .error
        _ = try await Chain(transport: transport, [LogLoader(quiet)]).load(.get("https://example.com/"))
        #expect(handler.entries.isEmpty)
    }

    @Test func `measures time with the given clock`() async throws {
        let clock = SteppingClock(step: .milliseconds(250))
        let transport = RoutedTransport([(.any, .status(.ok))])
        _ = try await Chain(transport: transport, clock: LoadClock(clock), [LogLoader(logger)]).load(.get("https://example.com/"))
        #expect(handler.entries.first?.metadata["milliseconds"] == "250.0")
    }
}
