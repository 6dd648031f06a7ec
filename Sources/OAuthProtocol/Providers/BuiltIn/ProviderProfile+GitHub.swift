import AuthHubPrimitives

extension ProviderProfile {
    /// An OAuth app at GitHub: its tokens have no expiry, and are asked for with scopes.
    public static let gitHub = gitHub(web: "https://github.com", api: "https://api.github.com")

    /// A GitHub App: user tokens that expire after 8 hours and are renewed; permissions instead of scopes.
    public static let gitHubApp = gitHubApp(web: "https://github.com", api: "https://api.github.com")

    /// An OAuth app at a GitHub of one's own, or at a double of it.
    ///
    /// - Parameters:
    ///   - web: Where people sign in, without a slash at the end.
    ///   - api: Where the API is: `https://HOST/api/v3` for GitHub Enterprise Server.
    public static func gitHub(web: String, api: String, transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = gitHubApp(web: web, api: api, transport: transport)
        profile.name = "github"
        profile.defaultScope = ["read:user"]
        profile.quirks.refreshTokens = .none
        profile.quirks.registration.documentation = "Authorizing OAuth apps (docs.github.com)"
        profile.quirks.registration.page = "\(web)/settings/applications/new"
        return profile
    }

    /// An OAuth app at a GitHub Enterprise Server.
    ///
    /// - Parameters:
    ///   - web: `https://HOST`, without a slash at the end.
    ///   - api: The URL of the API; nil means `/api/v3` at `web`.
    public static func gitHubEnterprise(web: String, api: String? = nil, transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = gitHub(web: web, api: api ?? "\(web)/api/v3", transport: transport)
        profile.name = "github-enterprise"
        profile.displayName = "GitHub Enterprise"
        return profile
    }

    /// A GitHub App at a GitHub of one's own, or at a double of it.
    package static func gitHubApp(web: String, api: String, transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = Self(
            name: "github-app",
            displayName: "GitHub",
            endpoints: Endpoints(
                authorization: "\(web)/login/oauth/authorize",
                token: "\(web)/login/oauth/access_token",
                deviceAuthorization: "\(web)/login/device/code"))
        profile.transport = transport
        profile.responseIssuer = "\(web)/login/oauth"
        profile.accountEndpoint = "\(api)/user"
        profile.clientAuthentication = .post
        profile.grantedScopeSeparators = [",", " "]
        profile.quirks.responses.encodings = [.json, .form, .formAsPlainText]
        profile.quirks.requests.devicesNeedNoClientSecret = true
        profile.quirks.responses.errorCodes = [
            "bad_refresh_token": .invalidGrant,
            "bad_verification_code": .invalidGrant,
            "device_flow_disabled": .unauthorizedClient,
            "incorrect_client_credentials": .invalidClient,
            "incorrect_device_code": .invalidGrant,
            "redirect_uri_mismatch": .invalidRequest,
            "token_expired": .expiredToken,
        ]
        profile.revocation = .gitHub(applications: "\(api)/applications")
        profile.quirks.refreshTokens = .rotated
        profile.quirks.registration.documentation = "Generating a user access token for a GitHub App (docs.github.com)"
        profile.quirks.registration.page = "\(web)/settings/apps/new"
        profile.quirks.registration.redirectURIs = [.loopbackAnyPort, .customScheme, .https]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = ["The secret is needed even with PKCE, except for the device flow."]
        return profile
    }
}
