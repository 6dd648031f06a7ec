import AuthHubPrimitives

/// A person's account at GitHub.
public struct User: Sendable, Hashable {
    /// Stays when the login changes.
    public let id: Int64
    public let login: String
    public let name: String?
    /// The public address; nil for most.
    public let email: String?
    /// The address of their picture, which is another origin's: load it without the token.
    public let avatar: String?

    init(json: JSONValue) throws(GitHubError) {
        guard let id = json["id"]?.number?.int64, let login = json["login"]?.string, !login.isEmpty else {
            throw GitHubError(.unexpectedAnswer, "GitHub's response has no user, because it has no id or no login")
        }
        self.id = id
        self.login = displayable(login, limit: 100)
        name = json["name"]?.string.map { displayable($0, limit: 255) }
        email = json["email"]?.string.map { displayable($0, limit: 255) }
        avatar = json["avatar_url"]?.string.map { displayable($0, limit: 500) }
    }
}
