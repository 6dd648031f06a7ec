import AuthHubPrimitives
public import AuthHub
import HTTPLoading
import HTTPTypes

/// GitHub's REST API, asked by a session.
///
/// The session attaches its token where the API's origin is one that may see it; nothing here does.
public struct GitHub: Sendable {
    let session: OAuthSession
    let api: String

    /// The version of the API that the types here were written for.
    public static let apiVersion = "2022-11-28"

    /// GitHub's own limit for a page.
    private static let largestPage = 100
    /// An answer that is longer is not read.
    private static let answerLimit = 8 * 1024 * 1024

    /// - Parameters:
    ///   - session: Signed in to the GitHub whose API this is.
    ///   - api: Where the API is, without a slash at the end: `https://HOST/api/v3` for GitHub Enterprise Server.
    public init(session: OAuthSession, api: String = "https://api.github.com") {
        self.session = session
        self.api = api
    }
}

extension GitHub {
    /// The person who is signed in.
    ///
    /// - Throws: ``GitHubError``.
    public func user() async throws(GitHubError) -> User {
        let answer = try await get("\(api)/user", expecting: "the signed-in user")
        return try User(json: answer.json)
    }

    /// The repositories that the signed-in person can see, page by page to the last.
    ///
    /// A link to a next page is followed on the API's own origin only: whoever could choose another would be sent the token.
    ///
    /// - Parameters:
    ///   - selection: All of them, or only those that the user owns.
    ///   - perPage: How many repositories a page has, at most 100; nil leaves it to the server.
    ///   - maximumPages: How many pages are read; where there are more, the list says that it is not complete.
    /// - Throws: ``GitHubError``.
    public func repositories(
        _ selection: RepositorySelection = .all, perPage: Int? = 100, maximumPages: Int = 100
    ) async throws(GitHubError) -> RepositoryList {
        try await repositories(at: address(of: selection, perPage: perPage), maximumPages: maximumPages) { $0.array }
    }

    private func address(of selection: RepositorySelection, perPage: Int?) -> String {
        Self.address("\(api)/user/repos", [selection == .owned ? "affiliation=owner" : nil, perPage.map { "per_page=\($0)" }])
    }

    private static func address(_ address: String, _ parameters: [String?]) -> String {
        let query = parameters.compactMap(\.self).joined(separator: "&")
        return query.isEmpty ? address : "\(address)?\(query)"
    }

    /// The repositories that the signed-in person can reach by an installation of the GitHub App whose token the session has, page by page as
    /// ``repositories(_:perPage:maximumPages:)``.
    ///
    /// - Parameter installation: Its number, as `/user/installations` lists it.
    /// - Throws: ``GitHubError``.
    public func repositories(
        ofInstallation installation: Int64, perPage: Int? = 100, maximumPages: Int = 100
    ) async throws(GitHubError) -> RepositoryList {
        try await repositories(
            at: Self.address("\(api)/user/installations/\(installation)/repositories", [perPage.map { "per_page=\($0)" }]),
            maximumPages: maximumPages
        ) { $0["repositories"]?.array }
    }

    /// The signed-in person's e-mail addresses: with the scope `user:email`, or the permission of a GitHub App.
    ///
    /// - Throws: ``GitHubError``.
    public func emails() async throws(GitHubError) -> [EmailAddress] {
        let answer = try await get("\(api)/user/emails", expecting: "a list of e-mail addresses")
        guard let items = answer.json.array else {
            throw GitHubError(.unexpectedAnswer, "GitHub did not respond with a list of e-mail addresses")
        }
        var emails: [EmailAddress] = []
        for item in items { emails.append(try EmailAddress(json: item)) }
        return emails
    }

    private func repositories(
        at address: String, maximumPages: Int, items: (JSONValue) -> [JSONValue]?
    ) async throws(GitHubError) -> RepositoryList {
        var next: String? = address
        var list = RepositoryList(repositories: [], pageCount: 0, isComplete: true)
        while let url = next {
            guard list.pageCount < maximumPages else {
                list.isComplete = false
                break
            }
            let page = try await page(at: url, items: items)
            list.repositories += page.repositories
            list.pageCount += 1
            next = page.next?.url
        }
        return list
    }
}

extension GitHub {
    /// One page of the repositories that the signed-in person can see: for lists that are read on as the person does.
    ///
    /// - Parameters:
    ///   - selection: All of them, or only those that the user owns; of the first page, and by it of those that follow.
    ///   - position: What the page before gave as its ``RepositoryPage/next``; nil begins with the first page.
    ///   - perPage: How many repositories the first page has, and by it those that follow: at most 100; nil leaves it to the server.
    /// - Throws: ``GitHubError``.
    public func repositoryPage(
        _ selection: RepositorySelection = .all, at position: RepositoryPage.Position? = nil, perPage: Int? = nil
    ) async throws(GitHubError) -> RepositoryPage {
        try await page(at: position?.url ?? address(of: selection, perPage: perPage)) { $0.array }
    }

    private func page(at url: String, items: (JSONValue) -> [JSONValue]?) async throws(GitHubError) -> RepositoryPage {
        let answer = try await get(url, expecting: "a list of repositories")
        guard let items = items(answer.json) else {
            throw GitHubError(.unexpectedAnswer, "GitHub did not respond with a list of repositories")
        }
        guard items.count <= Self.largestPage else {
            throw GitHubError(.unexpectedAnswer, "GitHub responded with more than \(Self.largestPage) repositories at once")
        }
        var repositories: [Repository] = []
        for item in items { repositories.append(try Repository(json: item)) }
        return RepositoryPage(repositories: repositories, next: answer.next.map(RepositoryPage.Position.init))
    }
}

extension GitHub {
    private struct Answer {
        let json: JSONValue
        /// The address of the next page, which lies at the same origin.
        let next: String?
    }

    private func get(_ url: String, expecting expectation: String) async throws(GitHubError) -> Answer {
        let (request, response, bytes) = try await load(.get, url)
        guard response.status.code == 200 else {
            throw GitHubError(response.head, body: bytes, expecting: expectation, without: session.redaction)
        }
        guard let json = try? JSONValue(strict: bytes) else {
            throw GitHubError(.unexpectedAnswer, "GitHub's response, expected to be \(expectation), is not JSON")
        }
        return Answer(json: json, next: try nextPage(of: response.head, after: request.head))
    }

    func load(
        _ method: HTTPRequest.Method, _ url: String
    ) async throws(GitHubError) -> (request: LoadRequest, response: LoadResponse, bytes: [UInt8]) {
        do throws(LoadError) {
            var request = try LoadRequest(method, url, headers: Self.fields)
            // Another server could claim that anyone is signed in.
            request.options[RedirectScope.self] = .sameOrigin
            let response = try await session.load(request)
            return (request, response, try await response.body.collect(upTo: Self.answerLimit))
        } catch {
            throw GitHubError(error)
        }
    }

    private func nextPage(of response: HTTPResponse, after request: HTTPRequest) throws(GitHubError) -> String? {
        guard let link = LinkHeader(response.headerFields).links(rel: "next").first else { return nil }
        guard let target = link.target(from: request), Origin(url: target.url) == Origin(request) else {
            throw GitHubError(.unexpectedAnswer, "the link to the next page leaves the API and was not followed")
        }
        return target.url
    }

    private static let fields: HTTPFields = {
        var fields: HTTPFields = [.accept: "application/vnd.github+json"]
        if let version = HTTPField.Name("X-GitHub-Api-Version") { fields[version] = apiVersion }
        return fields
    }()
}
