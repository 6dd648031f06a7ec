import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import GitHubAPI
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

struct GitHubTests {
    private static let api = "https://api.example.com"

    /// The API with a signed-out session: requests carry no token, and responses are scripted.
    private func gitHub(_ steps: [ScriptedTransport.Step]) -> (GitHub, ScriptedTransport) {
        let transport = ScriptedTransport(steps)
        var configuration = OAuthSession.Configuration(
            server: ProviderProfile(
                name: "test", displayName: "Test", endpoints: .init(authorization: "https://a.example", token: "https://a.example")),
            client: OAuthClient(id: "client"), grant: .authorizationCode(ScriptedBrowser { _ in .cancelled }),
            store: MemoryCredentialStore(), dependencies: Dependencies(transport: transport))
        configuration.prompting = .manual
        let session = OAuthSession(configuration)
        return (GitHub(session: session, api: Self.api), transport)
    }

    private func repository(_ id: Int64) -> JSONValue {
        ["id": .number(JSONNumber(id)), "full_name": .string("octocat/r\(id)")]
    }

    private func page(_ ids: [Int64], next: String?) -> ScriptedAnswer {
        var fields: HTTPFields = [:]
        if let next, let link = HTTPField.Name("Link") { fields[link] = "<\(next)>; rel=\"next\", <\(next)>; rel=\"last\"" }
        return .json(.array(ids.map(repository)), headers: fields)
    }

    @Test func `reads a user with the fields that GitHub always sends and those it may leave empty`() async throws {
        let (gitHub, transport) = gitHub([
            .init(
                .get("/user"),
                .json([
                    "id": 583_231, "login": "octo\u{202E}cat", "name": nil, "email": "octocat@example.com",
                    "avatar_url": "https://avatars.example/u/1",
                ]))
        ])
        let user = try await gitHub.user()
        #expect(user.id == 583_231)
        #expect(user.login == "octocat")
        #expect(user.name == nil)
        #expect(user.avatar == "https://avatars.example/u/1")
        let fields = transport.requests.first?.head.headerFields
        #expect(fields?[.accept] == "application/vnd.github+json")
        #expect(HTTPField.Name("X-GitHub-Api-Version").flatMap { fields?[$0] } == "2022-11-28")
        try transport.verifyFinished()
    }

    @Test func `requests owned repositories, and follows the server's links to further pages`() async throws {
        let (gitHub, transport) = gitHub([
            .init(.get("\(Self.api)/user/repos"), page([1], next: "/user/repos?affiliation=owner&page=2")),
            .init(.get("\(Self.api)/user/repos"), page([2], next: nil)),
            .init(.get("\(Self.api)/user/repos"), page([1], next: nil)),
        ])
        #expect(try await gitHub.repositories(.owned, perPage: 2).repositories.map(\.id) == [1, 2])
        _ = try await gitHub.repositoryPage(.owned)
        let paths = [
            "/user/repos?affiliation=owner&per_page=2", "/user/repos?affiliation=owner&page=2", "/user/repos?affiliation=owner",
        ]
        #expect(transport.requests.map(\.head.path) == paths)
    }

    @Test(arguments: [("repo, read:user", false), ("read:user", true), ("", false), (nil, false)])
    func `knows from the scopes that GitHub names whether private repositories are missing`(scopes: String?, lacksPrivate: Bool)
        async throws
    {
        var answer = page([1], next: nil)
        if let scopes, let field = HTTPField.Name("X-OAuth-Scopes") {
            answer = .json(.array([repository(1)]), headers: [field: scopes])
        }
        let (gitHub, _) = gitHub([.init(.any, answer), .init(.any, answer)])
        #expect(try await gitHub.repositories().lacksPrivate == lacksPrivate)
        #expect(try await gitHub.repositoryPage().lacksPrivate == lacksPrivate)
    }

    @Test func `a 401 says that the session withheld its token from the API's origin`() async throws {
        let (gitHub, _) = gitHub([.init(.any, .status(.unauthorized))])
        let error = await #expect(throws: GitHubError.self) { try await gitHub.user() }
        #expect(error?.code == .notSignedIn && error?.explanation.contains("sent without a credential") == true)
    }

    @Test func `reads repositories page by page to the last page`() async throws {
        let (gitHub, transport) = gitHub([
            .init(.get("\(Self.api)/user/repos"), page([1, 2], next: "\(Self.api)/user/repos?page=2")),
            .init(.get("\(Self.api)/user/repos"), page([3], next: "/user/repos?page=3")),
            .init(.get("\(Self.api)/user/repos"), page([], next: nil)),
        ])
        let list = try await gitHub.repositories(perPage: 2)
        #expect(list.repositories.map(\.id) == [1, 2, 3])
        #expect(list.pageCount == 3)
        #expect(list.isComplete)
        #expect(transport.requests.map(\.head.path) == ["/user/repos?per_page=2", "/user/repos?page=2", "/user/repos?page=3"])
        try transport.verifyFinished()
    }

    @Test func `continues a list from the link of the last page it read`() async throws {
        let (gitHub, transport) = gitHub([
            .init(.get("/user/repos"), page([1, 2], next: "/user/repos?per_page=2&page=2")),
            .init(.get("/user/repos"), .failure(.connectionLost)),
            .init(.get("/user/repos"), page([3], next: nil)),
        ])
        let first = try await gitHub.repositoryPage(perPage: 2)
        #expect(first.repositories.map(\.id) == [1, 2])
        let position = try #require(first.next)
        await #expect(throws: GitHubError.self) { try await gitHub.repositoryPage(at: position) }
        let second = try await gitHub.repositoryPage(at: position)
        #expect(second.repositories.map(\.id) == [3])
        #expect(second.next == nil)
        let paths = ["/user/repos?per_page=2", "/user/repos?per_page=2&page=2", "/user/repos?per_page=2&page=2"]
        #expect(transport.requests.map(\.head.path) == paths)
        try transport.verifyFinished()
    }

    @Test(arguments: ["https://elsewhere.example/user/repos?page=2", "http://api.example.com/user/repos", "https://api.example.com:444/"])
    func `does not follow a next-page link to another host`(link: String) async throws {
        let (gitHub, transport) = gitHub([.init(.get("/user/repos"), page([1], next: link))])
        let error = await #expect(throws: GitHubError.self) { try await gitHub.repositories() }
        #expect(error?.code == .unexpectedResponse)
        #expect(transport.requests.count == 1)
    }

    @Test func `truncates an endless list and reports it`() async throws {
        let step = ScriptedTransport.Step(.get("/user/repos"), page([1], next: "\(Self.api)/user/repos?page=2"))
        let (gitHub, transport) = gitHub([step, step, step])
        let list = try await gitHub.repositories(maximumPages: 3)
        #expect(list.pageCount == 3)
        #expect(!list.isComplete)
        try transport.verifyFinished()
    }

    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedAnswer
        let code: GitHubError.Code
        var says = ""
        var retryAfter: Int?
    }

    private static func message(_ text: String) -> JSONValue { ["message": .string(text)] }

    private static let quota: HTTPFields = HTTPField.Name("X-RateLimit-Remaining").map { [$0: "0"] } ?? [:]

    static let failures: [Trouble] = [
        Trouble(
            testDescription: "401", answer: .json(message("Bad credentials"), status: .unauthorized), code: .notSignedIn,
            says: "401: Bad credentials"),
        Trouble(
            testDescription: "403", answer: .json(message("Resource not accessible"), status: .forbidden), code: .forbidden,
            says: "Resource not accessible"),
        Trouble(
            testDescription: "403 with an exhausted rate limit",
            answer: .json(message("API rate limit exceeded"), status: .forbidden, headers: quota),
            code: .rateLimited),
        Trouble(
            testDescription: "403 with Retry-After",
            answer: .json(message("Secondary limit"), status: .forbidden, headers: [.retryAfter: "60"]), code: .rateLimited, retryAfter: 60),
        Trouble(testDescription: "429", answer: .status(.tooManyRequests, headers: [.retryAfter: "7"]), code: .rateLimited, retryAfter: 7),
        Trouble(testDescription: "404", answer: .json(message("Not Found"), status: .notFound), code: .notFound),
        Trouble(
            testDescription: "502 with a web page", answer: .status(.badGateway, body: Array("<html>".utf8)), code: .refused, says: "502"),
        Trouble(
            testDescription: "a message with control characters",
            answer: .json(message("a\u{1B}[31mb"), status: .notFound), code: .notFound, says: ": a[31mb"),
        Trouble(testDescription: "not JSON", answer: .status(.ok, body: Array("hello".utf8)), code: .unexpectedResponse, says: "not JSON"),
        Trouble(testDescription: "not a user", answer: .json(["id": 1]), code: .unexpectedResponse, says: "no login"),
        Trouble(testDescription: "no network", answer: .failure(.cannotConnect), code: .notLoaded, says: "cannot connect"),
        Trouble(
            testDescription: "a response over 8 MiB", answer: .status(.ok, body: Array(repeating: 0x20, count: 8 * 1024 * 1024 + 1)),
            code: .unexpectedResponse, says: "larger"),
    ]

    @Test(arguments: failures)
    func `an error reports what the server said and what was expected`(row: Trouble) async throws {
        let (gitHub, _) = gitHub([.init(.get("/user"), row.answer)])
        let error = await #expect(throws: GitHubError.self) { try await gitHub.user() }
        #expect(error?.code == row.code)
        #expect(error?.retryAfter == row.retryAfter)
        #expect(error?.explanation.contains(row.says) == true, "\(error?.explanation ?? "")")
    }
}
