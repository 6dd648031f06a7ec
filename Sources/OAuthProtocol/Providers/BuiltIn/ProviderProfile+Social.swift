import AuthHubPrimitives

extension ProviderProfile {
    /// X, formerly Twitter. PKCE is required. Refresh tokens are issued for the scope `offline.access`, and each can be used once.
    /// Documentation: "OAuth 2.0 Authorization Code Flow with PKCE".
    public static let x = {
        var profile = Self(
            name: "x", displayName: "X",
            endpoints: Endpoints(
                authorization: "https://x.com/i/oauth2/authorize", token: "https://api.x.com/2/oauth2/token",
                revocation: "https://api.x.com/2/oauth2/revoke"))
        profile.accountEndpoint = "https://api.x.com/2/users/me"
        profile.quirks.account = .init(id: "data.id", name: "data.username")
        profile.defaultScope = ["users.read", "tweet.read", "offline.access"]
        profile.clientAuthentication = .basic
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "OAuth 2.0 Authorization Code Flow with PKCE (docs.x.com)"
        profile.quirks.registration.page = "https://developer.x.com/en/portal/projects-and-apps"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort, .customScheme]
        return profile
    }()

    /// Facebook. There are no refresh tokens; an app can exchange its token for a long-lived one instead. Errors are JSON objects. Endpoint
    /// URLs contain the API version.
    ///
    /// ID tokens are verified if the program requests the scope `openid`, which is not in the default scope: Facebook's documentation says
    /// that the feature is being tested, and does not say whether a request that also has a client secret gets an ID token. ID tokens
    /// of Limited Login on iOS have another issuer and other keys, and are rejected. Documentation: "Manually Build a Login Flow", "OIDC
    /// Code Flow with PKCE for Manually Built Facebook Login Flows".
    public static let facebook = {
        let graph = "https://graph.facebook.com/v22.0"
        var profile = Self(
            name: "facebook", displayName: "Facebook", issuer: "https://www.facebook.com",
            endpoints: Endpoints(
                authorization: "https://www.facebook.com/v22.0/dialog/oauth", token: "\(graph)/oauth/access_token",
                jwks: "https://www.facebook.com/.well-known/oauth/openid/jwks/"))
        profile.accountEndpoint = "\(graph)/me"
        profile.baseURL = graph
        profile.quirks.account = .init(id: "id", name: "name")
        profile.defaultScope = ["public_profile"]
        profile.clientAuthentication = .post
        profile.scopeSeparator = ","
        profile.grantedScopeSeparators = [",", " "]
        profile.defaultTokenType = .bearer
        profile.quirks.responses.errorCodes = ["1": .invalidClient, "100": .invalidGrant, "101": .invalidClient, "191": .invalidRequest]
        profile.revocation = .authorizedByToken(method: "DELETE", url: "\(graph)/me/permissions")
        profile.quirks.responses.encodings = [.json, .form, .formAsPlainText]
        profile.quirks.responses.errors = [.init(sign: "error.message", code: "error.code", explanation: "error.message")]
        profile.quirks.refreshTokens = .none
        profile.quirks.registration.documentation = "Manually Build a Login Flow (developers.facebook.com)"
        profile.quirks.registration.page = "https://developers.facebook.com/apps"
        profile.quirks.registration.redirectURIs = [.https, .localhost]
        profile.quirks.registration.secret = .required
        return profile
    }()

    /// LINE. The endpoints are on two hosts, and responses do not name their issuer, so the issuer alone is not enough for a sign-in. ID
    /// tokens of web apps are signed with the client secret, those of native apps with ES256. Documentation: "LINE Login v2.1 API reference".
    public static let line = {
        let api = "https://api.line.me/oauth2/v2.1"
        var profile = Self(
            name: "line", displayName: "LINE", issuer: "https://access.line.me",
            endpoints: Endpoints(
                authorization: "https://access.line.me/oauth2/v2.1/authorize", token: "\(api)/token", userInfo: "\(api)/userinfo",
                jwks: "\(api)/certs"))
        profile.accountEndpoint = "\(api)/userinfo"
        profile.baseURL = "https://api.line.me/v2"
        profile.resourceOrigins = [Origin(scheme: "https", host: "api.line.me", port: 443)]
        profile.defaultScope = ["openid", "profile"]
        profile.clientAuthentication = .post
        profile.revocation = .none
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.identity.algorithms = ["HS256", "ES256"]
        profile.quirks.refreshTokens = .kept
        profile.quirks.registration.documentation = "LINE Login v2.1 API reference (developers.line.biz)"
        profile.quirks.registration.page = "https://developers.line.biz/console/"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort, .customScheme]
        return profile
    }()

    /// Reddit. Clients authenticate with HTTP Basic only; installed apps have an empty password. Refresh tokens are issued because the
    /// profile sends `duration=permanent`. Requests must identify the program in `User-Agent`. Documentation: "OAuth2" in the wiki of
    /// reddit-archive/reddit.
    public static let reddit = {
        var profile = Self(
            name: "reddit", displayName: "Reddit",
            endpoints: Endpoints(
                authorization: "https://www.reddit.com/api/v1/authorize", token: "https://www.reddit.com/api/v1/access_token",
                revocation: "https://www.reddit.com/api/v1/revoke_token"))
        profile.accountEndpoint = "https://oauth.reddit.com/api/v1/me"
        profile.quirks.account = .init(id: "id", name: "name")
        profile.defaultScope = ["identity"]
        profile.clientAuthentication = .basic
        profile.authorizationParameters = ["duration": "permanent"]
        profile.quirks.responses.errorCodes = ["401": .invalidClient, "429": .temporarilyUnavailable]
        profile.quirks.requests.headers = ["User-Agent": "authhub:{client_id}:1"]
        profile.quirks.requests.clientWithoutSecret = .basicWithEmptyPassword
        profile.quirks.responses.errors = [.init(sign: "error", code: "error", explanation: "message")]
        profile.quirks.api.headers = ["User-Agent": "authhub:{client_id}:1"]
        profile.quirks.refreshTokens = .kept
        profile.quirks.registration.documentation = "OAuth2 (github.com/reddit-archive/reddit/wiki)"
        profile.quirks.registration.page = "https://www.reddit.com/prefs/apps"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort, .customScheme]
        profile.quirks.registration.notes = [
            "Installed apps have no secret; web apps and scripts have one.",
            "Reddit requires a User-Agent that names the program and its author.",
        ]
        return profile
    }()
}
