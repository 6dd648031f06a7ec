import AuthHubPrimitives

extension ProviderProfile {
    /// Creates a profile for GitLab.com or a self-managed GitLab. Each refresh token can be used once. The issuer of ID tokens is the URL of
    /// the server. Documentation: "OAuth 2.0 identity provider API", "GitLab as OpenID Connect identity provider".
    ///
    /// - Parameters:
    ///   - base: The base URL of the server: `https://HOST`, without a trailing slash.
    ///   - transport: The policy for the URL; by default, only https is allowed.
    public static func gitLab(base: String = "https://gitlab.com", transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = Self(
            name: "gitlab", displayName: "GitLab", issuer: base,
            endpoints: Endpoints(
                authorization: "\(base)/oauth/authorize", token: "\(base)/oauth/token", revocation: "\(base)/oauth/revoke",
                deviceAuthorization: "\(base)/oauth/authorize_device", userInfo: "\(base)/oauth/userinfo",
                introspection: "\(base)/oauth/introspect", jwks: "\(base)/oauth/discovery/keys"))
        profile.transport = transport
        profile.accountEndpoint = "\(base)/api/v4/user"
        profile.baseURL = "\(base)/api/v4"
        profile.quirks.account = .init(id: "id", name: "username")
        profile.defaultScope = ["openid", "profile", "email", "read_user"]
        profile.clientAuthentication = .post
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.refreshTokens = .rotated
        profile.quirks.git.userName = "oauth2"
        profile.quirks.registration.documentation = "OAuth 2.0 identity provider API (docs.gitlab.com)"
        profile.quirks.registration.page = "\(base)/-/user_settings/applications"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort, .customScheme]
        profile.quirks.registration.notes = [
            "A client without a secret must not be marked as confidential.",
            "Select the scopes openid, profile, email and read_user: GitLab rejects a scope that is not selected.",
        ]
        return profile
    }

    /// Creates a profile for Gitea.com or a self-hosted Gitea. Documentation: "OAuth2 provider" of Gitea.
    ///
    /// - Parameters:
    ///   - base: The base URL of the server: `https://HOST`, without a trailing slash.
    ///   - transport: The policy for the URL; by default, only https is allowed.
    public static func gitea(base: String = "https://gitea.com", transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = Self(
            name: "gitea", displayName: "Gitea",
            endpoints: Endpoints(
                authorization: "\(base)/login/oauth/authorize", token: "\(base)/login/oauth/access_token",
                userInfo: "\(base)/login/oauth/userinfo"))
        profile.transport = transport
        profile.accountEndpoint = "\(base)/api/v1/user"
        profile.baseURL = "\(base)/api/v1"
        profile.quirks.account = .init(id: "id", name: "login")
        profile.defaultScope = ["read:user", "write:repository"]
        profile.clientAuthentication = .post
        profile.revocation = .none
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.refreshTokens = .kept
        profile.quirks.git.userName = "oauth2"
        profile.quirks.git.ignoresUserName = true
        profile.quirks.registration.documentation = "OAuth2 provider (docs.gitea.com)"
        profile.quirks.registration.page = "\(base)/user/settings/applications"
        profile.quirks.registration.redirectURIs = [.loopbackAnyPort, .https]
        profile.quirks.registration.notes = ["A client without a secret must not be marked as confidential."]
        return profile
    }

    /// Creates a profile for Codeberg or another Forgejo. Forgejo ignores scopes: its tokens allow everything that the user may do.
    /// Documentation: "OAuth2 provider" of Forgejo.
    ///
    /// - Parameters:
    ///   - base: The base URL of the server: `https://HOST`, without a trailing slash.
    ///   - transport: The policy for the URL; by default, only https is allowed.
    public static func forgejo(base: String = "https://codeberg.org", transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = gitea(base: base, transport: transport)
        profile.name = "forgejo"
        profile.displayName = "Forgejo"
        profile.quirks.registration.documentation = "OAuth2 provider (forgejo.org)"
        return profile
    }

    /// Creates a profile for Azure DevOps, whose users sign in at Microsoft Entra. Documentation: "Microsoft Entra OAuth" of Azure DevOps.
    ///
    /// - Parameter tenant: The tenant's ID or domain; by default, users of all organizations.
    public static func azureDevOps(tenant: String = "organizations") -> Self {
        let base = "https://login.microsoftonline.com/\(tenant)/oauth2/v2.0"
        var profile = Self(
            name: "azure-devops", displayName: "Azure DevOps",
            endpoints: Endpoints(authorization: "\(base)/authorize", token: "\(base)/token", deviceAuthorization: "\(base)/devicecode"))
        profile.accountEndpoint = "https://app.vssps.visualstudio.com/_apis/profile/profiles/me"
        profile.baseURL = "https://dev.azure.com"
        profile.quirks.account = .init(id: "id", name: "displayName")
        // All permissions for Azure DevOps that the client is registered with.
        profile.defaultScope = ["499b84ac-1321-427f-aa17-267ca6975798/.default", "offline_access"]
        profile.clientAuthentication = .post
        profile.revocation = .none
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.refreshTokens = .rotated
        profile.quirks.git.userName = "oauth2"
        profile.quirks.git.ignoresUserName = true
        profile.quirks.git.origins = [Origin(scheme: "https", host: "dev.azure.com", port: 443)]
        profile.quirks.registration.documentation = "Microsoft Entra OAuth (learn.microsoft.com/azure/devops)"
        profile.quirks.registration.page = "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps"
        profile.quirks.registration.redirectURIs = [.localhost, .customScheme, .https]
        profile.quirks.registration.notes = ["Add the API permission user_impersonation of Azure DevOps, or the permissions you need."]
        return profile
    }

    /// Bitbucket Cloud. Clients authenticate with HTTP Basic only. The scopes are chosen when the OAuth consumer is registered; the
    /// response lists the granted ones in `scopes`. Documentation: "OAuth 2.0" of Bitbucket Cloud.
    public static let bitbucket = {
        var profile = Self(
            name: "bitbucket", displayName: "Bitbucket",
            endpoints: Endpoints(
                authorization: "https://bitbucket.org/site/oauth2/authorize", token: "https://bitbucket.org/site/oauth2/access_token"))
        profile.accountEndpoint = "https://api.bitbucket.org/2.0/user"
        profile.baseURL = "https://api.bitbucket.org/2.0"
        profile.quirks.account = .init(id: "uuid", name: "display_name")
        profile.defaultScope = ["account"]
        profile.clientAuthentication = .basic
        profile.revocation = .none
        profile.quirks.responses.scope = "scopes"
        profile.quirks.refreshTokens = .kept
        profile.quirks.git.userName = "x-token-auth"
        profile.quirks.registration.documentation = "OAuth 2.0 (developer.atlassian.com, Bitbucket Cloud)"
        profile.quirks.registration.page = "https://bitbucket.org/WORKSPACE/workspace/settings/api"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort]
        profile.quirks.registration.secret = .required
        return profile
    }()

    /// Atlassian Cloud (Jira, Confluence). Requests are JSON, and authorization requests must contain an audience. Each refresh token can
    /// be used once. Documentation: "OAuth 2.0 (3LO) apps".
    public static let atlassian = {
        var profile = Self(
            name: "atlassian", displayName: "Atlassian",
            endpoints: Endpoints(
                authorization: "https://auth.atlassian.com/authorize", token: "https://auth.atlassian.com/oauth/token"))
        profile.accountEndpoint = "https://api.atlassian.com/me"
        profile.quirks.account = .init(id: "account_id", name: "name")
        profile.defaultScope = ["read:me", "offline_access"]
        profile.clientAuthentication = .post
        profile.authorizationParameters = ["audience": "api.atlassian.com", "prompt": "consent"]
        profile.revocation = .none
        profile.quirks.requests.encoding = .json
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "OAuth 2.0 (3LO) apps (developer.atlassian.com)"
        profile.quirks.registration.page = "https://developer.atlassian.com/console/myapps/"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = ["Refresh tokens need the scope offline_access."]
        return profile
    }()
}
