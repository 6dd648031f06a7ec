extension ProviderProfile {
    /// AniList, for programs that keep no secret: its implicit grant, whose token comes in the fragment of the callback, lives for a year
    /// and cannot be renewed. It has no scopes.
    public static let aniList = aniList(web: "https://anilist.co", graphQL: "https://graphql.anilist.co")

    /// AniList, for programs that keep a secret, such as servers: its code grant.
    public static let aniListWithSecret = aniListWithSecret(web: "https://anilist.co", graphQL: "https://graphql.anilist.co")

    /// AniList's implicit grant there, or at a double of it.
    ///
    /// AniList takes the registered redirect URI, to the letter: a loopback one with its port. Its answers are held to the `state` that was
    /// sent, as RFC 6749 §4.2.2 has it; AniList's documentation says nothing of `state`. Should its answers come without, see
    /// `accepts_answers_without_state_because_the_provider_echoes_none` in a settings file.
    ///
    /// - Parameters:
    ///   - web: Where people sign in, without a slash at the end.
    ///   - graphQL: The URL of the GraphQL endpoint, which may see the token.
    public static func aniList(web: String, graphQL: String, transport: TransportPolicy = .httpsOnly) -> Self {
        var profile = aniListWithSecret(web: web, graphQL: graphQL, transport: transport)
        profile.name = "anilist"
        profile.clientAuthentication = ClientAuthenticationMethod.none
        profile.quirks.authorizationResponses.responseType = .token
        profile.quirks.registration.secret = .none
        profile.quirks.authorizationResponses.omitsRedirectURIIfATokenIsRequested = true
        return profile
    }

    /// AniList's code grant there, or at a double of it.
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
        return profile
    }
}
