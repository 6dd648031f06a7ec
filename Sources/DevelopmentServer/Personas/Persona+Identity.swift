import AuthHubPrimitives

extension Persona {
    /// Apple: the response as a form if a scope is requested, the user's name only in the first response, Boolean claims as strings. PKCE
    /// is ignored.
    package static let apple = provider(
        "apple", authorization: "/auth/authorize", token: "/auth/token", account: nil, scopes: ["openid", "name", "email"]
    ) { persona in
        persona.authorization.codeChallenge = .ignored
        persona.authorization.requiresFormForScopes = true
        persona.authorization.describesUserOnce = true
        persona.addresses.keys = "/auth/keys"
        persona.openIDConnect.algorithm = .rs256
        persona.openIDConnect.hasUserClaimsInIDToken = true
        persona.openIDConnect.flagsAreTexts = true
        persona.openIDConnect.constantClaims = ["nonce_supported": true]
        persona.tokenRequests.clientAuthentication = [.post]
        persona.tokenAnswers.grantedScope = .absent
        persona.tokens.rotatesRefreshTokens = false
        persona.revocation = .standard(path: "/auth/revoke")
    }

    /// Google: refresh tokens only on request, and then permanent.
    package static let google = provider(
        "google", authorization: "/o/oauth2/v2/auth", token: "/token", account: "/v1/userinfo", scopes: ["openid", "profile", "email"]
    ) { persona in
        persona.authorization.namesIssuer = true
        persona.addresses.keys = "/oauth2/v3/certs"
        persona.openIDConnect.algorithm = .rs256
        persona.openIDConnect.hasUserClaimsInIDToken = true
        persona.tokenRequests.clientAuthentication = [.none, .post]
        persona.tokens.refreshTokens = .forParameter("access_type", "offline")
        persona.tokens.rotatesRefreshTokens = false
        persona.revocation = .standard(path: "/revoke")
        persona.api.accountReturnsClaims = true
    }

    /// Microsoft: refresh tokens if a scope is requested; no revocation.
    package static let microsoft = provider(
        "microsoft", authorization: "/common/oauth2/v2.0/authorize", token: "/common/oauth2/v2.0/token", account: "/v1.0/me",
        scopes: ["openid", "profile", "offline_access", "User.Read"]
    ) { persona in
        persona.addresses.keys = "/common/discovery/v2.0/keys"
        persona.addresses.userInfo = "/oidc/userinfo"
        persona.openIDConnect.algorithm = .rs256
        persona.openIDConnect.tenant = "9122040d-6c67-4c5b-b112-36a304b66dad"
        persona.openIDConnect.keyIssuer = "/{tenantid}/v2.0"
        persona.openIDConnect.hasUserClaimsInIDToken = true
        persona.tokenRequests.clientAuthentication = [.none, .post]
        persona.tokens.refreshTokens = .forScope("offline_access")
    }

    /// LinkedIn: code verifiers are rejected, the secret is in the body, no token type, granted scopes separated by commas.
    package static let linkedIn = provider(
        "linkedin", authorization: "/oauth/v2/authorization", token: "/oauth/v2/accessToken", account: "/v2/userinfo",
        scopes: ["openid", "profile", "email"]
    ) { persona in
        persona.authorization.codeChallenge = .refused
        persona.addresses.keys = "/oauth/openid/jwks"
        persona.openIDConnect.algorithm = .rs256
        persona.openIDConnect.hasUserClaimsInIDToken = true
        persona.tokenRequests.clientAuthentication = [.post]
        persona.tokenAnswers.tokenType = nil
        persona.tokenAnswers.grantedScope = .separated(by: ",")
        persona.tokens.refreshTokens = .never
        persona.revocation = .standard(path: "/oauth/v2/revoke")
        persona.api.accountReturnsClaims = true
    }
}
