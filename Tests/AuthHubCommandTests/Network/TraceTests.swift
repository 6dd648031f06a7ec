@testable import AuthHubCommand
import AuthHubPrimitives
import Dispatch
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct TraceTests {
    /// The lines of a trace of some messages.
    private static func lines(_ use: (Trace) throws -> Void) async rethrows -> String {
        let lines = Mutex("")
        let trace = Trace { text in lines.withLock { $0 += text } }
        try use(trace)
        await trace.finish()
        return lines.withLock { $0 }
    }

    private static func body(_ bytes: some Sequence<UInt8>) -> TracedBody {
        var body = TracedBody()
        body.append(Array(bytes)[...])
        body.append(nil)
        return body
    }

    private static func response(_ status: Int, _ fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status: .init(code: status), headerFields: fields)
    }

    @Test func `shows a token request and its response without the secrets`() async throws {
        let text = try await Self.lines { trace in
            let number = trace.request(
                try .post(
                    "https://as.example/oauth2/token",
                    headers: [.authorization: "Basic bW9uYTpjYW5hcnktc2VjcmV0"],
                    body: .form([
                        "grant_type": "authorization_code", "code": "canary-code", "code_verifier": "canary-verifier",
                        "client_id": "native-app", "redirect_uri": "http://127.0.0.1:4711/callback",
                    ])))
            trace.response(
                Self.response(
                    200, [.contentType: "application/json", .setCookie: "canary-cookie", .date: "Sun, 06 Nov 1994 08:49:37 GMT"]),
                Self.body(#"{"access_token":"canary-access","token_type":"Bearer","expires_in":3600,"scope":"openid canary-scope"}"#.utf8),
                to: number)
        }
        #expect(
            text == """
                1 > POST https://as.example/oauth2/token
                1 > authorization: Basic <masked>
                1 > grant_type=authorization_code
                1 > code=<masked>
                1 > code_verifier=<masked>
                1 > client_id=native-app
                1 > redirect_uri=http://127.0.0.1:4711/callback
                1 < 200
                1 < content-type: application/json
                1 < set-cookie: <masked>
                1 < date: Sun, 06 Nov 1994 08:49:37 GMT
                1 < {
                1 <   "access_token": "<masked>",
                1 <   "token_type": "Bearer",
                1 <   "expires_in": 3600,
                1 <   "scope": "openid <masked>"
                1 < }

                """)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var fields: HTTPFields = [:]
        let body: String
        var shows: [String] = []

        init(_ description: String, _ body: String, _ fields: HTTPFields = [:], shows: String...) {
            (testDescription, self.body, self.fields, self.shows) = (description, body, fields, shows)
        }
    }

    private static let unknownField = HTTPField.Name("X-Canary-1") ?? .accept

    @Test(arguments: [
        Row("an unknown member", #"{"whatever":"canary","nested":{"list":["canary",{"a":"canary"}]}}"#, shows: #""whatever": "<masked>""#),
        Row("an unknown number", #"{"pin":81234567,"expires_in":5}"#, shows: #""pin": "<masked>""#, #""expires_in": 5"#),
        Row("a secret as the name of a member", #"{"Canary":{"canary9x12345":1}}"#, shows: #""<masked>""#),
        Row("a secret as the error", #"{"error":"canary","error_description":"it is canary-code!"}"#, shows: #""error": "<masked>""#),
        Row("an error", #"{"error":"invalid_grant","error_description":"canary"}"#, shows: #""error": "invalid_grant""#),
        Row("a secret as the token type", #"{"token_type":"canary","scope":"canary"}"#, shows: #""token_type": "<masked>""#),
        Row(
            "device codes", #"{"user_code":"CANARY-1","device_code":"canary","verification_uri":"https://as.example/device","interval":5}"#,
            shows: "https://as.example/device", #""interval": 5"#),
        Row(
            "a URL with a code",
            #"{"verification_uri_complete":"https://as.example/d?c=canary","issuer":"https://as.example/?user_code=CANARY"}"#,
            shows: "https://as.example/?user_code=<masked>"),
        Row(
            "a path that looks random", #"{"jwks_uri":"https://as.example/0canary000000000/keys"}"#,
            shows: "https://as.example/<masked>/keys"),
        Row(
            "metadata", #"{"grant_types_supported":["authorization_code","canary"],"token_endpoint":"https://as.example/token"}"#,
            shows: "authorization_code", "https://as.example/token"),
        Row(
            "a redirect", "{}", [.location: "https://app.example/cb?code=canary&state=canary"],
            shows: "https://app.example/cb?code=<masked>&state=<masked>"),
        Row("a redirect to a custom scheme", "{}", [.location: "app:/cb?code=canary"], shows: "location: <masked>"),
        Row(
            "a challenge", "{}", [.wwwAuthenticate: #"Bearer realm="canary", error="invalid_token""#],
            shows: "www-authenticate: bearer error=invalid_token, realm=<masked>"),
        Row("an unknown field", "{}", [Self.unknownField: "canary"], shows: "x-canary-1: <masked>"),
        Row("a date that is none", "{}", [.date: "canary"], shows: "date: <masked>"),
        Row("a page", "<html>canary</html>", shows: "<19 bytes that are not JSON>"),
        Row("form-encoded", "access_token=canary", shows: "<19 bytes that are not JSON>"),
    ])
    func `masks what it does not know in a response`(row: Row) async throws {
        let text = try await Self.lines { trace in
            let number = trace.request(try .get("https://as.example/"))
            trace.response(Self.response(200, row.fields), Self.body(row.body.utf8), to: number)
        }
        #expect(
            !text.contains("canary\"") && !text.contains("CANARY") && !text.contains("=canary") && !text.contains("81234567"), "\(text)")
        for shown in row.shows { #expect(text.contains(shown), "\(text)") }
    }

    @Test func `an ID token has no signature and no claims about the user`() async throws {
        let parts = [#"{"alg":"ES256","kid":"canary-kid"}"#, #"{"iss":"https://as.example","sub":"canary-sub","aud":"app","exp":5}"#]
        let token = (parts.map { Base64URL.encode(Array($0.utf8)) } + ["canary-signature"]).joined(separator: ".")
        let text = try await Self.lines { trace in
            let number = trace.request(try .post("https://as.example/token", body: .form(["client_id": "app"])))
            trace.response(Self.response(200), Self.body(#"{"id_token":"\#(token)"}"#.utf8), to: number)
        }
        #expect(!text.contains("canary") && !text.contains(Base64URL.encode(Array("canary".utf8)).dropLast(2)), "\(text)")
        for shown in [#""alg": "ES256""#, #""iss": "https://as.example""#, #""aud": "app""#, #""exp": 5"#, #""signature": "<masked>""#] {
            #expect(text.contains(shown), "\(text)")
        }
    }

    @Test func `a secret that was masked once is removed everywhere else`() async throws {
        let text = try await Self.lines { trace in
            let number = trace.request(
                try .post(
                    "https://as.example/token", headers: [.authorization: "Basic \("bW9uYTpjYW5hcnklMkZzZWNyZXQ=")"],
                    body: .form(["refresh_token": "canary-refresh", "client_id": "app"])))
            trace.response(
                Self.response(200, [.contentType: "text/canary-refresh", .location: "https://canary-access.example/canary%2Frefresh"]),
                Self.body(#"{"access_token":"canary-access","iss":"https://as.example/canary%2Fsecret","canary-refresh":true}"#.utf8),
                to: number)
            trace.note("it was canary-access and canary/secret")
        }
        #expect(!text.contains("canary"), "\(text)")
    }

    @Test func `requests to APIs have no bodies`() async throws {
        let text = try await Self.lines { trace in
            let request = try LoadRequest.post(
                "https://api.example/users/mona%40example.com?q=canary", headers: [.authorization: "Bearer canary-token"],
                body: .json(["text": "canary"]))
            let number = trace.request(request)
            trace.response(Self.response(200, [.contentType: "application/json"]), nil, to: number)
        }
        #expect(!text.contains("canary") && !text.contains("mona"), "\(text)")
        #expect(text.contains("POST https://api.example/users/<masked>?q=<masked>"), "\(text)")
        #expect(text.contains("authorization: Bearer <masked>") && text.contains("the body of an API is not shown"), "\(text)")
    }

    struct Cut: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The lengths of the body's parts.
        let parts: [Int]
        let shows: String
    }

    private static let limit = TracedBody.limit

    @Test(arguments: [
        Cut(testDescription: "as long as the limit", parts: [limit], shows: "1 <   \"scope\": \"openid <masked>\""),
        Cut(testDescription: "one byte longer", parts: [limit + 1], shows: "1 < <more than 65536 bytes, which are not shown>"),
        Cut(
            testDescription: "one byte longer, in parts", parts: [limit - 1, 1, 0, 1],
            shows: "1 < <more than 65536 bytes, which are not shown>"),
        Cut(testDescription: "a megabyte", parts: [100, 1 << 20], shows: "1 < <more than 65536 bytes, which are not shown>"),
    ])
    func `a long body is left out as a whole, so that no part of a secret is shown`(cut: Cut) async throws {
        let length = cut.parts.reduce(0, +)
        let (start, end) = (#"{"scope":"openid "#, #""}"#)
        // One of them lies across the limit.
        let secrets = String(repeating: "canary", count: length / 6).prefix(length - start.utf8.count - end.utf8.count)
        let text = start + secrets + end
        let shown = await Self.lines { trace in
            var (body, rest) = (TracedBody(), Array(text.utf8)[...])
            for part in cut.parts {
                body.append(rest.prefix(part))
                rest = rest.dropFirst(part)
            }
            body.append(nil)
            trace.response(Self.response(200, [.contentType: "application/json"]), body, to: 1)
        }
        #expect(shown.contains(cut.shows), "\(shown.prefix(1000))")
        #expect(!shown.contains("canary") && !shown.contains("not JSON"), "\(shown.prefix(1000))")
    }

    @Test(.timeLimit(.minutes(15)))
    func `no request waits for the reader of a trace, and nothing is lost if the reader continues`() async throws {
        let reader = PausedReader()
        let trace = Trace(reader.read)
        let transport = TracingTransport(transport: Responder(), trace: trace)
        for _ in 0..<50 { _ = try await transport.send(.get("https://as.example/introspect")).body.collect(upTo: 100) }
        #expect(reader.text.isEmpty)
        reader.goOn()
        await trace.finish()
        let numbers = reader.text.split(separator: "\n").filter { $0.contains("> GET") }.map { $0.prefix { $0 != " " } }
        #expect(numbers == (1...50).map { "\($0)" })
    }

    @Test(.timeLimit(.minutes(15)))
    func `an interrupted command does not wait for the reader of a trace`() async {
        let reader = PausedReader()
        let trace = Trace(reader.read)
        trace.note("it is never read")
        let end = Task { await trace.finish() }
        end.cancel()
        await end.value
        #expect(reader.text.isEmpty)
        reader.goOn()
    }

    @Test(.timeLimit(.minutes(15)))
    func `a trace that is not read does not fill the memory`() async {
        let reader = PausedReader()
        let trace = Trace(reader.read)
        for number in 0..<TraceWriter.longestQueue + 5 { trace.note("number \(number)") }
        reader.goOn()
        await trace.finish()
        let text = reader.text
        #expect(text.split(separator: "\n").count == TraceWriter.longestQueue + 1)
        #expect(text.hasSuffix("\n* 5 messages were left out, because the trace was read too slowly\n"))
    }

    @Test func `passes on the response, and writes it when its body ends`() async throws {
        let lines = Mutex("")
        let trace = Trace { text in lines.withLock { $0 += text } }
        let transport = TracingTransport(transport: Responder(), trace: trace)
        let response = try await transport.send(.get("https://as.example/introspect"))
        await trace.finish()
        #expect(!lines.withLock { $0 }.contains("<"))
        #expect(try await response.body.collect(upTo: 100) == Array(#"{"active":true}"#.utf8))
        await trace.finish()
        #expect(lines.withLock { $0 }.contains(#"1 <   "active": true"#))
        await #expect(throws: LoadError.self) { try await transport.send(.get("https://down.example/")) }
        await trace.finish()
        #expect(lines.withLock { $0 }.contains("2 ! cannot connect"))
    }
}

/// Responds to every host except one.
private struct Responder: Transport {
    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard request.head.authority != "down.example" else { throw LoadError(.cannotConnect, for: request) }
        return LoadResponse(HTTPResponse(status: .ok), body: .bytes(Array(#"{"active":true}"#.utf8)))
    }
}

/// A reader of a trace that takes nothing until it goes on.
private final class PausedReader: Sendable {
    private let isReading = DispatchSemaphore(value: 0)
    private let lines = Mutex("")

    var text: String { lines.withLock { $0 } }

    func read(_ text: String) {
        isReading.wait()
        lines.withLock { $0 += text }
        isReading.signal()
    }

    func goOn() { isReading.signal() }
}
