import AuthHubPrimitives

extension Persona {
    /// GitHub, with its API under `/api/v3`.
    package static let gitHubEnterprise = {
        var persona = gitHub
        persona.name = "github-enterprise"
        persona.addresses.account = "/api/v3/user"
        persona.revocation = .gitHubApplications(under: "/api/v3")
        return persona
    }()

    /// GitLab: single-use refresh tokens; otherwise follows the standards.
    package static let gitLab = provider(
        "gitlab", authorization: "/oauth/authorize", token: "/oauth/token", account: "/api/v4/user",
        scopes: ["read_user", "api", "openid", "profile", "email"]
    ) { persona in
        persona.addresses.keys = "/oauth/discovery/keys"
        persona.addresses.userInfo = "/oauth/userinfo"
        persona.openIDConnect.algorithm = .rs256
        persona.openIDConnect.hasUserClaimsInIDToken = true
        persona.revocation = .standard(path: "/oauth/revoke")
    }

    /// Bitbucket: only HTTP Basic, `scopes` instead of `scope`, permanent refresh tokens.
    package static let bitbucket = provider(
        "bitbucket", authorization: "/site/oauth2/authorize", token: "/site/oauth2/access_token", account: "/2.0/user",
        scopes: ["account", "repository"]
    ) { persona in
        persona.authorization.codeChallenge = .ignored
        persona.tokenRequests.clientAuthentication = [.basic]
        persona.tokenAnswers.grantedScopeName = "scopes"
        persona.tokens.rotatesRefreshTokens = false
    }

    /// Atlassian: requests in JSON, an explicit audience, refresh tokens if a scope is requested.
    package static let atlassian = provider(
        "atlassian", authorization: "/authorize", token: "/oauth/token", account: "/me", scopes: ["read:me", "offline_access"]
    ) { persona in
        persona.authorization.requiredParameters = ["audience": "api.atlassian.com", "prompt": "consent"]
        persona.tokenRequests.encodings = [.json]
        persona.tokenRequests.clientAuthentication = [.post]
        persona.tokens.refreshTokens = .forScope("offline_access")
    }
}
