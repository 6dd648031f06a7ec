import AuthHubPrimitives

extension Persona {
    /// Slack: the user's token in `authed_user`, errors as `"ok": false` with status 200, comma-separated scopes in a separate parameter.
    package static let slack = slackApp("slack", scopes: ["users:read", "channels:read"]) { persona in
        persona.authorization.scopeName = "user_scope"
        persona.tokenAnswers.envelope = "authed_user"
        persona.tokenAnswers.tokenType = "user"
    }

    /// Slack with a bot's token.
    package static let slackBot = slackApp("slack-bot", scopes: ["chat:write"]) { persona in
        persona.tokenAnswers.tokenType = "bot"
    }

    /// Sign in with Slack: an OpenID provider whose token responses and errors are those of Slack's API.
    package static let slackOpenID = provider(
        "slack-openid", authorization: "/openid/connect/authorize", token: "/api/openid.connect.token",
        account: "/api/openid.connect.userInfo", scopes: ["openid", "profile", "email"]
    ) { persona in
        persona.addresses.keys = "/openid/connect/keys"
        persona.openIDConnect.algorithm = .rs256
        persona.openIDConnect.hasUserClaimsInIDToken = true
        persona.openIDConnect.constantClaims = ["https://slack.com/team_id": "T0001", "https://slack.com/user_id": "{user}"]
        persona.tokenRequests.clientAuthentication = [.basic, .post]
        persona.tokenAnswers.grantedScope = .absent
        persona.tokenAnswers.constantMembers = ["ok": true]
        persona.errors.dress = .okFalse
        persona.errors.words = [.code: .init("invalid_code", ""), .client: .init("bad_client_secret", "")]
        persona.tokens.refreshTokens = .never
        persona.revocation = .ownToken(method: "POST", path: "/api/auth.revoke")
        persona.api.accountReturnsClaims = true
    }

    private static func slackApp(_ name: String, scopes: [String], _ quirks: (inout Self) -> Void) -> Self {
        provider(
            name, authorization: "/oauth/v2/authorize", token: "/api/oauth.v2.access", account: "/api/auth.test", scopes: scopes
        ) { persona in
            persona.authorization.scopeSeparators = [","]
            persona.tokenAnswers.grantedScope = .separated(by: ",")
            persona.tokenAnswers.constantMembers = ["ok": true]
            persona.errors.dress = .okFalse
            persona.errors.words = [
                .code: .init("invalid_code", ""), .client: .init("bad_client_secret", ""),
                .refreshToken: .init("invalid_refresh_token", ""), .redirectURI: .init("bad_redirect_uri", ""),
            ]
            persona.revocation = .ownToken(method: "POST", path: "/api/auth.revoke")
            quirks(&persona)
        }
    }

    /// Discord: ID tokens identify the user only by `sub`; otherwise follows the standards.
    package static let discord = provider(
        "discord", authorization: "/oauth2/authorize", token: "/api/oauth2/token", account: "/api/users/@me",
        scopes: ["openid", "identify", "email", "guilds"]
    ) { persona in
        persona.authorization.namesIssuer = true
        persona.addresses.keys = "/api/oauth2/keys"
        persona.addresses.userInfo = "/api/oauth2/userinfo"
        persona.openIDConnect.algorithm = .rs256
        persona.revocation = .standard(path: "/api/oauth2/token/revoke")
    }

    /// Zoom: only HTTP Basic; requests have no scopes.
    package static let zoom = provider(
        "zoom", authorization: "/oauth/authorize", token: "/oauth/token", account: "/v2/users/me", scopes: ["user:read"]
    ) { persona in
        persona.tokenRequests.clientAuthentication = [.basic]
        persona.revocation = .standard(path: "/oauth/revoke")
    }

    /// Mastodon: tokens neither expire nor are refreshed.
    package static let mastodon = provider(
        "mastodon", authorization: "/oauth/authorize", token: "/oauth/token", account: "/api/v1/accounts/verify_credentials",
        scopes: ["read", "write", "follow"]
    ) { persona in
        persona.tokenRequests.clientAuthentication = [.post]
        persona.tokens.accessTokensExpire = false
        persona.tokens.refreshTokens = .never
        persona.revocation = .standard(path: "/oauth/revoke")
    }
}
