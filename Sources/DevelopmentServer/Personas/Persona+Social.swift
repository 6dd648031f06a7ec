extension Persona {
    /// X: PKCE is required, refresh tokens if a scope is requested.
    package static let x = provider(
        "x", authorization: "/i/oauth2/authorize", token: "/2/oauth2/token", account: "/2/users/me",
        scopes: ["users.read", "tweet.read", "offline.access"]
    ) { persona in
        persona.authorization.codeChallenge = .required
        persona.tokenRequests.clientAuthentication = [.none, .basic]
        persona.tokens.refreshTokens = .forScope("offline.access")
        persona.revocation = .standard(path: "/2/oauth2/revoke")
    }

    /// Facebook: forms labeled as text, errors as an object, no refresh token, comma-separated scopes, a token revokes itself.
    package static let facebook = provider(
        "facebook", authorization: "/v22.0/dialog/oauth", token: "/v22.0/oauth/access_token", account: "/v22.0/me",
        scopes: ["public_profile", "email", "openid"]
    ) { persona in
        persona.addresses.keys = "/.well-known/oauth/openid/jwks/"
        persona.openIDConnect.algorithm = .rs256
        persona.openIDConnect.hasUserClaimsInIDToken = true
        persona.openIDConnect.profileScope = "public_profile"
        persona.authorization.scopeSeparators = [","]
        persona.tokenRequests.clientAuthentication = [.post]
        persona.tokenAnswers.encoding = .form
        persona.tokenAnswers.formMediaType = "text/plain; charset=UTF-8"
        persona.tokenAnswers.tokenType = nil
        persona.tokenAnswers.grantedScope = .absent
        persona.errors.dress = .object
        persona.errors.words = [
            .code: .init("100", "This authorization code has been used."), .client: .init("1", "Error validating client secret."),
        ]
        persona.tokens.refreshTokens = .never
        persona.revocation = .ownToken(method: "DELETE", path: "/v22.0/me/permissions")
    }

    /// LINE: an OpenID provider that cannot revoke tokens.
    package static let line = provider(
        "line", authorization: "/oauth2/v2.1/authorize", token: "/oauth2/v2.1/token", account: "/oauth2/v2.1/userinfo",
        scopes: ["openid", "profile", "email"]
    ) { persona in
        persona.addresses.keys = "/oauth2/v2.1/certs"
        persona.openIDConnect.algorithm = .es256
        persona.openIDConnect.hasUserClaimsInIDToken = true
        persona.tokenRequests.clientAuthentication = [.none, .post]
        persona.api.accountReturnsClaims = true
    }

    /// Reddit: only HTTP Basic, with an empty password for clients without a secret; `duration`; a required `User-Agent` that identifies
    /// the client.
    package static let reddit = provider(
        "reddit", authorization: "/api/v1/authorize", token: "/api/v1/access_token", account: "/api/v1/me", scopes: ["identity", "read"]
    ) { persona in
        persona.authorization.codeChallenge = .ignored
        persona.tokenRequests.clientAuthentication = [.basic, .basicWithEmptyPassword]
        persona.tokenRequests.requiredHeaders = [HeaderDemand("User-Agent", beginning: "authhub:")]
        persona.api.requiredHeaders = [HeaderDemand("User-Agent", beginning: "authhub:")]
        persona.tokens.refreshTokens = .forParameter("duration", "permanent")
        persona.tokens.rotatesRefreshTokens = false
        persona.revocation = .standard(path: "/api/v1/revoke_token")
    }
}
