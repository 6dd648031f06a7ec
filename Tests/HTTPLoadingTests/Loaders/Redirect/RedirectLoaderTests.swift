import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct RedirectLoaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: HTTPRequest.Method
        let expected: HTTPRequest.Method
        let keepsBody: Bool

        init(_ status: Int, _ method: HTTPRequest.Method, _ expected: HTTPRequest.Method, keepsBody: Bool) {
            self.status = status
            self.method = method
            self.expected = expected
            self.keepsBody = keepsBody
        }

        var testDescription: String { "\(status) on \(method.rawValue)" }
    }

    @Test(arguments: [
        Row(301, .get, .get, keepsBody: true), Row(302, .get, .get, keepsBody: true), Row(303, .get, .get, keepsBody: false),
        Row(307, .get, .get, keepsBody: true), Row(308, .get, .get, keepsBody: true),
        Row(301, .head, .head, keepsBody: true), Row(303, .head, .head, keepsBody: false), Row(307, .head, .head, keepsBody: true),
        Row(301, .post, .get, keepsBody: false), Row(302, .post, .get, keepsBody: false), Row(303, .post, .get, keepsBody: false),
        Row(307, .post, .post, keepsBody: true), Row(308, .post, .post, keepsBody: true),
        Row(301, .put, .put, keepsBody: true), Row(302, .patch, .patch, keepsBody: true), Row(303, .delete, .get, keepsBody: false),
    ])
    func `the status determines method and body`(row: Row) async throws {
        let transport = ScriptedTransport([
            .init(.init(row.method, "/from"), .redirect(.init(code: row.status), to: "/to")),
            .init(.init(row.expected, "/to"), .status(.ok)),
        ])
        let request = try LoadRequest(
            row.method, "https://example.com/from",
            headers: [.contentType: "text/plain", .contentEncoding: "gzip", .contentLanguage: "en", .accept: "text/html"],
            body: .bytes([1, 2, 3]))
        let response = try await Chain(transport: transport, [RedirectLoader()]).load(request)
        try transport.verifyFinished()
        let last = try #require(transport.requests.last)
        #expect(last.body.bytes == (row.keepsBody ? [1, 2, 3] : []))
        #expect(last.head.headerFields[.contentType] == (row.keepsBody ? "text/plain" : nil))
        #expect(last.head.headerFields[.contentEncoding] == (row.keepsBody ? "gzip" : nil))
        #expect(last.head.headerFields[.contentLanguage] == (row.keepsBody ? "en" : nil))
        #expect(last.head.headerFields[.accept] == "text/html")
        #expect(last.id == request.id)
        #expect(response.notes.redirects == [Origin(scheme: "https", host: "example.com", port: 443)])
    }

    struct OriginRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let location: String
        let keepsCredentials: Bool
    }

    @Test(arguments: [
        OriginRow(testDescription: "a path", location: "/to", keepsCredentials: true),
        OriginRow(
            testDescription: "the same origin with an explicit port", location: "HTTPS://API.example.com:443/to", keepsCredentials: true),
        OriginRow(testDescription: "without a scheme", location: "//api.example.com/to", keepsCredentials: true),
        OriginRow(testDescription: "RS07 another host", location: "https://evil.example/to", keepsCredentials: false),
        OriginRow(testDescription: "another host without a scheme", location: "//evil.example/to", keepsCredentials: false),
        OriginRow(testDescription: "RS07 another port", location: "https://api.example.com:8443/to", keepsCredentials: false),
        OriginRow(testDescription: "a parent domain", location: "https://example.com/to", keepsCredentials: false),
        OriginRow(testDescription: "a subdomain", location: "https://x.api.example.com/to", keepsCredentials: false),
        OriginRow(testDescription: "a trailing dot", location: "https://api.example.com./to", keepsCredentials: false),
    ])
    func `sends credentials to no other origin`(row: OriginRow) async throws {
        let key = try #require(HTTPField.Name("X-API-Key"))
        let proof = try #require(HTTPField.Name("dpop"))
        let transport = ScriptedTransport([
            .init(.get("/from"), .redirect(.temporaryRedirect, to: row.location)),
            .init(.get("/to"), .redirect(.temporaryRedirect, to: "https://api.example.com/back")),
            .init(.get("/back"), .status(.ok)),
        ])
        let headers: HTTPFields = [
            .authorization: "a", .cookie: "b", .proxyAuthorization: "c", proof: "d", key: "e", .accept: "text/html",
        ]
        let chain = try Chain(transport: transport, [RedirectLoader()])
        let response = try await chain.load(.get("https://api.example.com/from", headers: headers))
        try transport.verifyFinished()
        let kept = [.authorization, .cookie, .proxyAuthorization, proof, key, .accept]
        for request in transport.requests.dropFirst() {
            let fields = kept.compactMap { request.head.headerFields[$0] }
            #expect(fields == (row.keepsCredentials ? ["a", "b", "c", "d", "e", "text/html"] : ["text/html"]), "and none comes back")
        }
        #expect(response.notes.redirects.count == 2)
    }

    @Test func `RS07: sends fields that a program names to other origins, too, but never its credentials`() async throws {
        let version = try #require(HTTPField.Name("X-API-Version"))
        let transport = ScriptedTransport([
            .init(.get("/from"), .redirect(.found, to: "https://other.example/to")), .init(.get("/to"), .status(.ok)),
        ])
        let chain = try Chain(transport: transport, [RedirectLoader(fieldsForOtherOrigins: [version, .authorization, .cookie])])
        let headers: HTTPFields = [version: "1", .authorization: "a", .cookie: "b", .userAgent: "c", .contentType: "d"]
        _ = try await chain.load(.get("https://api.example.com/from", headers: headers))
        #expect(transport.requests.last?.head.headerFields == [version: "1", .userAgent: "c"])
    }

    struct BodyRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = 307
        var method = HTTPRequest.Method.post
        var body = RequestBody.bytes([1, 2, 3])
        var location = "https://other.example/to"
        let isFollowed: Bool
    }

    @Test(arguments: [
        BodyRow(testDescription: "RS13 307 to another host", isFollowed: false),
        BodyRow(testDescription: "RS13 308 to another port", status: 308, location: "https://api.example.com:8443/to", isFollowed: false),
        BodyRow(testDescription: "RS13 302 of a PUT, which keeps its body", status: 302, method: .put, isFollowed: false),
        BodyRow(
            testDescription: "RS13 a body of unknown length",
            body: .stream { () async throws(LoadError) in ByteStream { () async throws(LoadError) in nil } },
            isFollowed: false),
        BodyRow(testDescription: "307 on the same origin", location: "/to", isFollowed: true),
        BodyRow(testDescription: "303 to another host drops the body", status: 303, isFollowed: true),
        BodyRow(testDescription: "307 to another host without a body", body: .empty, isFollowed: true),
    ])
    func `RS13: sends a body to no other origin`(row: BodyRow) async throws {
        let transport = RoutedTransport([
            (.init(row.method, "/from"), .redirect(.init(code: row.status), to: row.location)), (.any, .status(.ok)),
        ])
        let request = try LoadRequest(row.method, "https://api.example.com/from", body: row.body)
        let chain = try Chain(transport: transport, [RedirectLoader()])
        if row.isFollowed {
            #expect(try await chain.load(request).status == .ok)
            #expect(transport.requests.count == 2)
        } else {
            let error = await #expect(throws: LoadError.self) { try await chain.load(request) }
            #expect(error?.code == .redirectRefused && error?.explanation?.contains("send the request's body to another origin") == true)
            #expect(transport.requests.count == 1)
        }
    }

    @Test(arguments: [
        ("RS14 another host", "https://other.example/to", false), ("RS14 another port", "https://example.com:8443/to", false),
        ("the same origin", "/to", true), ("the same origin with an explicit port", "https://EXAMPLE.com:443/to", true),
    ])
    func `RS14: a request that must stay at its origin is not redirected elsewhere`(reason: String, location: String, isFollowed: Bool)
        async throws
    {
        let transport = RoutedTransport([(.get("/from"), .redirect(.found, to: location)), (.any, .status(.ok))])
        var request = try LoadRequest.get("https://example.com/from")
        request.options[RedirectScope.self] = .sameOrigin
        let chain = try Chain(transport: transport, [RedirectLoader()])
        if isFollowed {
            #expect(try await chain.load(request).status == .ok)
        } else {
            let error = await #expect(throws: LoadError.self) { try await chain.load(request) }
            #expect(error?.code == .redirectRefused)
            #expect(transport.requests.count == 1)
        }
    }

    @Test(arguments: [true, false])
    func `header fields of an environment stay at its origin, whether the loader or the request sets it`(isOption: Bool) async throws {
        let key = try #require(HTTPField.Name("X-API-Key"))
        let environment = try ServerEnvironment(url: "https://api.example.com", headerFields: [key: "canary", .userAgent: "default"])
        let transport = ScriptedTransport([
            .init(.get("https://api.example.com/from"), .redirect(.found, to: "/next")),
            .init(.get("https://api.example.com/next"), .redirect(.found, to: "https://evil.example/to")),
            .init(.get("https://evil.example/to"), .redirect(.found, to: "https://evil.example./to")),
            .init(.get("https://evil.example./to"), .status(.ok)),
        ])
        let chain = try Chain(transport: transport, [EnvironmentLoader(isOption ? nil : environment), RedirectLoader()])
        var request = try LoadRequest.get("/from", headers: [.accept: "text/html", .referer: "https://api.example.com/?canary"])
        if isOption { request.options[ServerEnvironment.self] = environment }
        _ = try await chain.load(request)
        try transport.verifyFinished()
        #expect(transport.requests.map { $0.head.headerFields[key] } == ["canary", "canary", nil, nil])
        #expect(transport.requests.map { $0.head.headerFields[.accept] } == .init(repeating: "text/html", count: 4))
        for request in transport.requests.dropFirst(2) { #expect(!dumped(Array(request.head.headerFields)).contains("canary")) }
    }

    @Test(arguments: [(303, nil), (302, nil), (307, #""key""#)])
    func `an idempotency key is sent again if the same request is repeated, and not with the page that follows`(status: Int, key: String?)
        async throws
    {
        let transport = ScriptedTransport([
            .init(.post("/from"), .redirect(.init(code: status), to: "/to")), .init(.any, .status(.ok)),
        ])
        let chain = try Chain(transport: transport, [RetryLoader(), RedirectLoader()])
        var request = try LoadRequest.post("https://example.com/from", body: .bytes([1]))
        request.options[IdempotencyKey.self] = IdempotencyKey("key")
        _ = try await chain.load(request)
        let field = try #require(HTTPField.Name("Idempotency-Key"))
        #expect(transport.requests.first?.head.headerFields[field] == #""key""#)
        #expect(transport.requests.last?.head.headerFields[field] == key)
    }

    @Test(arguments: [
        ("RS08 from https to http", "https://example.com/from", "http://example.com/to"),
        ("RS08 from https to http on loopback", "https://example.com/from", "http://127.0.0.1/to"),
        ("RS08 from http on this machine to http elsewhere", "http://127.0.0.1/from", "http://example.com/to"),
        ("to itself", "https://example.com/from", "/from"),
        ("to itself under another name", "https://example.com/from", "./a/../from#x"),
    ])
    func `a redirect that must not be followed is an error`(reason: String, from: String, to: String) async throws {
        let transport = ScriptedTransport([.init(.any, .redirect(.found, to: to))])
        let error = await #expect(throws: LoadError.self) {
            try await Chain(transport: transport, [RedirectLoader()]).load(.get(from))
        }
        #expect(error?.code == .redirectRefused)
        try transport.verifyFinished()
    }

    @Test(arguments: [
        ("http://example.com/", "https://example.com/"), ("http://127.0.0.1/", "https://example.com/"),
        ("http://127.0.0.1/", "http://[::1]:8080/"), ("http://example.com/", "http://other.example/"),
    ])
    func `http may lead to https, and to http unless it leaves this machine`(from: String, to: String) async throws {
        let transport = ScriptedTransport([.init(.get(from), .redirect(.movedPermanently, to: to)), .init(.get(to), .status(.ok))])
        #expect(try await Chain(transport: transport, [RedirectLoader()]).load(.get(from)).status == .ok)
    }

    @Test func `a form that redirects to its own URL as a page is not a loop`() async throws {
        let transport = ScriptedTransport([
            .init(.post("/form"), .redirect(.seeOther, to: "/form")), .init(.get("/form"), .status(.ok)),
        ])
        let chain = try Chain(transport: transport, [RedirectLoader()])
        #expect(try await chain.load(.post("https://example.com/form", body: .bytes([1]))).status == .ok)
        try transport.verifyFinished()
    }

    @Test func `detects a loop of several URLs`() async throws {
        let transport = RoutedTransport([
            (.get("/a"), .redirect(.found, to: "/b")), (.get("/b"), .redirect(.found, to: "/c")), (.get("/c"), .redirect(.found, to: "/a")),
        ])
        let error = await #expect(throws: LoadError.self) {
            try await Chain(transport: transport, [RedirectLoader()]).load(.get("https://example.com/a"))
        }
        #expect(error?.code == .redirectRefused)
        #expect(error?.explanation?.contains("leads back to an earlier URL") == true)
    }

    @Test(arguments: [0, 1, 3, 10])
    func `follows the maximum number of redirects and not one more`(maximum: Int) async throws {
        let hops = Mutex(0)
        let endless = RoutedTransport([
            (
                .any,
                ScriptedAnswer { _ throws(LoadError) in
                    let hop = hops.withLock { hops in
                        hops += 1
                        return hops
                    }
                    return LoadResponse(HTTPResponse(status: .found, headerFields: [.location: "/\(hop)"]))
                }
            )
        ])
        let error = await #expect(throws: LoadError.self) {
            try await Chain(transport: endless, [RedirectLoader(maximumHops: maximum)]).load(.get("https://example.com/"))
        }
        #expect(error?.code == .redirectRefused)
        #expect(hops.withLock { $0 } == maximum + 1)
    }

    @Test(
        arguments: [
            ("no Location", HTTPResponse.Status.found, [:]),
            ("two Locations", .found, [.location: "/a", .location: "/b"]),
            ("an empty Location", .found, [.location: ""]),
            ("a Location that is not a URL", .found, [.location: "https://exa mple.com/"]),
            ("a Location with a password", .found, [.location: "https://user:password@example.com/"]),
            ("a Location with another scheme", .found, [.location: "com.example:/callback"]),
            ("a script", .seeOther, [.location: "javascript:alert(1)"]),
            ("a choice", .multipleChoices, [.location: "/a"]),
            ("not modified", .notModified, [.location: "/a"]),
            ("a creation", .created, [.location: "/a"]),
            ("use proxy", HTTPResponse.Status(code: 305), [.location: "/a"]),
        ] as [(String, HTTPResponse.Status, HTTPFields)])
    func `returns a redirect that leads nowhere unchanged`(reason: String, status: HTTPResponse.Status, headers: HTTPFields) async throws {
        let transport = ScriptedTransport([.init(.any, .status(status, headers: headers, body: [7]))])
        let response = try await Chain(transport: transport, [RedirectLoader()]).load(.get("https://example.com/from"))
        #expect(response.status == status)
        #expect(response.notes.redirects.isEmpty)
        #expect(try await response.body.collect(upTo: 1) == [7])
    }

    @Test func `reads the bodies of hops, and counts the replays of all hops`() async throws {
        let read = Mutex(0)
        let transport = RoutedTransport([
            (
                .get("/a"),
                ScriptedAnswer { _ throws(LoadError) in
                    let body = ResponseBody { () async throws(LoadError) in
                        read.withLock { $0 += 1 }
                        return read.withLock { $0 } < 3 ? [1] : nil
                    }
                    var response = LoadResponse(HTTPResponse(status: .found, headerFields: [.location: "/b"]), body: body)
                    response.notes.replays = 1
                    return response
                }
            ),
            (
                .get("/b"),
                ScriptedAnswer { _ throws(LoadError) in
                    var response = LoadResponse(HTTPResponse(status: .ok))
                    response.notes.replays = 1
                    return response
                }
            ),
        ])
        let response = try await Chain(transport: transport, [RedirectLoader()]).load(.get("https://example.com/a"))
        #expect(read.withLock { $0 } == 3)
        #expect(response.notes.replays == 2)
    }
}
