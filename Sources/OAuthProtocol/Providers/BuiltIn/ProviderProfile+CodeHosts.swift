import AuthHubPrimitives

extension ProviderProfile {
    /// GitLab.com, or a GitLab of one's own. Refresh tokens are used once. Documentation: "OAuth 2.0 identity provider API".
    ///
    /// - Parameter base: `https://HOST`, without a slash at the end.
    public static func gitLab(base: String = "https://gitlab.com", transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = Self(
            name: "gitlab", displayName: "GitLab", issuer: base,
            endpoints: Endpoints(
                authorization: "\(base)/oauth/authorize", token: "\(base)/oauth/token", revocation: "\(base)/oauth/revoke",
                deviceAuthorization: "\(base)/oauth/authorize_device", userInfo: "\(base)/oauth/userinfo",
                introspection: "\(base)/oauth/introspect"))
        profile.transport = transport
        profile.accountEndpoint = "\(base)/api/v4/user"
        profile.defaultScope = ["read_user"]
        profile.clientAuthentication = .post
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "OAuth 2.0 identity provider API (docs.gitlab.com)"
        profile.quirks.registration.page = "\(base)/-/user_settings/applications"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort, .customScheme]
        profile.quirks.registration.notes = ["A client without a secret must not be marked as confidential."]
        return profile
    }

    /// Bitbucket Cloud. Basic alone; what was granted is told as `scopes`, and was chosen where the consumer is registered.
    /// Documentation: "OAuth 2.0" of Bitbucket Cloud.
    public static let bitbucket = {
        var profile = Self(
            name: "bitbucket", displayName: "Bitbucket",
            endpoints: Endpoints(
                authorization: "https://bitbucket.org/site/oauth2/authorize", token: "https://bitbucket.org/site/oauth2/access_token"))
        profile.accountEndpoint = "https://api.bitbucket.org/2.0/user"
        profile.defaultScope = ["account"]
        profile.clientAuthentication = .basic
        profile.revocation = .none
        profile.quirks.responses.scope = "scopes"
        profile.quirks.refreshTokens = .kept
        profile.quirks.registration.documentation = "OAuth 2.0 (developer.atlassian.com, Bitbucket Cloud)"
        profile.quirks.registration.page = "https://bitbucket.org/WORKSPACE/workspace/settings/api"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort]
        profile.quirks.registration.secret = .required
        return profile
    }()

    /// Atlassian Cloud (Jira, Confluence). Requests are JSON; the audience has to be named; refresh tokens are used once.
    /// Documentation: "OAuth 2.0 (3LO) apps".
    public static let atlassian = {
        var profile = Self(
            name: "atlassian", displayName: "Atlassian",
            endpoints: Endpoints(
                authorization: "https://auth.atlassian.com/authorize", token: "https://auth.atlassian.com/oauth/token"))
        profile.accountEndpoint = "https://api.atlassian.com/me"
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
