import AuthHubPrimitives

/// A GitHub account.
public struct User: Sendable, Hashable {
    /// The ID, which stays the same if the login changes.
    public let id: Int64
    /// The user name, such as `octocat`, which the user can change.
    public let login: String
    /// The display name; nil if the user has none.
    public let name: String?
    /// The public e-mail address; nil for most users.
    public let email: String?
    /// The URL of the user's picture; nil if there is none. The picture is at another origin, so request it without the token.
    public let avatar: String?

    init(json: JSONValue) throws(GitHubError) {
        guard let id = json["id"]?.number?.int64, let login = json["login"]?.string, !login.isEmpty else {
            throw GitHubError(.unexpectedResponse, "GitHub's response has no user, because it has no id or no login")
        }
        self.id = id
        self.login = displayable(login, limit: 100)
        name = json["name"]?.displayString.map { displayable($0, limit: 255) }
        email = json["email"]?.displayString.map { displayable($0, limit: 255) }
        avatar = json["avatar_url"]?.displayString.map { displayable($0, limit: 500) }
    }
}
