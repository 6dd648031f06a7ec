import AuthHubPrimitives

extension ProviderProfile {
    /// Spotify. Loopback redirect URIs must contain the IP address, not the name `localhost`. Documentation: "Authorization Code with PKCE
    /// Flow".
    public static let spotify = {
        var profile = Self(
            name: "spotify", displayName: "Spotify",
            endpoints: Endpoints(
                authorization: "https://accounts.spotify.com/authorize", token: "https://accounts.spotify.com/api/token"))
        profile.accountEndpoint = "https://api.spotify.com/v1/me"
        profile.baseURL = "https://api.spotify.com/v1"
        profile.quirks.account = .init(id: "id", name: "display_name")
        profile.defaultScope = ["user-read-private"]
        profile.clientAuthentication = .basic
        profile.revocation = .none
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "Authorization Code with PKCE Flow (developer.spotify.com)"
        profile.quirks.registration.page = "https://developer.spotify.com/dashboard"
        profile.quirks.registration.redirectURIs = [.loopbackAnyPort, .customScheme, .https]
        return profile
    }()

    /// Twitch. The granted scope is a JSON array. Errors have `message` and `status`, but no error code. API requests must contain the
    /// client ID. ID tokens have the user's name, picture and e-mail address because the profile requests them with the parameter `claims`.
    /// Documentation: "Getting OAuth Access Tokens", "Using OIDC to get OAuth Access Tokens".
    public static let twitch = {
        var profile = Self(
            name: "twitch", displayName: "Twitch", issuer: "https://id.twitch.tv/oauth2",
            endpoints: Endpoints(
                authorization: "https://id.twitch.tv/oauth2/authorize", token: "https://id.twitch.tv/oauth2/token",
                revocation: "https://id.twitch.tv/oauth2/revoke", deviceAuthorization: "https://id.twitch.tv/oauth2/device",
                userInfo: "https://id.twitch.tv/oauth2/userinfo", jwks: "https://id.twitch.tv/oauth2/keys"))
        profile.accountEndpoint = "https://api.twitch.tv/helix/users"
        profile.baseURL = "https://api.twitch.tv/helix"
        profile.quirks.account = .init(id: "data.0.id", name: "data.0.login")
        profile.defaultScope = ["openid", "user:read:email"]
        profile.clientAuthentication = .post
        profile.authorizationParameters = [
            "claims": #"{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}"#
        ]
        profile.quirks.responses.errorCodes = [
            "Invalid authorization code": .invalidGrant, "Invalid refresh token": .invalidGrant, "invalid client": .invalidClient,
            "invalid client secret": .invalidClient, "Parameter redirect_uri does not match registered URI": .invalidRequest,
        ]
        profile.quirks.responses.scopeMayBeList = true
        profile.quirks.responses.errors = [
            .init(sign: "message", needsFailureStatus: true, code: "message", explanation: "message")
        ]
        profile.quirks.api.headers = ["Client-Id": "{client_id}"]
        profile.quirks.refreshTokens = .kept
        profile.quirks.registration.documentation = "Getting OAuth Access Tokens (dev.twitch.tv)"
        profile.quirks.registration.page = "https://dev.twitch.tv/console/apps"
        profile.quirks.registration.redirectURIs = [.https, .localhost]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = [
            "The server does not check the PKCE challenge.", "A client without a secret can use the device flow.",
        ]
        return profile
    }()

    /// TikTok. The client ID is sent as `client_key`, and the PKCE challenge in hexadecimal. Endpoint URLs end with a slash. Documentation:
    /// "Login Kit for Desktop", "Manage User Access Tokens".
    public static let tikTok = {
        var profile = Self(
            name: "tiktok", displayName: "TikTok",
            endpoints: Endpoints(
                authorization: "https://www.tiktok.com/v2/auth/authorize/", token: "https://open.tiktokapis.com/v2/oauth/token/",
                revocation: "https://open.tiktokapis.com/v2/oauth/revoke/"))
        profile.accountEndpoint = "https://open.tiktokapis.com/v2/user/info/?fields=open_id,display_name"
        profile.quirks.account = .init(id: "data.user.open_id", name: "data.user.display_name")
        profile.defaultScope = ["user.info.basic"]
        profile.clientAuthentication = .post
        profile.scopeSeparator = ","
        profile.grantedScopeSeparators = [",", " "]
        profile.quirks.authorization.codeChallenge = .s256InHexadecimal
        profile.quirks.requests.names = ["client_id": "client_key"]
        profile.quirks.responses.refreshTokenLifetime = "refresh_expires_in"
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "Login Kit for Desktop (developers.tiktok.com)"
        profile.quirks.registration.page = "https://developers.tiktok.com/apps"
        profile.quirks.registration.redirectURIs = [.loopbackFixedPort, .loopbackAnyPort, .https]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = [
            "Register a loopback redirect URI with its port, or with * for any port: http://127.0.0.1:*/callback"
        ]
        return profile
    }()
}
