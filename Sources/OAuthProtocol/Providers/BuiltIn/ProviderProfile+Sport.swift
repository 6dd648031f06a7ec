import AuthHubPrimitives

extension ProviderProfile {
    /// Strava. Scopes are separated by commas. Users can deselect some of them, and the callback lists the granted ones. The token response
    /// contains the time of the token's expiry (`expires_at`). Documentation: "Authentication".
    public static let strava = {
        var profile = Self(
            name: "strava", displayName: "Strava",
            endpoints: Endpoints(authorization: "https://www.strava.com/oauth/authorize", token: "https://www.strava.com/oauth/token"))
        profile.accountEndpoint = "https://www.strava.com/api/v3/athlete"
        profile.baseURL = "https://www.strava.com/api/v3"
        profile.quirks.account = .init(id: "id", name: "username")
        profile.defaultScope = ["read"]
        profile.clientAuthentication = .post
        profile.scopeSeparator = ","
        profile.grantedScopeSeparators = [",", " "]
        profile.authorizationParameters = ["approval_prompt": "auto"]
        profile.quirks.responses.errorCodes = [
            "client_id": .invalidClient, "client_secret": .invalidClient, "code": .invalidGrant, "redirect_uri": .invalidRequest,
            "refresh_token": .invalidGrant,
        ]
        profile.revocation = .authorizedByToken(method: "POST", url: "https://www.strava.com/oauth/deauthorize")
        profile.quirks.authorization.callbackNamesGrantedScope = true
        profile.quirks.responses.expiry = "expires_at"
        profile.quirks.responses.errors = [.init(sign: "errors.0", code: "errors.0.field", explanation: "message")]
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "Authentication (developers.strava.com)"
        profile.quirks.registration.page = "https://www.strava.com/settings/api"
        profile.quirks.registration.redirectURIs = [.https, .loopbackAnyPort]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = [
            "Register the callback's domain, not its URL; localhost and 127.0.0.1 are always accepted."
        ]
        return profile
    }()

    /// Fitbit. Clients with a secret authenticate with HTTP Basic. Errors are JSON arrays. Documentation: "OAuth2 Token" of the Fitbit Web
    /// API.
    public static let fitbit = {
        var profile = Self(
            name: "fitbit", displayName: "Fitbit",
            endpoints: Endpoints(
                authorization: "https://www.fitbit.com/oauth2/authorize", token: "https://api.fitbit.com/oauth2/token",
                revocation: "https://api.fitbit.com/oauth2/revoke"))
        profile.accountEndpoint = "https://api.fitbit.com/1/user/-/profile.json"
        profile.quirks.account = .init(id: "user.encodedId", name: "user.displayName")
        profile.defaultScope = ["profile"]
        profile.clientAuthentication = .basic
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.responses.errors = [.init(sign: "errors.0.errorType", code: "errors.0.errorType", explanation: "errors.0.message")]
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "OAuth2 Token (dev.fitbit.com)"
        profile.quirks.registration.page = "https://dev.fitbit.com/apps/new"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort, .customScheme]
        profile.quirks.registration.notes = ["Register a client without a secret as an app of the type Client."]
        return profile
    }()
}
