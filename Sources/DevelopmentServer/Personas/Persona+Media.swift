extension Persona {
    /// Spotify: the host name localhost is not accepted in a redirect URI.
    package static let spotify = provider(
        "spotify", authorization: "/authorize", token: "/api/token", account: "/v1/me", scopes: ["user-read-private", "user-read-email"]
    ) { persona in
        persona.authorization.refusesLocalhost = true
        persona.tokenRequests.clientAuthentication = [.none, .basic]
    }

    /// Twitch: the granted scope as a list, errors without a name, the client ID in every request to the API, PKCE is ignored. ID tokens
    /// have the claims about the user that the request names.
    package static let twitch = provider(
        "twitch", authorization: "/oauth2/authorize", token: "/oauth2/token", account: "/helix/users",
        scopes: ["openid", "user:read:email", "chat:read"]
    ) { persona in
        persona.addresses.keys = "/oauth2/keys"
        persona.addresses.userInfo = "/oauth2/userinfo"
        persona.openIDConnect.algorithm = .rs256
        persona.openIDConnect.hasUserClaimsInIDToken = true
        persona.openIDConnect.userClaimsNeedRequest = true
        persona.authorization.codeChallenge = .ignored
        persona.tokenRequests.clientAuthentication = [.post]
        persona.tokenAnswers.tokenType = "bearer"
        persona.tokenAnswers.grantedScope = .array
        persona.errors.dress = .message
        persona.errors.words = [
            .code: .init("400", "Invalid authorization code"), .client: .init("403", "invalid client secret"),
            .refreshToken: .init("400", "Invalid refresh token"),
        ]
        persona.tokens.rotatesRefreshTokens = false
        persona.revocation = .standard(path: "/oauth2/revoke")
        persona.api.requiredHeaders = [HeaderDemand("Client-Id")]
    }

    /// TikTok: `client_key`, a hexadecimal challenge, comma-separated scopes, trailing slashes.
    package static let tikTok = provider(
        "tiktok", authorization: "/v2/auth/authorize/", token: "/v2/oauth/token/", account: "/v2/user/info/",
        scopes: ["user.info.basic", "video.list"]
    ) { persona in
        persona.authorization.clientIDName = "client_key"
        persona.authorization.scopeSeparators = [","]
        persona.authorization.codeChallenge = .required
        persona.authorization.challengeEncoding = .hex
        persona.tokenRequests.clientAuthentication = [.post]
        persona.tokenAnswers.grantedScope = .separated(by: ",")
        persona.tokenAnswers.refreshLifetimeName = "refresh_expires_in"
        persona.revocation = .standard(path: "/v2/oauth/revoke/")
    }
}
