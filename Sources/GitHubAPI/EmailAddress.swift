import AuthHubPrimitives

/// An e-mail address of a person at GitHub.
public struct EmailAddress: Sendable, Hashable {
    /// The address itself.
    public let address: String
    /// Where GitHub sends what concerns the account; nil where it does not say.
    public let isPrimary: Bool?
    /// Whether the person has shown that it is theirs; nil where GitHub does not say.
    public let isVerified: Bool?

    /// Reads an object, or the text alone that older servers send.
    init(json: JSONValue) throws(GitHubError) {
        guard let address = json["email"]?.string ?? json.string, !address.isEmpty else {
            throw GitHubError(.unexpectedAnswer, "an e-mail address in GitHub's response has no email member")
        }
        self.address = displayable(address, limit: 320)
        isPrimary = json["primary"]?.bool
        isVerified = json["verified"]?.bool
    }
}
