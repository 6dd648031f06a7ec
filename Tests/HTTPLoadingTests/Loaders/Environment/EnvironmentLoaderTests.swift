import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

struct EnvironmentLoaderTests {
    private let environment: ServerEnvironment
    private let accept: HTTPFields = [.accept: "application/json", .userAgent: "default"]

    init() throws {
        environment = try ServerEnvironment(url: "https://api.example.com/v1/", headerFields: accept)
    }

    @Test func `completes a path`() async throws {
        let head = try await completed(.get("/users?page=2"))
        #expect(head.scheme == "https")
        #expect(head.authority == "api.example.com")
        #expect(head.path == "/v1/users?page=2")
        #expect(head.headerFields == accept)
    }

    @Test func `keeps a whole URL, and adds no default header fields for a foreign origin`() async throws {
        let head = try await completed(.get("http://other.example:8080/users"))
        #expect(head.scheme == "http" && head.authority == "other.example:8080" && head.path == "/users")
        #expect(head.headerFields.isEmpty)
    }

    @Test func `a whole URL of the environment's origin gets the header fields, but no prefix`() async throws {
        let head = try await completed(.get("https://API.example.com:443/users"))
        #expect(head.path == "/users")
        #expect(head.headerFields == accept)
    }

    @Test func `keeps the request's own header fields, including repeated ones`() async throws {
        let head = try await completed(.get("/", headers: [.accept: "text/plain", .accept: "text/html"]))
        #expect(head.headerFields[values: .accept] == ["text/plain", "text/html"])
        #expect(head.headerFields[.userAgent] == "default")
    }

    @Test func `the request's own environment takes precedence over the loader's`() async throws {
        var request = try LoadRequest.get("/users")
        request.options[ServerEnvironment.self] = try ServerEnvironment(url: "http://127.0.0.1:8080")
        let head = try await completed(request)
        #expect(head.scheme == "http" && head.authority == "127.0.0.1:8080" && head.path == "/users")
        #expect(head.headerFields.isEmpty)
    }

    @Test func `without an environment a request stays unchanged`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        _ = try await Chain(transport: transport, [EnvironmentLoader()]).load(.get("/users"))
        #expect(transport.requests.first?.head.authority == nil)
    }

    @Test(arguments: ["", "/v1", "api.example.com", "https://api.example.com/?key=1", "ftp://example.com", "https://user@example.com"])
    func `an environment is an absolute URL`(url: String) {
        let error = #expect(throws: LoadError.self) { try ServerEnvironment(url: url) }
        #expect(error?.code == .invalidRequest)
    }

    struct AddressRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let environment: String
        let request: String
        let expected: String
    }

    @Test(arguments: [
        AddressRow(testDescription: "no prefix", environment: "https://a.example", request: "/users", expected: "https://a.example/users"),
        AddressRow(
            testDescription: "a slash as the prefix", environment: "https://a.example/", request: "/users",
            expected: "https://a.example/users"),
        AddressRow(
            testDescription: "a prefix", environment: "https://a.example/v1", request: "/users", expected: "https://a.example/v1/users"),
        AddressRow(
            testDescription: "a prefix with a trailing slash", environment: "https://a.example/v1/", request: "/users",
            expected: "https://a.example/v1/users"),
        AddressRow(
            testDescription: "a prefix with several trailing slashes", environment: "https://a.example/v1//", request: "/users",
            expected: "https://a.example/v1/users"),
        AddressRow(
            testDescription: "a prefix of several segments", environment: "https://a.example/api/v1", request: "/users/",
            expected: "https://a.example/api/v1/users/"),
        AddressRow(
            testDescription: "only the root", environment: "https://a.example/v1", request: "/", expected: "https://a.example/v1/"),
        AddressRow(
            testDescription: "a port", environment: "https://a.example:8443/v1", request: "/users",
            expected: "https://a.example:8443/v1/users"),
        AddressRow(
            testDescription: "an IPv6 address without TLS", environment: "http://[::1]:8080", request: "/users?a=%2F",
            expected: "http://[::1]:8080/users?a=%2F"),
        AddressRow(
            testDescription: "a URL in a query", environment: "https://a.example/v1", request: "/go?to=https://b.example/",
            expected: "https://a.example/v1/go?to=https://b.example/"),
    ])
    func `scheme, host, port and prefix come from the environment, and no slash is doubled`(row: AddressRow) async throws {
        let head = try await completed(.get(row.request), in: ServerEnvironment(url: row.environment))
        #expect("\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")" == row.expected)
    }

    @Test(arguments: [nil, "users", ""])
    func `completes a path that was set by hand, too`(path: String?) async throws {
        var request = try LoadRequest.get("/")
        request.head.path = path
        #expect(try await completed(request).path == "/v1/" + (path ?? ""))
    }

    struct QueryRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let expected: String
    }

    @Test(arguments: [
        QueryRow(testDescription: "no query", request: "/a", expected: "/a?key=1+2%2F%C3%BC&lang=de&lang=fr"),
        QueryRow(testDescription: "another name", request: "/a?b=%20", expected: "/a?b=%20&key=1+2%2F%C3%BC&lang=de&lang=fr"),
        QueryRow(testDescription: "the same name", request: "/a?key=mine", expected: "/a?key=mine&lang=de&lang=fr"),
        QueryRow(testDescription: "a name with several values", request: "/a?lang=en", expected: "/a?lang=en&key=1+2%2F%C3%BC"),
        QueryRow(testDescription: "the same name, encoded", request: "/a?%6Bey=&l%61ng", expected: "/a?%6Bey=&l%61ng"),
        QueryRow(testDescription: "names in a different case", request: "/a?KEY=&lang=", expected: "/a?KEY=&lang=&key=1+2%2F%C3%BC"),
        QueryRow(testDescription: "an empty query", request: "/a?", expected: "/a?key=1+2%2F%C3%BC&lang=de&lang=fr"),
        QueryRow(testDescription: "a trailing ampersand", request: "/a?lang&", expected: "/a?lang&key=1+2%2F%C3%BC"),
        QueryRow(
            testDescription: "characters that are not form-encoded stay", request: "/a?%FF=1&lang=%FF",
            expected: "/a?%FF=1&lang=%FF&key=1+2%2F%C3%BC"),
        QueryRow(
            testDescription: "a whole URL of the origin", request: "https://API.example.com/a?key=",
            expected: "/a?key=&lang=de&lang=fr"),
        QueryRow(testDescription: "a whole URL of another origin", request: "https://api.example.com:8443/a", expected: "/a"),
        QueryRow(testDescription: "a whole URL of another scheme", request: "http://api.example.com/a", expected: "/a"),
    ])
    func `adds query items in order if the request has none of the same name, for the environment's origin only`(
        row: QueryRow
    ) async throws {
        let environment = try ServerEnvironment(
            url: "https://api.example.com", queryItems: ["key": "1 2/ü", "lang": "de", "lang": "fr"])
        #expect(try await completed(.get(row.request), in: environment).path == row.expected)
    }

    @Test func `an environment reveals no values of its query items and header fields`() throws {
        let environment = try ServerEnvironment(
            url: "https://api.example.com/v1", queryItems: ["key": "canary"], headerFields: [.authorization: "canary"])
        var request = try LoadRequest.get("/users")
        request.options[ServerEnvironment.self] = environment
        #expect(!dumped(request).contains("canary") && !dumped(environment).contains("canary"))
        #expect(dumped(environment).contains("https://api.example.com/v1") && dumped(environment).contains("key"))
    }

    private func completed(_ request: LoadRequest, in environment: ServerEnvironment) async throws -> HTTPRequest {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        _ = try await Chain(transport: transport, [EnvironmentLoader(environment)]).load(request)
        return try #require(transport.requests.first).head
    }

    private func completed(_ request: LoadRequest) async throws -> HTTPRequest {
        try await completed(request, in: environment)
    }
}
