import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import GitHubAPI
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Testing

/// E-mail addresses, repositories of installations, stars.
struct GitHubMoreTests {
    private static let api = "https://api.example.com"

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

    @Test func `RS14: does not follow a redirect when asking who is signed in`() async throws {
        let (gitHub, transport) = gitHub([.init(.get("/user"), .redirect(.found, to: "https://evil.example/user"))])
        let error = await #expect(throws: GitHubError.self) { try await gitHub.user() }
        #expect((error?.underlying as? LoadError)?.code == .redirectRefused)
        #expect(transport.requests.count == 1)
    }

    @Test func `reads e-mail addresses as objects, or as strings from older servers`() async throws {
        let (gitHub, _) = gitHub([
            .init(
                .get("/user/emails"),
                .json([["email": "octo\u{202E}cat@example.com", "primary": true, "verified": false, "visibility": nil], "old@example.com"]))
        ])
        let emails = try await gitHub.emails()
        #expect(emails.map(\.address) == ["octocat@example.com", "old@example.com"])
        #expect(emails.map(\.isPrimary) == [true, nil] && emails.map(\.isVerified) == [false, nil])
    }

    @Test(arguments: [
        ("the request needs one more scope", "gist, repo", "admin:org, read:org", ["gist", "repo", "admin:org"]),
        ("any of the accepted scopes is enough", "read:org", "admin:org, read:org", []), ("GitHub names none", "repo", "", []),
        ("the token has none", "", "user", ["user"]),
    ])
    func `names the scopes that a rejected request requires`(
        description: String, own: String, accepted: String, required: [String]
    ) async throws {
        var fields: HTTPFields = [:]
        fields[try #require(HTTPField.Name("X-OAuth-Scopes"))] = own
        fields[try #require(HTTPField.Name("X-Accepted-OAuth-Scopes"))] = accepted
        let (gitHub, _) = gitHub([
            .init(.get("/user/emails"), .json(["message": "Resource not accessible"], status: .forbidden, headers: fields))
        ])
        let error = await #expect(throws: GitHubError.self) { try await gitHub.emails() }
        #expect(error?.code == .forbidden && error?.requiredScopes == required, "\(description)")
    }

    @Test func `reads the repositories of an installation from the member repositories`() async throws {
        let (gitHub, transport) = gitHub([
            .init(
                .get("/user/installations/7/repositories"),
                .json(["total_count": 1, "repositories": [["id": 1, "full_name": "octocat/r1"]]]))
        ])
        let list = try await gitHub.repositories(ofInstallation: 7)
        #expect(list.repositories.map(\.fullName) == ["octocat/r1"] && list.isComplete)
        #expect(transport.requests.map(\.head.path) == ["/user/installations/7/repositories?per_page=100"])
    }

    @Test func `adds, checks and removes a star`() async throws {
        let (gitHub, transport) = gitHub([
            .init(RequestMatcher(.put, "/user/starred/octocat/hello-world"), .status(.noContent)),
            .init(.get("/user/starred/octocat/hello-world"), .status(.noContent)),
            .init(RequestMatcher(.delete, "/user/starred/octocat/hello-world"), .status(.noContent)),
            .init(.get("/user/starred/octocat/hello-world"), .json(["message": "Not Found"], status: .notFound)),
            .init(RequestMatcher(.put, "/user/starred/octocat/secret"), .json(["message": "Not Found"], status: .notFound)),
        ])
        try await gitHub.star("octocat/hello-world")
        #expect(try await gitHub.hasStarred("octocat/hello-world"))
        try await gitHub.unstar("octocat/hello-world")
        #expect(try await !gitHub.hasStarred("octocat/hello-world"))
        let error = await #expect(throws: GitHubError.self) { try await gitHub.star("octocat/secret") }
        #expect(error?.code == .notFound)
        try transport.verifyFinished()
    }

    @Test(arguments: ["", "octocat", "octocat/", "octocat/a/b", "../user", "octocat/..", "octocat/a?b", "octocat/a%2F", "octocat/a b"])
    func `sends no request if the repository name is invalid`(name: String) async throws {
        let (gitHub, transport) = gitHub([])
        let error = await #expect(throws: GitHubError.self) { try await gitHub.star(name) }
        #expect(error?.code == .notFound)
        #expect(transport.requests.isEmpty)
    }

    // MARK: What GitHub has answered

    /// The folder with the test vectors, which is outside the package; nil if it is missing.
    private static let vectors: String? = {
        let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let folder = ProcessInfo.processInfo.environment["AUTHHUB_VECTORS"] ?? "/\(package)/../shared/vectors"
        return FileManager.default.fileExists(atPath: "\(folder)/github") ? folder : nil
    }()

    /// The body of the first response in a recording.
    private func recorded(_ name: String) throws -> JSONValue {
        let file = try Data(contentsOf: URL(filePath: "\(try #require(Self.vectors))/github/\(name).json"))
        return try #require(try JSONValue(strict: Array(file)).array?.first?["response"]?["body"])
    }

    @Test(.enabled(if: vectors != nil, "no vectors at AUTHHUB_VECTORS, nor beside the package"))
    func `reads recorded responses of GitHub`() async throws {
        let (gitHub, _) = gitHub([
            .init(.get("/user/emails"), .json(try recorded("user-emails"))),
            .init(.get("/user/installations/1/repositories"), .json(try recorded("app-user-installation-repositories"))),
            .init(.get("/user"), .json(try recorded("user-authenticated"))),
            .init(.get("/user/repos"), .json(try recorded("repositories-authenticated"))),
        ])
        let emails = try await gitHub.emails()
        #expect(emails.count == 2 && emails.allSatisfy { $0.address.contains("@") })
        let installed = try await gitHub.repositories(ofInstallation: 1)
        #expect(installed.repositories.isEmpty && installed.isComplete)
        let user = try await gitHub.user()
        #expect(!user.login.isEmpty)
        let own = try await gitHub.repositories()
        #expect(!own.repositories.isEmpty)
    }
}
