import AuthHubPrimitives

extension ProviderProfile {
    /// Slack with a user token (`user_scope`).
    ///
    /// Errors have status 200 and `"ok": false`. The user token is inside `authed_user`, with the token type `user`. Scopes are separated
    /// by commas. Documentation: "Installing with OAuth", "Using PKCE", "Using token rotation".
    public static let slack = {
        var profile = slackApp(name: "slack", displayName: "Slack")
        profile.defaultScope = ["users:read"]
        profile.quirks.authorization.scopeName = "user_scope"
        profile.quirks.responses.envelope = "authed_user"
        profile.quirks.responses.tokenTypes = ["user": .bearer]
        profile.quirks.identity.unavailableBecause = "the installation of an app returns none; use `slack-openid`"
        return profile
    }()

    /// Sign in with Slack (OpenID Connect), which identifies the user but does not install the app.
    ///
    /// The claims `https://slack.com/team_id` and `https://slack.com/user_id` name the workspace and the user. Scopes are separated by
    /// spaces, unlike in the other two profiles. Slack does not document whether clients without a secret can sign in, and how tokens are
    /// revoked; the profile uses a secret and the method `auth.revoke`. Documentation: "Sign in with Slack", "openid.connect.token".
    public static let slackOpenID = {
        var profile = slackApp(name: "slack-openid", displayName: "Slack (OpenID)")
        profile.issuer = "https://slack.com"
        profile.endpoints = Endpoints(
            authorization: "https://slack.com/openid/connect/authorize", token: "https://slack.com/api/openid.connect.token",
            userInfo: "https://slack.com/api/openid.connect.userInfo", jwks: "https://slack.com/openid/connect/keys")
        profile.accountEndpoint = "https://slack.com/api/openid.connect.userInfo"
        profile.baseURL = "https://slack.com/api"
        profile.defaultScope = ["openid", "profile", "email"]
        profile.scopeSeparator = " "
        profile.quirks.requests.clientWithoutSecret = nil
        profile.quirks.identity.nonce = .mayBeEmpty
        profile.quirks.refreshTokens = .asIssued
        profile.quirks.registration.documentation = "Sign in with Slack (docs.slack.dev)"
        profile.quirks.registration.redirectURIs = [.https]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = []
        return profile
    }()

    /// Slack with the token of a bot that is installed in a workspace.
    public static let slackBot = {
        var profile = slackApp(name: "slack-bot", displayName: "Slack (bot)")
        profile.defaultScope = ["chat:write"]
        profile.quirks.responses.tokenTypes = ["bot": .bearer]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.redirectURIs = [.https]
        profile.quirks.identity.unavailableBecause = "a bot is not a user; use `slack-openid`"
        return profile
    }()

    private static func slackApp(name: String, displayName: String) -> Self {
        var profile = Self(
            name: name, displayName: displayName,
            endpoints: Endpoints(authorization: "https://slack.com/oauth/v2/authorize", token: "https://slack.com/api/oauth.v2.access"))
        profile.accountEndpoint = "https://slack.com/api/auth.test"
        profile.baseURL = "https://slack.com/api"
        profile.quirks.account = .init(id: "user_id", name: "user")
        profile.clientAuthentication = .basic
        profile.scopeSeparator = ","
        profile.grantedScopeSeparators = [",", " "]
        profile.quirks.responses.errorCodes = [
            "bad_client_secret": .invalidClient, "bad_redirect_uri": .invalidRequest, "code_already_used": .invalidGrant,
            "code_expired": .invalidGrant, "invalid_client_id": .invalidClient, "invalid_code": .invalidGrant,
            "invalid_refresh_token": .invalidGrant, "ratelimited": .temporarilyUnavailable, "token_expired": .invalidGrant,
            "token_revoked": .invalidGrant,
        ]
        profile.revocation = .authorizedByToken(method: "POST", url: "https://slack.com/api/auth.revoke")
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.responses.errors = [.init(sign: "ok", value: false, code: "error")]
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "Installing with OAuth (docs.slack.dev)"
        profile.quirks.registration.page = "https://api.slack.com/apps"
        profile.quirks.registration.redirectURIs = [.https, .localhost, .customScheme]
        profile.quirks.registration.notes = [
            "For a client without a secret, enable PKCE in the app's settings; this cannot be undone.",
            "Tokens expire and can be refreshed only if token rotation is enabled or the redirect URI has a custom scheme.",
        ]
        return profile
    }

    /// Discord. A redirect URI must match the registered one, including the port. ID tokens identify the user only by `sub`; the API returns
    /// the name and the picture. Documentation: "OAuth2", and the metadata at `/.well-known/openid-configuration`.
    public static let discord = {
        var profile = Self(
            name: "discord", displayName: "Discord", issuer: "https://discord.com",
            endpoints: Endpoints(
                authorization: "https://discord.com/oauth2/authorize", token: "https://discord.com/api/oauth2/token",
                revocation: "https://discord.com/api/oauth2/token/revoke", userInfo: "https://discord.com/api/oauth2/userinfo",
                jwks: "https://discord.com/api/oauth2/keys"))
        profile.accountEndpoint = "https://discord.com/api/users/@me"
        profile.baseURL = "https://discord.com/api"
        profile.quirks.account = .init(id: "id", name: "username")
        profile.defaultScope = ["openid", "identify"]
        profile.clientAuthentication = .basic
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "OAuth2 (discord.com/developers/docs)"
        profile.quirks.registration.page = "https://discord.com/developers/applications"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort, .customScheme]
        profile.quirks.registration.notes = ["Mark a client without a secret as a public client."]
        return profile
    }()

    /// Zoom. Clients authenticate with HTTP Basic only. Each refresh token can be used once. Documentation: "OAuth 2.0" of the Zoom
    /// developer platform.
    public static let zoom = {
        var profile = Self(
            name: "zoom", displayName: "Zoom",
            endpoints: Endpoints(
                authorization: "https://zoom.us/oauth/authorize", token: "https://zoom.us/oauth/token",
                revocation: "https://zoom.us/oauth/revoke", deviceAuthorization: "https://zoom.us/oauth/devicecode"))
        profile.accountEndpoint = "https://api.zoom.us/v2/users/me"
        profile.baseURL = "https://api.zoom.us/v2"
        profile.quirks.account = .init(id: "id", name: "email")
        profile.clientAuthentication = .basic
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "OAuth 2.0 (developers.zoom.us)"
        profile.quirks.registration.page = "https://marketplace.zoom.us/develop/create"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort, .customScheme]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = ["Scopes are chosen in the app's registration; none are requested at sign-in."]
        return profile
    }()

    /// Creates a profile for a Mastodon instance. Clients have to be registered at each instance separately. Tokens do not expire.
    /// Documentation: "Using OAuth".
    ///
    /// - Parameters:
    ///   - instance: The base URL of the instance: `https://HOST`, without a trailing slash.
    ///   - transport: The policy for the URL; by default, only https is allowed.
    public static func mastodon(instance: String, transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = Self(
            name: "mastodon", displayName: "Mastodon",
            endpoints: Endpoints(
                authorization: "\(instance)/oauth/authorize", token: "\(instance)/oauth/token", revocation: "\(instance)/oauth/revoke"))
        profile.transport = transport
        profile.accountEndpoint = "\(instance)/api/v1/accounts/verify_credentials"
        profile.quirks.account = .init(id: "id", name: "acct")
        profile.defaultScope = ["read"]
        profile.clientAuthentication = .post
        profile.quirks.refreshTokens = .none
        profile.quirks.registration.documentation = "Using OAuth (docs.joinmastodon.org)"
        profile.quirks.registration.page = "\(instance)/settings/applications"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort, .customScheme]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = ["A client ID is valid at one instance only."]
        return profile
    }
}
