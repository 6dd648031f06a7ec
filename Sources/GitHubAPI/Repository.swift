import AuthHubPrimitives
public import Platform

/// A repository in a list. The strings are sanitized for display in a terminal.
public struct Repository: Sendable, Hashable {
    public let id: Int64
    /// The owner and name, such as `octocat/hello-world`.
    public let fullName: String
    /// The description; nil if there is none.
    public let about: String?
    /// The main programming language; nil if there is none.
    public let language: String?
    /// Whether the repository is private; false if the response does not say.
    public let isPrivate: Bool
    /// The number of stars; 0 if the response does not say.
    public let stars: Int64
    /// The time of the last update, from GitHub's `updated_at`; nil if the response has no valid time.
    public let updatedAt: Date?
    /// The time of the last push; nil if the repository is empty.
    public let pushedAt: Date?
    /// The URL of the repository's web page; nil if the response has none.
    public let page: String?

    init(json: JSONValue) throws(GitHubError) {
        guard let id = json["id"]?.number?.int64, let fullName = json["full_name"]?.string, !fullName.isEmpty else {
            throw GitHubError(.unexpectedResponse, "a repository in GitHub's response has no id or no name")
        }
        self.id = id
        self.fullName = displayable(fullName, limit: 200)
        about = json["description"]?.displayString.map { displayable($0, limit: 500) }
        language = json["language"]?.displayString.map { displayable($0, limit: 60) }
        isPrivate = json["private"]?.bool ?? false
        stars = json["stargazers_count"]?.number?.int64 ?? 0
        updatedAt = json["updated_at"]?.string.flatMap { try? Date($0, strategy: .iso8601) }
        pushedAt = json["pushed_at"]?.string.flatMap { try? Date($0, strategy: .iso8601) }
        page = json["html_url"]?.displayString.map { displayable($0, limit: 500) }
    }
}

/// Which repositories to list.
public enum RepositorySelection: Sendable, Hashable, CaseIterable {
    /// All repositories that the signed-in user can see: the user's own, and those of other users and organizations that the user has
    /// access to.
    case all
    /// Only repositories that the signed-in user owns.
    case owned
}

/// A page of repositories, and the position of the next page.
package struct RepositoryPage: Sendable, Hashable {
    /// The position of a page, as given by the previous page: a URL at the API's own origin.
    package struct Position: Sendable, Hashable {
        let url: String
    }

    /// The repositories on this page, in GitHub's order.
    public let repositories: [Repository]
    /// Whether private repositories are missing, because the token's scopes do not include GitHub's scope `repo`.
    public let lacksPrivate: Bool
    /// The position of the next page; nil for the last page.
    package let next: Position?
}

/// The repositories on one or more pages of a list.
public struct RepositoryList: Sendable, Hashable {
    /// The repositories on all pages that were read, in GitHub's order.
    public internal(set) var repositories: [Repository]
    /// The number of pages that were read.
    package internal(set) var pageCount: Int
    /// Whether the last page was read.
    public internal(set) var isComplete: Bool
    /// Whether private repositories are missing, because the token's scopes do not include GitHub's scope `repo`.
    public internal(set) var lacksPrivate: Bool
}
