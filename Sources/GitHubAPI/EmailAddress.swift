import AuthHubPrimitives

/// An e-mail address of a GitHub user.
public struct EmailAddress: Sendable, Hashable {
    /// The e-mail address, such as `octocat@github.com`.
    public let address: String
    /// Whether GitHub sends account-related messages to this address; nil if GitHub does not report it.
    public let isPrimary: Bool?
    /// Whether the user has verified the address; nil if GitHub does not report it.
    public let isVerified: Bool?

    /// Reads an object, or the bare string that older servers send.
    init(json: JSONValue) throws(GitHubError) {
        guard let address = json["email"]?.string ?? json.string, !address.isEmpty else {
            throw GitHubError(.unexpectedResponse, "an e-mail address in GitHub's response has no email member")
        }
        self.address = displayable(address, limit: 320)
        isPrimary = json["primary"]?.bool
        isVerified = json["verified"]?.bool
    }
}
