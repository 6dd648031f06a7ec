import AuthHubPrimitives

extension ProviderProfile {
    /// Notion. Clients authenticate with HTTP Basic. Requests are JSON, and every request contains an API version. There are no scopes.
    /// Documentation: "Authorization".
    public static let notion = {
        var profile = Self(
            name: "notion", displayName: "Notion",
            endpoints: Endpoints(
                authorization: "https://api.notion.com/v1/oauth/authorize", token: "https://api.notion.com/v1/oauth/token",
                revocation: "https://api.notion.com/v1/oauth/revoke"))
        profile.accountEndpoint = "https://api.notion.com/v1/users/me"
        profile.baseURL = "https://api.notion.com/v1"
        profile.quirks.account = .init(id: "bot.owner.user.id", name: "bot.owner.user.name")
        profile.clientAuthentication = .basic
        profile.authorizationParameters = ["owner": "user"]
        profile.quirks.requests.encoding = .json
        profile.quirks.requests.headers = ["Notion-Version": "2025-09-03"]
        profile.quirks.api.headers = ["Notion-Version": "2025-09-03"]
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "Authorization (developers.notion.com)"
        profile.quirks.registration.page = "https://www.notion.so/profile/integrations"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = ["The integration must be public."]
        return profile
    }()

    /// Dropbox. Refresh tokens are issued because the profile sends `token_access_type=offline`, and stay valid until they are revoked. A
    /// token is revoked by a request that is authorized with this token. Documentation: "OAuth Guide".
    public static let dropbox = {
        var profile = Self(
            name: "dropbox", displayName: "Dropbox",
            endpoints: Endpoints(
                authorization: "https://www.dropbox.com/oauth2/authorize", token: "https://api.dropboxapi.com/oauth2/token"))
        profile.resourceOrigins = [
            Origin(scheme: "https", host: "api.dropboxapi.com", port: 443),
            Origin(scheme: "https", host: "content.dropboxapi.com", port: 443),
        ]
        profile.baseURL = "https://api.dropboxapi.com/2"
        profile.defaultScope = ["account_info.read"]
        profile.clientAuthentication = .basic
        profile.authorizationParameters = ["token_access_type": "offline"]
        profile.revocation = .authorizedByToken(method: "POST", url: "https://api.dropboxapi.com/2/auth/token/revoke")
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.refreshTokens = .kept
        profile.quirks.registration.documentation = "OAuth Guide (developers.dropbox.com)"
        profile.quirks.registration.page = "https://www.dropbox.com/developers/apps"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort]
        profile.quirks.registration.notes = ["The signed-in user is returned by a POST to /2/users/get_current_account."]
        return profile
    }()
}
