import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

struct BasicAuthorizerTests {
    private static let origin = Origin(scheme: "https", host: "api.example.com", port: 443)

    private func authorizer(_ credentials: BasicCredentials?) throws -> BasicAuthorizer {
        try BasicAuthorizer(credentials, origins: [Self.origin])
    }

    private func credentials(_ userID: String = "Aladdin", _ password: String = "open sesame") throws -> BasicCredentials {
        try BasicCredentials(userID: userID, password: Secret(password))
    }

    struct VectorRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let userID: String
        let password: String
        let expected: String
    }

    @Test(arguments: [
        VectorRow(
            testDescription: "RFC 7617 §2", userID: "Aladdin", password: "open sesame", expected: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        VectorRow(testDescription: "RFC 7617 §2.1, UTF-8", userID: "test", password: "123£", expected: "Basic dGVzdDoxMjPCow=="),
        VectorRow(testDescription: "nothing", userID: "", password: "", expected: "Basic Og=="),
        VectorRow(testDescription: "colons in the password", userID: "a", password: ":b:", expected: "Basic YTo6Yjo="),
        VectorRow(
            testDescription: "both digits that base64url writes differently", userID: "~", password: "\u{FF}?>", expected: "Basic fjrDvz8+"),
    ])
    func `user-id and password are the base64 of their UTF-8`(row: VectorRow) async throws {
        let authorizations = try await sent(.get("https://api.example.com/"), authorizer(credentials(row.userID, row.password)))
        #expect(authorizations == [row.expected])
    }

    struct RefusedRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var userID = "user"
        var password = "canary"
    }

    @Test(arguments: [
        RefusedRow(testDescription: "a colon in the user-id", userID: "canary:"),
        RefusedRow(testDescription: "a combining mark on the colon", userID: "canary:\u{301}"),
        RefusedRow(testDescription: "a line break in the user-id", userID: "canary\r\n"),
        RefusedRow(testDescription: "NUL in the user-id", userID: "canary\0"),
        RefusedRow(testDescription: "DEL in the user-id", userID: "canary\u{7F}"),
        RefusedRow(testDescription: "a C1 control character in the user-id", userID: "canary\u{85}"),
        RefusedRow(testDescription: "a line break in the password", password: "canary\n"),
        RefusedRow(testDescription: "a tab in the password", password: "\tcanary"),
    ])
    func `rejects unsendable credentials on creation, without repeating them`(row: RefusedRow) {
        let error = #expect(throws: LoadError.self) {
            try BasicCredentials(userID: row.userID, password: Secret(row.password))
        }
        #expect(error?.code == .invalidRequest)
        if let error { #expect(!dumped(error).contains("canary")) }
    }

    @Test(arguments: [
        ("http://api.example.com", false), ("https://api.example.com", true), ("http://127.0.0.1:8080", true), ("http://[::1]:8080", true),
        ("http://localhost", true), ("http://127.evil.example", false), ("http://192.168.0.1", false),
    ])
    func `does not send passwords without encryption`(url: String, isAllowed: Bool) throws {
        let origin = try #require(Origin(url: url))
        if isAllowed {
            #expect(try BasicAuthorizer(credentials(), origins: [origin]).covers(origin, path: "/", options: RequestOptions()))
        } else {
            let error = #expect(throws: LoadError.self) { try BasicAuthorizer(credentials(), origins: [Self.origin, origin]) }
            #expect(error?.code == .invalidRequest && error?.explanation?.contains(url) == true)
        }
    }

    @Test(arguments: ["https://example.com/", "http://api.example.com/", "https://api.example.com:8443/", "https://a.api.example.com/"])
    func `other origins see no password, even if the request has its own`(url: String) async throws {
        var request = try LoadRequest.get(url)
        request.options[BasicCredentials.self] = try credentials("own")
        #expect(try await sent(request, authorizer(credentials())) == [nil])
    }

    @Test func `returns a 401 without sending the same password twice`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.unauthorized, body: [1, 2, 3]))])
        let response = try await Chain(transport: transport, [AuthorizeLoader(authorizer(credentials()))])
            .load(.get("https://api.example.com/"))
        #expect(response.status == .unauthorized && response.notes.replays == 0)
        #expect(try await response.body.collect(upTo: 10) == [1, 2, 3])
        try transport.verifyFinished()
    }

    @Test func `a request's own credentials take precedence over the authorizer's, and work without any`() async throws {
        var request = try LoadRequest.get("https://api.example.com/")
        request.options[BasicCredentials.self] = try credentials("a", "b")
        #expect(try await sent(request, authorizer(credentials())) == ["Basic YTpi"])
        #expect(try await sent(request, authorizer(nil)) == ["Basic YTpi"])
        #expect(try await sent(.get("https://api.example.com/"), authorizer(nil)) == [nil])
    }

    @Test func `case 18: a reset forgets the credentials before any cleanup, and the next user's are kept`() async throws {
        let authorizer = try authorizer(credentials())
        let next = try credentials("c", "d")
        struct Successor: Loader {
            let signIn: @Sendable () -> Void
            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse { try await next(request) }
            func reset(_ context: ResetContext) async throws { if context.phase == .forget { signIn() } }
        }
        let transport = ScriptedTransport([.init(.any, .status(.ok)), .init(.any, .status(.ok)), .init(.any, .status(.ok))])
        let forgetful = try Chain(transport: transport, [AuthorizeLoader(authorizer)])
        #expect(await forgetful.reset().failures.isEmpty)
        _ = try await forgetful.load(.get("https://api.example.com/"))
        let chain = try Chain(transport: transport, [AuthorizeLoader(authorizer), Successor { authorizer.use(next) }])
        await chain.reset()
        _ = try await chain.load(.get("https://api.example.com/"))
        #expect(transport.requests.map { $0.head.headerFields[.authorization] } == [nil, "Basic Yzpk"])
    }

    @Test func `credentials reveal nothing of themselves, wherever they are stored`() throws {
        var request = try LoadRequest.get("https://api.example.com/")
        let credentials = try credentials("canary", "canary")
        request.options[BasicCredentials.self] = credentials
        for text in [dumped(credentials), dumped(request), dumped(request.options), dumped(Optional(credentials))] {
            #expect(!text.contains("canary") && !text.contains("Y2FuYXJ5"))
        }
        #expect(!dumped(try authorizer(credentials)).contains("canary"))
    }

    @Test func `two users' requests are different requests`() throws {
        #expect(try credentials("a", "b") == credentials("a", "b"))
        #expect(try credentials("a", "b") != credentials("a", "c"))
        #expect(try credentials("a", "b") != credentials("b", "b"))
        // K and the Kelvin sign are canonically equivalent, but two different passwords.
        #expect(try credentials("a", "K") != credentials("a", "\u{212A}"))
        let identity = try BasicCredentials.identity(of: credentials()) as? BasicCredentials
        #expect(try identity == credentials())
        #expect(BasicCredentials.identity(of: nil) as? BasicCredentials == nil)
    }

    private func sent(_ request: LoadRequest, _ authorizer: BasicAuthorizer) async throws -> [String?] {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        _ = try await Chain(transport: transport, [AuthorizeLoader(authorizer)]).load(request)
        return transport.requests.map { $0.head.headerFields[.authorization] }
    }
}
