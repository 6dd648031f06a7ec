import AuthHubPrimitives

extension Persona {
    /// Notion: requests in JSON with HTTP Basic, a version in each, no scopes.
    package static let notion = provider(
        "notion", authorization: "/v1/oauth/authorize", token: "/v1/oauth/token", account: "/v1/users/me", scopes: []
    ) { persona in
        persona.authorization.requiredParameters = ["owner": "user"]
        persona.tokenRequests.encodings = [.json]
        persona.tokenRequests.clientAuthentication = [.basic]
        persona.tokenRequests.requiredHeaders = [HeaderDemand("Notion-Version", beginning: "20")]
        persona.tokenAnswers.tokenType = "bearer"
        persona.tokenAnswers.grantedScope = .absent
        persona.api.requiredHeaders = [HeaderDemand("Notion-Version", beginning: "20")]
        persona.revocation = .standard(path: "/v1/oauth/revoke")
    }

    /// Dropbox: refresh tokens only on request; the revocation request is authorized by the token that it revokes.
    package static let dropbox = provider(
        "dropbox", authorization: "/oauth2/authorize", token: "/oauth2/token", account: nil,
        scopes: ["account_info.read", "files.metadata.read"]
    ) { persona in
        persona.tokenRequests.clientAuthentication = [.none, .basic]
        persona.tokens.refreshTokens = .forParameter("token_access_type", "offline")
        persona.tokens.rotatesRefreshTokens = false
        persona.revocation = .ownToken(method: "POST", path: "/2/auth/token/revoke")
    }

    /// Strava: comma-separated scopes, the granted scope in the callback, an expiry instead of a lifetime, errors as fields.
    package static let strava = provider(
        "strava", authorization: "/oauth/authorize", token: "/oauth/token", account: "/api/v3/athlete",
        scopes: ["read", "read_all", "activity:read"]
    ) { persona in
        persona.authorization.scopeSeparators = [","]
        persona.authorization.requiredParameters = ["approval_prompt": "auto"]
        persona.authorization.codeChallenge = .ignored
        persona.authorization.namesGrantedScope = true
        persona.tokenRequests.clientAuthentication = [.post]
        persona.tokenAnswers.grantedScope = .absent
        persona.tokenAnswers.lifetimeName = nil
        persona.tokenAnswers.endName = "expires_at"
        persona.errors.dress = .fields
        persona.errors.words = [
            .code: .init("code", ""), .client: .init("client_secret", ""), .refreshToken: .init("refresh_token", ""),
            .redirectURI: .init("redirect_uri", ""),
        ]
        persona.revocation = .ownToken(method: "POST", path: "/oauth/deauthorize")
    }

    /// Fitbit: HTTP Basic for a client with a secret; errors as a list.
    package static let fitbit = provider(
        "fitbit", authorization: "/oauth2/authorize", token: "/oauth2/token", account: "/1/user/-/profile.json",
        scopes: ["profile", "activity"]
    ) { persona in
        persona.tokenRequests.clientAuthentication = [.none, .basic]
        persona.errors.dress = .list
        persona.revocation = .standard(path: "/oauth2/revoke")
    }
}
