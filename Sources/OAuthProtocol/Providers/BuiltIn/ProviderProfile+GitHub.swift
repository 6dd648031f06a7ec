import AuthHubPrimitives

extension ProviderProfile {
    /// GitHub with an OAuth app. Tokens do not expire, and access is requested with scopes.
    public static let gitHub = gitHub(web: "https://github.com", api: "https://api.github.com")

    /// GitHub with a GitHub App. User tokens expire after 8 hours and can be refreshed. Permissions of the app replace scopes.
    public static let gitHubApp = gitHubApp(web: "https://github.com", api: "https://api.github.com")

    /// Creates a profile for an OAuth app at another GitHub, such as a GitHub Enterprise Server or a test server.
    ///
    /// - Parameters:
    ///   - web: The base URL of the sign-in pages, without a trailing slash.
    ///   - api: The base URL of the API, such as `https://HOST/api/v3` for GitHub Enterprise Server.
    ///   - transport: The policy for these URLs; by default, only https is allowed.
    public static func gitHub(web: String, api: String, transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = gitHubApp(web: web, api: api, transport: transport)
        profile.name = "github"
        profile.defaultScope = ["read:user"]
        profile.quirks.refreshTokens = .none
        profile.quirks.registration.documentation = "Authorizing OAuth apps (docs.github.com)"
        profile.quirks.registration.page = "\(web)/settings/applications/new"
        return profile
    }

    /// Creates a profile for an OAuth app at a GitHub Enterprise Server.
    ///
    /// - Parameters:
    ///   - web: The base URL of the server: `https://HOST`, without a trailing slash.
    ///   - api: The base URL of the API; by default, `/api/v3` at `web`.
    ///   - transport: The policy for these URLs; by default, only https is allowed.
    public static func gitHubEnterprise(web: String, api: String? = nil, transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = gitHub(web: web, api: api ?? "\(web)/api/v3", transport: transport)
        profile.name = "github-enterprise"
        profile.displayName = "GitHub Enterprise"
        return profile
    }

    /// Creates a profile for a GitHub App at another GitHub, such as a test server.
    public static func gitHubApp(web: String, api: String, transport: TransportPolicy = .httpsOnly) -> Self {
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
        profile.baseURL = api
        profile.quirks.account = .init(id: "id", name: "login")
        profile.clientAuthentication = .post
        profile.grantedScopeSeparators = [",", " "]
        profile.quirks.responses.encodings = [.json, .form, .formAsPlainText]
        profile.quirks.requests.devicesNeedNoClientSecret = true
        profile.quirks.git.userName = "x-access-token"
        profile.quirks.git.ignoresUserName = true
        if web == "https://github.com" {
            profile.quirks.git.origins = Set(["github.com", "gist.github.com"].map { Origin(scheme: "https", host: $0, port: 443) })
        }
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
