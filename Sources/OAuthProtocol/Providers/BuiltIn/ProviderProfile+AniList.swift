extension ProviderProfile {
    /// AniList with its implicit grant, for programs that cannot keep a secret. The token arrives in the fragment of the callback, is valid
    /// for a year, and cannot be refreshed. AniList has no scopes.
    public static let aniList = aniList(web: "https://anilist.co", graphQL: "https://graphql.anilist.co")

    /// AniList with its authorization code grant, for programs that can keep a secret, such as servers.
    public static let aniListWithSecret = aniListWithSecret(web: "https://anilist.co", graphQL: "https://graphql.anilist.co")

    /// Creates a profile for AniList's implicit grant at other URLs, such as those of a test server.
    ///
    /// AniList accepts a redirect URI only if it is identical to the registered one, including the port of a loopback URI. Its
    /// documentation does not mention `state`, but responses must contain the `state` that was sent (RFC 6749 §4.2.2). If they don't,
    /// describe the provider in a settings file with the member `accepts_responses_without_state_because_the_provider_echoes_none`.
    ///
    /// - Parameters:
    ///   - web: The base URL of the sign-in pages, without a trailing slash.
    ///   - graphQL: The URL of the GraphQL endpoint. Requests to its origin may carry the access token.
    ///   - transport: The policy for these URLs; by default, only https is allowed.
    public static func aniList(web: String, graphQL: String, transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = aniListWithSecret(web: web, graphQL: graphQL, transport: transport)
        profile.name = "anilist"
        profile.clientAuthentication = ClientAuthenticationMethod.none
        profile.quirks.authorizationResponses.responseType = .token
        profile.quirks.registration.secret = .none
        profile.quirks.authorizationResponses.omitsRedirectURIIfATokenIsRequested = true
        return profile
    }

    /// AniList's authorization code grant, at AniList itself or at a test server.
    package static func aniListWithSecret(web: String, graphQL: String, transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = Self(
            name: "anilist-with-secret",
            displayName: "AniList",
            endpoints: Endpoints(authorization: "\(web)/api/v2/oauth/authorize", token: "\(web)/api/v2/oauth/token"))
        profile.transport = transport
        profile.clientAuthentication = .post
        profile.quirks.authorizationResponses.pinPageWhoseTextIsAcceptedWithoutState = "\(web)/api/v2/oauth/pin"
        profile.revocation = .none
        profile.quirks.refreshTokens = .none
        profile.quirks.registration.documentation = "Authentication (docs.anilist.co)"
        profile.quirks.registration.page = "\(web)/settings/developer"
        profile.quirks.registration.redirectURIs = [.loopbackFixedPort, .customScheme, .https]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = [
            "The redirect URI may also be \(web)/api/v2/oauth/pin, a page that shows text to paste; use login --callback pin."
        ]
        profile.accountEndpoint = graphQL
        profile.quirks.account = .init(id: "data.Viewer.id", name: "data.Viewer.name", query: "query { Viewer { id name } }")
        return profile
    }
}
