extension Persona {
    /// GitHub: form-encoded responses, errors with status 200, no metadata, comma-separated scopes, and a client secret that is required
    /// even with PKCE.
    public static let gitHub = {
        var persona = Self(
            name: "github",
            addresses: Addresses(authorization: "/login/oauth/authorize", token: "/login/oauth/access_token"),
            scopes: [
                "repo", "public_repo", "user", "read:user", "user:email", "read:org", "gist", "notifications", "workflow", "delete_repo",
            ])
        persona.authorization.scopeSeparators = [" ", ","]
        persona.authorization.refusesUnknownScopes = false
        persona.authorization.validatesRequests = false
        persona.authorization.redirectURIMayBeLeftOut = true
        persona.authorization.issuerPath = "/login/oauth"
        persona.authorization.errorPages =
            "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-authorization-request-errors/#"

        persona.tokenRequests.encodings = [.form, .json, .query]
        persona.tokenRequests.clientAuthentication = [.basic, .post]
        persona.tokenRequests.defaultGrantType = "authorization_code"
        persona.tokenRequests.redirectURIMayBeLeftOut = true

        persona.tokenAnswers.encoding = .formUnlessJSONIsAsked
        persona.tokenAnswers.tokenType = "bearer"
        persona.tokenAnswers.grantedScope = .separated(by: ",")
        persona.tokenAnswers.refreshLifetimeName = "refresh_token_expires_in"

        persona.errors.dress = .statusOK
        persona.errors.words = gitHubErrors

        persona.tokens.accessTokenPrefix = "gho_"
        persona.tokens.accessTokensExpire = false
        persona.tokens.refreshTokens = .never
        var tokens = TokenQuirks()
        tokens.accessTokenPrefix = "ghu_"
        tokens.refreshTokenPrefix = "ghr_"
        tokens.refreshEndsAccessTokens = true
        persona.tokensByKind = [.gitHubApp: tokens]

        persona.device = gitHubDevice
        persona.revocation = .gitHubApplications(under: "")
        persona.api.isGitHub = true
        persona.api.scopeOfPrivateRepositories = "repo"
        persona.api.requiredHeaders = [HeaderDemand("User-Agent")]
        return persona
    }()

    private static let gitHubErrors: [ErrorQuirks.Occasion: ErrorQuirks.Words] = {
        let pages = "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors"
        return [
            .code: .init(
                "bad_verification_code", "The code passed is incorrect or expired.", page: pages + "/#bad-verification-code"),
            .client: .init(
                "incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.",
                page: pages + "/#incorrect-client-credentials"),
            .redirectURI: .init(
                "redirect_uri_mismatch", "The redirect_uri MUST match the registered callback URL for this application.",
                page: pages + "/#redirect-uri-mismatch2"),
            .refreshToken: .init("bad_refresh_token", "The refresh token passed is incorrect or expired.", page: pages),
            .deviceCode: .init("incorrect_device_code", "The device_code provided is not valid.", page: pages),
            .deviceFlow: .init("device_flow_disabled", "Device Flow must be explicitly enabled for this App.", page: pages),
            .grantType: .init("unsupported_grant_type", "The grant_type passed is not supported.", page: pages),
        ]
    }()
}
