import AuthHubPrimitives
public import AuthHub
import HTTPLoading
import HTTPTypes

/// GitHub's REST API, called with a session.
///
/// The session adds its token to requests if the API's origin is allowed to receive it. This module never handles the token itself.
public struct GitHub: Sendable {
    let session: OAuthSession
    let api: String

    /// The version of the API that the types of this module were written for.
    package static let apiVersion = "2022-11-28"

    /// The maximum page size that GitHub allows.
    private static let largestPage = 100
    /// The maximum size of a response, in bytes.
    private static let answerLimit = 8 * 1024 * 1024

    /// Creates a client for the API.
    ///
    /// - Parameters:
    ///   - session: A session at the GitHub server that this API belongs to.
    ///   - api: The URL of the API without a trailing slash; `https://HOST/api/v3` for GitHub Enterprise Server.
    public init(session: OAuthSession, api: String = "https://api.github.com") {
        self.session = session
        self.api = api
    }
}

extension GitHub {
    /// Returns the signed-in user.
    ///
    /// - Throws: ``GitHubError``.
    public func user() async throws(GitHubError) -> User {
        let answer = try await get("\(api)/user", expecting: "the signed-in user")
        return try User(json: answer.json)
    }

    /// Returns the repositories that the signed-in user can see, reading all pages.
    ///
    /// Links to a next page are followed only within the API's own origin, so that no other server receives the token.
    ///
    /// - Parameters:
    ///   - selection: Whether to list all repositories, or only those that the user owns.
    ///   - perPage: The number of repositories per page, at most 100; nil for the server's default.
    ///   - maximumPages: The maximum number of pages to read. If there are more pages, ``RepositoryList/isComplete`` is false.
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

    /// Returns the repositories that the signed-in user can access through an installation of a GitHub App. The session's token must belong
    /// to that app. Reads pages as ``repositories(_:perPage:maximumPages:)`` does.
    ///
    /// - Parameter installation: The installation's ID, as listed by `/user/installations`.
    /// - Throws: ``GitHubError``.
    public func repositories(
        ofInstallation installation: Int64, perPage: Int? = 100, maximumPages: Int = 100
    ) async throws(GitHubError) -> RepositoryList {
        try await repositories(
            at: Self.address("\(api)/user/installations/\(installation)/repositories", [perPage.map { "per_page=\($0)" }]),
            maximumPages: maximumPages
        ) { $0["repositories"]?.array }
    }

    /// Returns the signed-in user's e-mail addresses. Requires the scope `user:email`, or for a GitHub App the permission to read them.
    ///
    /// - Throws: ``GitHubError``.
    public func emails() async throws(GitHubError) -> [EmailAddress] {
        let answer = try await get("\(api)/user/emails", expecting: "a list of e-mail addresses")
        guard let items = answer.json.array else {
            throw GitHubError(.unexpectedResponse, "GitHub did not respond with a list of e-mail addresses")
        }
        var emails: [EmailAddress] = []
        for item in items { emails.append(try EmailAddress(json: item)) }
        return emails
    }

    private func repositories(
        at address: String, maximumPages: Int, items: (JSONValue) -> [JSONValue]?
    ) async throws(GitHubError) -> RepositoryList {
        var next: String? = address
        var list = RepositoryList(repositories: [], pageCount: 0, isComplete: true, lacksPrivate: false)
        while let url = next {
            guard list.pageCount < maximumPages else {
                list.isComplete = false
                break
            }
            let page = try await page(at: url, items: items)
            list.repositories += page.repositories
            list.pageCount += 1
            list.lacksPrivate = page.lacksPrivate
            next = page.next?.url
        }
        return list
    }
}

extension GitHub {
    /// Returns one page of the repositories that the signed-in user can see, for lists that load more as the user scrolls.
    ///
    /// - Parameters:
    ///   - selection: Whether to list all repositories, or only those that the user owns. It applies to the first page; the URLs of
    ///     later pages include it.
    ///   - position: The ``RepositoryPage/next`` of the previous page; nil for the first page.
    ///   - perPage: The number of repositories on the first page and all later ones, at most 100; nil for the server's default.
    /// - Throws: ``GitHubError``.
    package func repositoryPage(
        _ selection: RepositorySelection = .all, at position: RepositoryPage.Position? = nil, perPage: Int? = nil
    ) async throws(GitHubError) -> RepositoryPage {
        try await page(at: position?.url ?? address(of: selection, perPage: perPage)) { $0.array }
    }

    private func page(at url: String, items: (JSONValue) -> [JSONValue]?) async throws(GitHubError) -> RepositoryPage {
        let answer = try await get(url, expecting: "a list of repositories")
        guard let items = items(answer.json) else {
            throw GitHubError(.unexpectedResponse, "GitHub did not respond with a list of repositories")
        }
        guard items.count <= Self.largestPage else {
            throw GitHubError(.unexpectedResponse, "GitHub responded with more than \(Self.largestPage) repositories at once")
        }
        var repositories: [Repository] = []
        for item in items { repositories.append(try Repository(json: item)) }
        return RepositoryPage(
            repositories: repositories, lacksPrivate: answer.lacksScope("repo"), next: answer.next.map(RepositoryPage.Position.init))
    }
}

extension GitHub {
    private struct Answer {
        let json: JSONValue
        /// The URL of the next page, at the same origin.
        let next: String?
        let scopes: [Substring]

        /// Whether GitHub named the token's scopes, and this one is not among them. It names none for the tokens of GitHub Apps.
        func lacksScope(_ name: Substring) -> Bool {
            !scopes.isEmpty && !scopes.contains(name)
        }
    }

    private func get(_ url: String, expecting expectation: String) async throws(GitHubError) -> Answer {
        let (request, response, bytes) = try await load(.get, url)
        guard response.status.code == 200 else {
            throw GitHubError(response, body: bytes, expecting: expectation, without: session.redaction)
        }
        guard let json = try? JSONValue(received: bytes) else {
            throw GitHubError(.unexpectedResponse, "GitHub's response, expected to be \(expectation), is not JSON")
        }
        let scopes = Self.scopesField.flatMap { response.head.headerFields[$0] } ?? ""
        return Answer(
            json: json, next: try nextPage(of: response.head, after: request.head),
            scopes: scopes.split { $0 == "," || $0 == " " })
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
        let header = LinkHeader(response.headerFields)
        guard let link = header.links(rel: "next").first else {
            guard header.isWhole else { throw GitHubError(.unexpectedResponse, "the links to other pages are malformed") }
            return nil
        }
        guard let target = link.target(from: request), Origin(url: target.url) == Origin(request) else {
            throw GitHubError(.unexpectedResponse, "the link to the next page leaves the API and was not followed")
        }
        return target.url
    }

    private static let scopesField = HTTPField.Name("X-OAuth-Scopes")

    private static let fields: HTTPFields = {
        var fields: HTTPFields = [.accept: "application/vnd.github+json"]
        if let version = HTTPField.Name("X-GitHub-Api-Version") { fields[version] = apiVersion }
        return fields
    }()
}
