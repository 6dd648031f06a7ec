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

    @Test func `a path is completed`() async throws {
        let head = try await completed(.get("/users?page=2"))
        #expect(head.scheme == "https")
        #expect(head.authority == "api.example.com")
        #expect(head.path == "/v1/users?page=2")
        #expect(head.headerFields == accept)
    }

    @Test func `a whole URL stays, and a foreign origin gets no default fields`() async throws {
        let head = try await completed(.get("http://other.example:8080/users"))
        #expect(head.scheme == "http" && head.authority == "other.example:8080" && head.path == "/users")
        #expect(head.headerFields.isEmpty)
    }

    @Test func `a whole URL of the environment's origin gets the fields, but no prefix`() async throws {
        let head = try await completed(.get("https://API.example.com:443/users"))
        #expect(head.path == "/users")
        #expect(head.headerFields == accept)
    }

    @Test func `fields of the request's own stand, however often they occur`() async throws {
        let head = try await completed(.get("/", headers: [.accept: "text/plain", .accept: "text/html"]))
        #expect(head.headerFields[values: .accept] == ["text/plain", "text/html"])
        #expect(head.headerFields[.userAgent] == "default")
    }

    @Test func `the request's own environment goes before the loader's`() async throws {
        var request = try LoadRequest.get("/users")
        request.options[ServerEnvironment.self] = try ServerEnvironment(url: "http://127.0.0.1:8080")
        let head = try await completed(request)
        #expect(head.scheme == "http" && head.authority == "127.0.0.1:8080" && head.path == "/users")
        #expect(head.headerFields.isEmpty)
    }

    @Test func `without an environment a request passes as it is`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        _ = try await Chain(transport: transport, [EnvironmentLoader()]).load(.get("/users"))
        #expect(transport.requests.first?.head.authority == nil)
    }

    @Test(arguments: ["", "/v1", "api.example.com", "https://api.example.com/?key=1", "ftp://example.com", "https://user@example.com"])
    func `an environment is an absolute URL`(url: String) {
        let error = #expect(throws: LoadError.self) { try ServerEnvironment(url: url) }
        #expect(error?.code == .invalidRequest)
    }

    private func completed(_ request: LoadRequest) async throws -> HTTPRequest {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        _ = try await Chain(transport: transport, [EnvironmentLoader(environment)]).load(request)
        return try #require(transport.requests.first).head
    }
}
