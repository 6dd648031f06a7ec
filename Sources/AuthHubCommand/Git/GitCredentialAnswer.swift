import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

/// What a credential helper writes for git: one attribute on each line.
struct GitCredentialAnswer: Sendable {
    private(set) var lines: [Secret<String>] = []

    /// The start of a state that this helper wrote, with the version of its format.
    private static let statePrefix = "authhub:1:"
    /// How much earlier than the server git considers a token expired, in seconds.
    private static let expiryMargin: Double = 30

    /// Creates the answer.
    ///
    /// - Parameters:
    ///   - token: The token. If the server has rejected it, the caller refreshes it first.
    ///   - git: How the provider accepts the token.
    init(_ request: GitCredentialRequest, token: AccessToken, git: ProviderQuirks.GitQuirks, now: Date) {
        let usesScheme = request.acceptsSchemes && request.offersBearer
        // If the server rejects the token, git returns the state in one more request before it fails.
        let asksAgain = request.acceptsState && Self.rejected(in: request) == nil
        if usesScheme { add("capability[]", "authtype") }
        if asksAgain { add("capability[]", "state") }
        if usesScheme {
            add("authtype", token.type.rawValue)
            add("credential", token.value.reveal())
            add("ephemeral", "1")
        } else {
            add("username", Self.userName(for: request, git))
            add("password", token.value.reveal())
        }
        if let end = token.expiresAt?.addingTimeInterval(-Self.expiryMargin), end > now {
            add("password_expiry_utc", String(Int64(end.timeIntervalSince1970)))
        }
        if asksAgain {
            add("continue", "1")
            add("state[]", Self.statePrefix + token.fingerprint)
        }
    }

    /// The fingerprint of the token that the server has just rejected, if git returns our state; nil for a first request.
    static func rejected(in request: GitCredentialRequest) -> String? {
        request.states.last { $0.hasPrefix(statePrefix) }.map { String($0.dropFirst(statePrefix.count)) }
    }

    /// The user names that stand for any user if the password is a token, so that they do not select an account.
    static let sharedUserNames: Set<String> = ["oauth2", "x-access-token", "x-token-auth"]

    /// Returns the user name that the provider requires. If the provider ignores the name, returns the one in the URL, because git shows the
    /// returned name in its messages.
    private static func userName(for request: GitCredentialRequest, _ git: ProviderQuirks.GitQuirks) -> String {
        let own = git.userName ?? "oauth2"
        return git.ignoresUserName ? request.userName ?? own : own
    }

    private mutating func add(_ name: String, _ value: String) {
        lines.append(Secret("\(name)=\(value)"))
    }

    /// The text to write.
    var text: Secret<String> { Secret(lines.map { $0.reveal() + "\n" }.joined()) }
}
