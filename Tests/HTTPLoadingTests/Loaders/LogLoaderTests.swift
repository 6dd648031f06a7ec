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

    @Test func `one line says what was asked of whom and what came of it`() async throws {
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
                "request": "\(request.id)", "method": "GET", "origin": "https://example.com:8443", "path": "/a", "status": "200",
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
            "https://example.com/path?code=canary#canary", headers: secretFields, body: .form(["token": "canary"]))
        _ = try await chain.load(request)
        await #expect(throws: LoadError.self) { try await chain.load(request) }
        for path in ["/a\ncanary", "canary"] {
            var malformed = request
            malformed.head.path = path
            _ = try await chain.load(malformed)
        }
        #expect(handler.entries.count == 4)
        #expect(handler.entries[1].level == .warning)
        #expect(handler.entries[1].metadata["error"] == "connection lost")
        for entry in handler.entries {
            #expect(!dumped(entry).contains("canary"))
        }
    }

    @Test func `header fields are written only where they are on the list`() async throws {
        let mine = try #require(HTTPField.Name("X-Mine"))
        let transport = ScriptedTransport([.init(.any, .status(.ok, headers: [mine: "1", .server: "2"]))])
        let chain = try Chain(transport: transport, [LogLoader(logger, headerFields: [mine])])
        _ = try await chain.load(.get("https://example.com/", headers: [.accept: "3", mine: "4"]))
        let keys = try #require(handler.entries.first).metadata.keys.filter { $0.contains("header") }
        #expect(Set(keys) == ["request-header.x-mine", "response-header.x-mine"])
    }

    @Test func `below the logger's level nothing is written`() async throws {
        let transport = RoutedTransport([(.any, .status(.ok))])
        var quiet = logger
        quiet.logLevel = .error
        _ = try await Chain(transport: transport, [LogLoader(quiet)]).load(.get("https://example.com/"))
        #expect(handler.entries.isEmpty)
    }

    @Test func `the time is that of the clock it is given`() async throws {
        let clock = SteppingClock(step: .milliseconds(250))
        let transport = RoutedTransport([(.any, .status(.ok))])
        _ = try await Chain(transport: transport, clock: LoadClock(clock), [LogLoader(logger)]).load(.get("https://example.com/"))
        #expect(handler.entries.first?.metadata["milliseconds"] == "250.0")
    }
}
