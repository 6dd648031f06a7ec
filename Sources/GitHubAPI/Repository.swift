import AuthHubPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A repository as lists show it. Its texts are cleaned of characters that no terminal should see.
public struct Repository: Sendable, Hashable {
    public let id: Int64
    /// Owner and name: `octocat/hello-world`.
    public let fullName: String
    public let about: String?
    public let language: String?
    public let isPrivate: Bool
    public let stars: Int64
    public let updatedAt: Date?
    /// When something was last pushed to it; nil while it is empty.
    public let pushedAt: Date?
    /// Its page, for people.
    public let page: String?

    init(json: JSONValue) throws(GitHubError) {
        guard let id = json["id"]?.number?.int64, let fullName = json["full_name"]?.string, !fullName.isEmpty else {
            throw GitHubError(.unexpectedAnswer, "a repository in GitHub's response has no id or no name")
        }
        self.id = id
        self.fullName = displayable(fullName, limit: 200)
        about = json["description"]?.string.map { displayable($0, limit: 500) }
        language = json["language"]?.string.map { displayable($0, limit: 60) }
        isPrivate = json["private"]?.bool ?? false
        stars = json["stargazers_count"]?.number?.int64 ?? 0
        updatedAt = json["updated_at"]?.string.flatMap { try? Date($0, strategy: .iso8601) }
        pushedAt = json["pushed_at"]?.string.flatMap { try? Date($0, strategy: .iso8601) }
        page = json["html_url"]?.string.map { displayable($0, limit: 500) }
    }
}

/// Which repositories a list has.
public enum RepositorySelection: Sendable, Hashable, CaseIterable {
    /// All that the signed-in person can see: their own, and those of others and of organizations that they have access to.
    case all
    /// Only those that the signed-in person owns.
    case owned
}

/// Some of the repositories, and where the list goes on.
public struct RepositoryPage: Sendable, Hashable {
    /// Where a page begins, as the page before said: an address at the API's own origin.
    public struct Position: Sendable, Hashable {
        let url: String
    }

    public let repositories: [Repository]
    /// nil behind the last page.
    public let next: Position?
}

/// Repositories from one or more pages.
public struct RepositoryList: Sendable, Hashable {
    public internal(set) var repositories: [Repository]
    /// How many pages were read.
    public internal(set) var pageCount: Int
    /// Whether the last page was reached.
    public internal(set) var isComplete: Bool
}
