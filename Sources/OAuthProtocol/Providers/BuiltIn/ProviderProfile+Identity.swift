import AuthHubPrimitives

extension ProviderProfile {
    /// Google. The profile requests refresh tokens with `access_type=offline`. Google issues one at the user's first sign-in; a later
    /// sign-in issues another only with `prompt=consent`. Desktop clients have a client secret, too, although it is not confidential. ID
    /// tokens may name the issuer without its scheme. Documentation: "OAuth 2.0 for Mobile & Desktop Apps".
    public static let google = {
        var profile = Self(
            name: "google", displayName: "Google", issuer: "https://accounts.google.com",
            endpoints: Endpoints(
                authorization: "https://accounts.google.com/o/oauth2/v2/auth", token: "https://oauth2.googleapis.com/token",
                revocation: "https://oauth2.googleapis.com/revoke", deviceAuthorization: "https://oauth2.googleapis.com/device/code",
                userInfo: "https://openidconnect.googleapis.com/v1/userinfo", jwks: "https://www.googleapis.com/oauth2/v3/certs"))
        profile.accountEndpoint = "https://openidconnect.googleapis.com/v1/userinfo"
        profile.baseURL = "https://www.googleapis.com"
        profile.resourceOrigins = [Origin(scheme: "https", host: "www.googleapis.com", port: 443)]
        profile.defaultScope = ["openid", "profile", "email"]
        profile.clientAuthentication = .post
        profile.authorizationParameters = ["access_type": "offline"]
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.identity.otherIssuers = ["accounts.google.com"]
        profile.quirks.refreshTokens = .kept
        profile.quirks.registration.documentation = "OAuth 2.0 for Mobile & Desktop Apps (developers.google.com)"
        profile.quirks.registration.page = "https://console.cloud.google.com/auth/clients"
        profile.quirks.registration.redirectURIs = [.loopbackAnyPort, .customScheme, .https]
        profile.quirks.registration.notes = [
            "Use loopback for clients of the type Desktop app, and custom schemes for iOS and Android clients, which have no secret.",
            "The secret of a desktop client must be sent, although anyone who has the program can read it.",
        ]
        return profile
    }()

    /// Creates a profile for Microsoft Entra ID and personal Microsoft accounts. Documentation: "Microsoft identity platform and OAuth 2.0
    /// authorization code flow".
    ///
    /// ID tokens name the user's tenant in their issuer and in the claim `tid`. If a key belongs to one issuer, it verifies only the ID
    /// tokens of that issuer.
    ///
    /// - Parameter tenant: The ID of a tenant, which ID tokens must name; or the tenant's domain, `common`, `organizations` or `consumers`.
    ///   With any of these other values, ID tokens of every tenant are accepted, because ID tokens name a tenant only by its ID. To sign in
    ///   only the users of one tenant, use its ID.
    public static func microsoft(tenant: String = "common") -> Self {
        let tenant = tenant.isUUID ? tenant.lowercased() : tenant
        let base = "https://login.microsoftonline.com/\(tenant)"
        let isOneTenant = !["common", "organizations", "consumers"].contains(tenant)
        var profile = Self(
            name: "microsoft", displayName: "Microsoft", issuer: isOneTenant ? "\(base)/v2.0" : nil,
            endpoints: Endpoints(
                authorization: "\(base)/oauth2/v2.0/authorize", token: "\(base)/oauth2/v2.0/token",
                deviceAuthorization: "\(base)/oauth2/v2.0/devicecode", userInfo: "https://graph.microsoft.com/oidc/userinfo",
                endSession: "\(base)/oauth2/v2.0/logout", jwks: "\(base)/discovery/v2.0/keys"))
        profile.accountEndpoint = "https://graph.microsoft.com/v1.0/me"
        profile.baseURL = "https://graph.microsoft.com/v1.0"
        profile.quirks.account = .init(id: "id", name: "userPrincipalName")
        profile.defaultScope = ["openid", "profile", "offline_access", "User.Read"]
        profile.clientAuthentication = .post
        profile.revocation = .none
        profile.quirks.requests.clientWithoutSecret = .clientIDInTheBody
        profile.quirks.discovery.issuerTemplate = "https://login.microsoftonline.com/{tenantid}/v2.0"
        profile.quirks.identity.keysHaveIssuers = true
        if tenant.isUUID {
            profile.quirks.identity.requiredClaims = ["tid": tenant]
        } else if isOneTenant {
            // ID tokens name the tenant by its ID, even if the profile names it by its domain.
            profile.quirks.identity.otherIssuers = ["https://login.microsoftonline.com/{tenantid}/v2.0"]
        }
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation =
            "Microsoft identity platform and OAuth 2.0 authorization code flow (learn.microsoft.com)"
        profile.quirks.registration.page = "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps"
        profile.quirks.registration.redirectURIs = [.localhost, .customScheme, .https]
        profile.quirks.registration.notes = [
            "A redirect URI at http://127.0.0.1 can only be registered in the app's manifest.",
            "Access tokens are for the API only; clients should not read their content.",
        ]
        return profile
    }

    /// LinkedIn. Authorization requests have no PKCE challenge, because LinkedIn rejects a code verifier unless it has enabled the app for
    /// native clients. ID tokens contain no `nonce`. Documentation: "Authorization Code Flow (3-legged OAuth)".
    public static let linkedIn = {
        var profile = Self(
            name: "linkedin", displayName: "LinkedIn", issuer: "https://www.linkedin.com/oauth",
            endpoints: Endpoints(
                authorization: "https://www.linkedin.com/oauth/v2/authorization", token: "https://www.linkedin.com/oauth/v2/accessToken",
                revocation: "https://www.linkedin.com/oauth/v2/revoke", userInfo: "https://api.linkedin.com/v2/userinfo",
                jwks: "https://www.linkedin.com/oauth/openid/jwks"))
        profile.accountEndpoint = "https://api.linkedin.com/v2/userinfo"
        profile.defaultScope = ["openid", "profile", "email"]
        profile.clientAuthentication = .post
        profile.defaultTokenType = .bearer
        profile.grantedScopeSeparators = [",", " "]
        profile.quirks.authorization.codeChallenge = .withoutCodeChallengeBecauseTheProviderRejectsIt(
            reason: "LinkedIn responds to a code_verifier with invalid_client unless the app is enabled for native clients")
        profile.quirks.identity.nonce = .mayBeMissing
        profile.quirks.registration.documentation = "Authorization Code Flow (learn.microsoft.com/linkedin)"
        profile.quirks.registration.page = "https://www.linkedin.com/developers/apps"
        profile.quirks.registration.redirectURIs = [.https, .loopbackFixedPort]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = ["Refresh tokens are only issued to approved partners."]
        return profile
    }()
}

extension String {
    /// Whether it has the form of a UUID (RFC 9562 §4).
    fileprivate var isUUID: Bool {
        let lengths = split(separator: "-", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy { "0123456789abcdefABCDEF".utf8.contains($0) } ? part.utf8.count : 0
        }
        return lengths == [8, 4, 4, 4, 12]
    }
}
