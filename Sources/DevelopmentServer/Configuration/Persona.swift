extension DevelopmentAuthorizationServer {
    /// Whose habits the server has: its paths, its errors, its tokens.
    public enum Persona: String, Sendable, Hashable, CaseIterable {
        /// GitHub: form-encoded answers, errors with status 200, no metadata, comma-separated scopes, a secret even with PKCE.
        case gitHub = "github"
        /// An OpenID provider that follows RFC 6749, RFC 7009, RFC 8414, RFC 9207 and OpenID Connect Core 1.0 to the letter.
        case openID = "openid"
    }
}

extension DevelopmentAuthorizationServer.Persona {
    var authorizationPath: String {
        switch self {
        case .gitHub: "/login/oauth/authorize"
        case .openID: "/authorize"
        }
    }

    var tokenPath: String {
        switch self {
        case .gitHub: "/login/oauth/access_token"
        case .openID: "/token"
        }
    }

    /// The scopes that can be asked for.
    var scopes: [String] {
        switch self {
        case .gitHub:
            [
                "repo", "public_repo", "user", "read:user", "user:email", "read:org", "gist", "notifications", "workflow", "delete_repo",
            ]
        case .openID: ["openid", "profile", "email", "offline_access", "user", "repo"]
        }
    }
}
