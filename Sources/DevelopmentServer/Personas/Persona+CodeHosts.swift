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

    /// Gitea: refresh tokens can be used again, and clients may use any kind of client authentication.
    package static let gitea = provider(
        "gitea", authorization: "/login/oauth/authorize", token: "/login/oauth/access_token", account: "/api/v1/user",
        scopes: ["read:user", "write:repository"]
    ) { persona in
        persona.addresses.userInfo = "/login/oauth/userinfo"
        persona.tokenRequests.clientAuthentication = [.none, .basic, .post]
        persona.tokens.rotatesRefreshTokens = false
    }

    /// Forgejo, which is based on Gitea.
    package static let forgejo = {
        var persona = gitea
        persona.name = "forgejo"
        return persona
    }()

    /// Azure DevOps: users sign in at Microsoft Entra, and the scope names the resource.
    package static let azureDevOps = provider(
        "azure-devops", authorization: "/organizations/oauth2/v2.0/authorize", token: "/organizations/oauth2/v2.0/token",
        account: "/_apis/profile/profiles/me", scopes: ["499b84ac-1321-427f-aa17-267ca6975798/.default", "offline_access"]
    ) { persona in
        persona.tokenRequests.clientAuthentication = [.none, .post]
        persona.tokens.refreshTokens = .forScope("offline_access")
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
