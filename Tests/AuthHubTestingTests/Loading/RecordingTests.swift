import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

final class RecordingTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "recording-tests-\(Base64URL.encode(randomBytes(count: 12)))")
    private var file: String { folder.appending(path: "a.recording.json").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let server = RoutedTransport([
        (
            .post("/token"),
            .json(["access_token": "canary-access", "token_type": "Bearer", "nested": [["Refresh-Token": "canary-refresh"]], "n": 1])
        ),
        (.get("/picture"), .status(.ok, headers: [.contentType: "image/png"], body: [0xFF, 0x00, 0x89])),
        (.get("/list"), .status(.ok, headers: [.setCookie: "canary-cookie", .location: "/list?page=2&key=canary-key"])),
        (.get("/gone"), .failure(.connectionLost)),
        (.any, .status(.noContent)),
    ])

    private func requests() throws -> [LoadRequest] {
        [
            try .post(
                "https://example.com/token?tenant=canary-tenant&page=1", headers: [.authorization: "Basic canary-basic", .accept: "*/*"],
                body: .form(["grant_type": "refresh_token", "refresh_token": "canary-form"])),
            try .post("https://example.com/notes", body: .json(["title": "a", "password": "canary-password"])),
            try .post("https://example.com/upload", body: .bytes(Array("canary-upload".utf8), contentType: "text/plain")),
            try .get("https://example.com/picture"), try .get("https://example.com/list?canary-bare"), try .get("https://example.com/gone"),
        ]
    }

    @Test func `replays a recording with its failures, and its secrets are in no file`() async throws {
        let recorder = RecordingTransport(Self.server)
        var live: [String] = []
        for request in try requests() { live.append(await outcome(of: recorder, request)) }
        try recorder.write(to: file)
        let text = String(decoding: try contents(of: file), as: UTF8.self)
        #expect(!text.contains("canary"))
        let kept = [
            #""target": "https://example.com/token?tenant=redacted&page=redacted""#, "grant_type=refresh_token&refresh_token=redacted",
            #"{\"title\":\"a\",\"password\":\"redacted\"}"#, "/list?page=redacted&key=redacted", #""failure": "connection_lost""#,
            #"\"token_type\":\"Bearer\""#,
        ]
        for part in kept { #expect(text.contains(part), "\(part)") }

        let replay = try ReplayingTransport(readingFrom: file)
        var replayed: [String] = []
        for request in try requests() { replayed.append(await outcome(of: replay, request)) }
        // Everything that the redaction changes.
        let expected = live.map { outcome in
            ["canary-access", "canary-refresh", "canary-cookie"].reduce(outcome) { $0.replacing($1, with: "redacted") }
                .replacing("page=2&key=canary-key", with: "page=redacted&key=redacted")
        }
        #expect(replayed == expected)
        #expect(live[3].contains("[255, 0, 137]") && live[5] == "connection_lost")
        try replay.verifyFinished()
    }

    @Test func `equal requests get their responses in order, and no more than were recorded`() async throws {
        let recorder = RecordingTransport(
            ScriptedTransport([.init(.any, .status(.ok)), .init(.any, .status(.created)), .init(.any, .status(.accepted))]))
        for path in ["/a?page=1", "/b", "/a?page=2"] { _ = try await recorder.send(.get("https://example.com\(path)")) }
        let replay = ReplayingTransport(recorder.recording)
        #expect(try await replay.send(.get("https://example.com/a?page=9")).status == .ok)
        #expect(throws: ScriptError(unexpected: [], unused: ["GET https://example.com/a?page=redacted", "GET https://example.com/b"])) {
            try replay.verifyFinished()
        }
        #expect(try await replay.send(.get("https://example.com/a?page=9")).status == .accepted)
        #expect(try await replay.send(.get("https://example.com/b")).status == .created)
        try replay.verifyFinished()
        let error = await #expect(throws: LoadError.self) { try await replay.send(.get("https://example.com/a?page=9")) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.explanation == "no recorded response is left for GET https://example.com/a")
        #expect(throws: ScriptError.self) { try replay.verifyFinished() }
    }

    @Test(arguments: [
        (LoadRequest.Part.method, false), (.path, false), (.body, false), (.secretInBody, true), (.field, true), (.queryValue, true),
        (.queryName, false),
    ])
    func `finds a request by method, target and body, without the redacted parts`(part: LoadRequest.Part, isFound: Bool)
        async throws
    {
        let recorder = RecordingTransport(RoutedTransport([(.any, .status(.ok))]))
        _ = try await recorder.send(.sample(without: nil))
        let replay = ReplayingTransport(recorder.recording)
        let status = try? await replay.send(.sample(without: part)).status
        #expect(status == (isFound ? .ok : nil))
    }

    @Test func `records streamed bodies, which reach the server complete`() async throws {
        let server = RoutedTransport([(.any, .status(.ok))])
        let recorder = RecordingTransport(server, bodyLimit: 10)
        func body(_ count: Int) -> RequestBody { .stream(once: .bytes(Array(repeating: 7, count: count)), contentType: "text/plain") }
        _ = try await recorder.send(.post("https://example.com/a", body: body(10)))
        #expect(server.requests.last?.body.bytes == Array(repeating: 7, count: 10))
        #expect(server.requests.last?.body.contentType == "text/plain")
        let error = await #expect(throws: LoadError.self) { try await recorder.send(.post("https://example.com/a", body: body(11))) }
        #expect(error?.code == .tooLarge)
        #expect(recorder.recording.exchanges.map(\.request.body.length) == [10])
    }

    @Test func `finds a multipart body again, although its boundary is different each time`() async throws {
        func request(boundary: String, content: String) throws -> LoadRequest {
            let body = "--\(boundary)\r\n\r\n\(content)\r\n--\(boundary)--\r\n"
            return try .post(
                "https://example.com/a", body: .bytes(Array(body.utf8), contentType: #"multipart/form-data; boundary="\#(boundary)""#))
        }
        let recorder = RecordingTransport(RoutedTransport([(.any, .status(.ok))]))
        _ = try await recorder.send(request(boundary: "1a2b", content: "x"))
        let replay = ReplayingTransport(recorder.recording)
        await #expect(throws: LoadError.self) { try await replay.send(request(boundary: "3c4d", content: "y")) }
        #expect(try await replay.send(request(boundary: "3c4d", content: "x")).status == .ok)
    }

    struct Hidden: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var change: @Sendable (inout HTTPRequest) -> Void = { _ in }
        var body = RequestBody.empty
        var answer = ScriptedAnswer.status(.ok)
    }

    private static func answer(_ type: String?, _ text: String) -> ScriptedAnswer {
        .status(.ok, headers: type.map { [.contentType: $0] } ?? [:], body: Array(text.utf8))
    }

    private static func body(_ type: String, _ text: String) -> RequestBody { .bytes(Array(text.utf8), contentType: type) }

    @Test(arguments: [
        Hidden(testDescription: "a fragment", answer: .redirect(.found, to: "https://app.example/cb#access_token=canary&state=canary")),
        Hidden(testDescription: "a fragment after a query", answer: .redirect(.found, to: "com.app:/cb?a=canary#canary")),
        Hidden(testDescription: "user information", answer: .redirect(.found, to: "https://canary:canary@app.example/")),
        Hidden(testDescription: "user information without a scheme", answer: .redirect(.found, to: "//canary@app.example/")),
        Hidden(testDescription: "user information of a request", change: { $0.authority = "canary:canary@example.com" }),
        Hidden(testDescription: "a fragment of a request", change: { $0.path = "/a#code=canary" }),
        Hidden(testDescription: "a query after a combining mark", answer: .redirect(.found, to: "/cb?\u{301}code=canary")),
        Hidden(
            testDescription: "JSON with a duplicate name", answer: answer("application/json", #"{"a":1,"a":2,"access_token":"canary"}"#)),
        Hidden(testDescription: "JSON with trailing text", answer: answer("application/json", #"{"access_token":"canary"};"#)),
        Hidden(testDescription: "JSON without a media type", answer: answer(nil, #"{"access_token":"canary"}"#)),
        Hidden(testDescription: "JSON declared as plain text", answer: answer("text/plain", #"{"access_token":"canary"}"#)),
        Hidden(testDescription: "JSON of a request, truncated", body: body("application/json", #"{"password":"canary""#)),
        Hidden(
            testDescription: "a form of a request with an incomplete escape",
            body: body("application/x-www-form-urlencoded", "password=canary&a=%2")),
        Hidden(
            testDescription: "a URL with a code in it", answer: answer("application/json", #"{"verification_uri_complete":"canary"}"#)),
    ])
    func `leaves out what may contain a secret`(hidden: Hidden) async throws {
        let recorder = RecordingTransport(RoutedTransport([(.any, hidden.answer)]))
        var request = try LoadRequest.post("https://example.com/a", body: hidden.body)
        hidden.change(&request.head)
        _ = try await recorder.send(request)
        try recorder.write(to: file)
        let text = String(decoding: try contents(of: file), as: UTF8.self)
        #expect(!text.contains("canary"))
        #expect(text.contains("redacted"))
        let replay = try ReplayingTransport(readingFrom: file)
        #expect(try await replay.send(request).status == recorder.recording.exchanges[0].outcome.status)
    }

    @Test func `an empty body is not damaged`() async throws {
        let recorder = RecordingTransport(RoutedTransport([(.any, Self.answer("application/json", ""))]))
        _ = try await recorder.send(.get("https://example.com/a", headers: [.contentType: "application/x-www-form-urlencoded"]))
        let exchange = try #require(recorder.recording.exchanges.first)
        #expect(exchange.request.body.length == 0)
        #expect(exchange.outcome == .response(HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: []))
    }

    struct Leak: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var path = "/a"
        var headers: HTTPFields = [:]
        var body = ""
        var answer = ScriptedAnswer.status(.ok)
        var redaction = Redaction()
    }

    private static let secret = "s3cret/å \"x\""

    @Test(arguments: [
        Leak(testDescription: "in a path, percent-encoded", path: "/a/s3cret%2F%c3%A5%20%22x%22"),
        Leak(
            testDescription: "in a query that is kept", path: "/a?page=s3cret%2F%C3%A5+%22x%22",
            redaction: Redaction(keptQueryNames: ["page"])),
        Leak(testDescription: "in a member that is not known to be secret", body: #"{"title": "s3cret/\u00e5 \"x\""}"#),
        Leak(testDescription: "in a JSON response, escaped", answer: .json(["motd": .string(secret)])),
        Leak(testDescription: "in a response without a type", answer: .status(.ok, body: [0xFF] + Array(secret.utf8))),
        Leak(
            testDescription: "in base64 in a header field that is kept", headers: [.accept: "Basic dXNlcjpzM2NyZXQvw6UgIngiOw"]),
        Leak(
            testDescription: "in base64, form-encoded before",
            headers: [.accept: "Basic Y2xpZW50OnMzY3JldCUyRiVDMyVBNSslMjJ4JTIy"]),
        Leak(testDescription: "as the name of a member", answer: .json([secret: 1])),
    ])
    func `does not write a recording that would show a secret, and keeps an older one`(leak: Leak) async throws {
        try Data("older".utf8).write(to: URL(filePath: file))
        let recorder = RecordingTransport(
            RoutedTransport([(.get("/harmless"), .status(.ok)), (.any, leak.answer)]), redaction: leak.redaction,
            secrets: ["", Self.secret])
        _ = try await recorder.send(.get("https://example.com/harmless"))
        let body = leak.body.isEmpty ? RequestBody.empty : .bytes(Array(leak.body.utf8), contentType: "application/json")
        _ = try await recorder.send(.post("https://example.com\(leak.path)", headers: leak.headers, body: body))
        #expect(throws: RecordingError.containsSecret(exchange: 2)) { try recorder.write(to: file) }
        #expect(try contents(of: file) == Array("older".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.recording.json"])
        var dumped = ""
        dump(recorder, to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }

    @Test func `a secret that is left out is not an error`() async throws {
        let recorder = RecordingTransport(RoutedTransport([(.any, .json(["token": "canary"]))]), secrets: ["canary"])
        _ = try await recorder.send(.get("https://example.com/a?key=canary", headers: [.cookie: "canary"]))
        try recorder.write(to: file)
        try recorder.write(to: file)
        #expect(try Recording(readingFrom: file) == recorder.recording)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.recording.json"])
    }

    @Test func `a custom redaction comes after the rules`() async throws {
        let redaction = Redaction(
            target: { $0.replacing("canary", with: "user") }, body: { body, type in type == "text/plain" ? Array("text".utf8) : body })
        let recorder = RecordingTransport(
            RoutedTransport([(.any, .status(.ok, headers: [.contentType: "text/plain"], body: Array("canary".utf8)))]),
            redaction: redaction,
            secrets: ["canary"])
        _ = try await recorder.send(.get("https://example.com/users/canary"))
        try recorder.write(to: file)
        let replay = try ReplayingTransport(readingFrom: file, redaction: redaction)
        let response = try await replay.send(.get("https://example.com/users/canary"))
        #expect(try await response.body.collect(upTo: 10) == Array("text".utf8))
    }

    @Test func `a recording of an earlier version, whose codes have spaces, is read`() throws {
        let text =
            #"{"format":"authhub-recording","version":1,"exchanges":[{"request":{"method":"GET","target":"/","fields":[]},"failure":"connection lost"}]}"#
        try Data(text.utf8).write(to: URL(filePath: file))
        guard case .failure(.connectionLost) = try #require(try Recording(readingFrom: file).exchanges.first).outcome else {
            Issue.record("the exchange is not a lost connection")
            return
        }
    }

    @Test(arguments: [
        ("[1]", RecordingError.malformed("there is no format and version")), ("", .malformed("not valid JSON")),
        (#"{"format": "har", "version": 1, "exchanges": []}"#, .malformed("there is no format and version")),
        (#"{"format": "authhub-recording", "version": 2, "exchanges": {}}"#, .unknownVersion(2)),
        (#"{"format": "authhub-recording", "version": 1}"#, .malformed("there are no exchanges")),
        (#"{"format": "authhub-recording", "version": 1, "exchanges": [{}]}"#, .malformed("exchange 1")),
        (
            #"{"format":"authhub-recording","version":1,"exchanges":[{"request":{"method":"GET","target":"/","fields":[]},"failure":"bored"}]}"#,
            .malformed("exchange 1")
        ),
    ])
    func `rejects a file that is not a recording of a known version, with the reason`(text: String, error: RecordingError) throws {
        try Data(text.utf8).write(to: URL(filePath: file))
        #expect(throws: error) { try Recording(readingFrom: file) }
    }

    @Test func `a missing file or folder is an error`() throws {
        #expect(throws: RecordingError.unreadable) { try ReplayingTransport(readingFrom: file) }
        let nowhere = folder.appending(path: "nowhere/a.json").path
        #expect(throws: RecordingError.unwritable) { try RecordingTransport(Self.server).write(to: nowhere) }
        #expect(RecordingError.unknownVersion(2).description.contains("version 2"))
    }

    private func contents(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    private func outcome(of transport: some Transport, _ request: LoadRequest) async -> String {
        do throws(LoadError) {
            let response = try await transport.send(request)
            let body = try await response.body.collect(upTo: 1000)
            let text = String(validating: body, as: UTF8.self) ?? "\(body)"
            return "\(response.status.code) \(response.head.headerFields.map { "\($0.name): \($0.value)" }) \(text)"
        } catch {
            return "\(error.code)"
        }
    }
}

extension Recording.Outcome {
    fileprivate var status: HTTPResponse.Status? {
        if case .response(let head, _) = self { head.status } else { nil }
    }
}

extension LoadRequest {
    /// A part of a request that may differ.
    enum Part: CaseIterable {
        case method, path, body, secretInBody, field, queryValue, queryName
    }

    fileprivate static func sample(without part: Part?) throws -> LoadRequest {
        try LoadRequest(
            part == .method ? .put : .post,
            "https://example.com/\(part == .path ? "b" : "a")?\(part == .queryName ? "m" : "n")=\(part == .queryValue ? 2 : 1)",
            headers: [.accept: part == .field ? "text/html" : "*/*"],
            body: .json(["title": part == .body ? "y" : "x", "password": part == .secretInBody ? "2" : "1"]))
    }
}
