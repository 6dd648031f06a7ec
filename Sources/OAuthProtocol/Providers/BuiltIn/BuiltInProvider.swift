import AuthHubPrimitives

/// A built-in provider.
package struct BuiltInProvider: Sendable {
    /// What the caller must specify besides the name.
    package enum Place: Sendable, Hashable {
        /// Nothing: there is only one server.
        case fixed
        /// The URL of the server; `default` is used if none is given. If `default` is nil, the URL is required.
        case url(default: String?)
        /// The name of a tenant; `default` is used if none is given.
        case tenant(default: String)
    }

    /// The name in configuration and commands: `github-app`.
    package let name: String
    /// The server URL or tenant that the caller can specify besides the name.
    package let place: Place
    /// Creates the profile for a server or tenant, with the API at another URL if one is given.
    private let make: @Sendable (_ place: String, _ api: String?, TransportPolicy) -> ProviderProfile
    /// Creates the profile for a development server that plays the provider.
    private let play: @Sendable (_ web: String, _ api: String?, TransportPolicy) -> ProviderProfile

    /// Creates a provider with several servers or tenants.
    init(_ name: String, _ place: Place, _ make: @escaping @Sendable (String, String?, TransportPolicy) -> ProviderProfile) {
        self.name = name
        self.place = place
        self.make = make
        play = { web, api, transport in make(Self.defaultPlace(place), nil, .httpsOnly).rebased(onto: web, api: api, transport: transport) }
    }

    /// Creates a provider with only one server.
    init(_ profile: ProviderProfile, played: (@Sendable (String, String?, TransportPolicy) -> ProviderProfile)? = nil) {
        name = profile.name
        place = .fixed
        make = { _, _, _ in profile }
        play = played ?? { web, api, transport in profile.rebased(onto: web, api: api, transport: transport) }
    }

    private static func defaultPlace(_ place: Place) -> String {
        switch place {
        case .fixed: ""
        case .url(let url): url ?? ""
        case .tenant(let tenant): tenant
        }
    }
}

extension BuiltInProvider {
    /// Creates the provider's profile.
    ///
    /// - Parameters:
    ///   - place: As ``Place-swift.enum`` says: an https URL without query, or a tenant's name. If `transport` allows http on this machine,
    ///     also the URL of a server there that plays a provider of which there is only one.
    ///   - api: The URL of the API, an https URL without query, if it does not follow from `place`.
    ///   - transport: Which URLs are allowed.
    /// - Throws: ``OAuthError`` with `.configuration` if a place is missing, superfluous, or can't be used.
    package func profile(
        at place: String? = nil, api: String? = nil, transport: TransportPolicy = .httpsOnly
    ) throws(OAuthError) -> ProviderProfile {
        let api = try api.map { api throws(OAuthError) in try Self.checked(api, transport) }
        if let place, transport == .insecureHTTPOnLoopbackForDevelopment, isPlayed(at: place) {
            return play(try Self.checked(place, transport), api, transport)
        }
        switch self.place {
        case .fixed:
            guard place == nil, api == nil else {
                throw OAuthError(.configuration, "the provider has a fixed URL; only a development server on this machine can replace it")
            }
            return make("", nil, transport)
        case .tenant(let tenant):
            let tenant = place ?? tenant
            guard !tenant.isEmpty, tenant.utf8.allSatisfy({ $0.isUnreserved }) else {
                throw OAuthError(.configuration, "the tenant is not an ID or a domain; use letters, digits, - . _ ~")
            }
            return make(tenant, api, transport)
        case .url(let url):
            guard let text = place ?? url else {
                throw OAuthError(.configuration, "\(name) needs the URL of its server: https://HOST")
            }
            return make(try Self.checked(text, transport), api, transport)
        }
    }

    /// Whether this is the URL of a server on this machine that plays a provider of which there is only one.
    package func isPlayed(at url: String) -> Bool {
        if case .url = place { return false }
        return Origin(url: url)?.isLoopback ?? false
    }

    static let unusableURL = "must be an https URL without user information, query or fragment"

    private static func checked(_ url: String, _ transport: TransportPolicy) throws(OAuthError) -> String {
        guard transport.allows(url), !url.contains("?") else {
            throw OAuthError(.configuration, "the URL \(unusableURL)")
        }
        return url.hasSuffix("/") ? String(url.dropLast()) : url
    }
}

extension ProviderProfile {
    /// All providers that are built in, in alphabetical order. Any other is reached by its issuer, ``issuer(_:)``, or by a file,
    /// ``init(settings:file:transport:)``.
    package static let builtIn: [BuiltInProvider] = [
        BuiltInProvider(.aniList) { .aniList(web: $0, graphQL: $1 ?? "\($0)/graphql", transport: $2) },
        BuiltInProvider(.aniListWithSecret) { .aniListWithSecret(web: $0, graphQL: $1 ?? "\($0)/graphql", transport: $2) },
        BuiltInProvider(.apple),
        BuiltInProvider(.atlassian),
        BuiltInProvider("azure-devops", .tenant(default: "organizations")) { tenant, api, _ in
            .azureDevOps(tenant: tenant).withAPI(at: api)
        },
        BuiltInProvider(.bitbucket),
        BuiltInProvider(.discord),
        BuiltInProvider(.dropbox),
        BuiltInProvider(.facebook),
        BuiltInProvider(.fitbit),
        BuiltInProvider("forgejo", .url(default: "https://codeberg.org")) { .forgejo(base: $0, transport: $2).withAPI(at: $1) },
        BuiltInProvider("gitea", .url(default: "https://gitea.com")) { .gitea(base: $0, transport: $2).withAPI(at: $1) },
        BuiltInProvider("github", .url(default: "https://github.com")) {
            .gitHub(web: $0, api: $1 ?? gitHubAPI(of: $0), transport: $2)
        },
        BuiltInProvider("github-app", .url(default: "https://github.com")) {
            .gitHubApp(web: $0, api: $1 ?? gitHubAPI(of: $0), transport: $2)
        },
        BuiltInProvider("github-enterprise", .url(default: nil)) { .gitHubEnterprise(web: $0, api: $1, transport: $2) },
        BuiltInProvider("gitlab", .url(default: "https://gitlab.com")) { .gitLab(base: $0, transport: $2).withAPI(at: $1) },
        BuiltInProvider(.google),
        BuiltInProvider(.line),
        BuiltInProvider(.linkedIn),
        BuiltInProvider("mastodon", .url(default: nil)) { .mastodon(instance: $0, transport: $2).withAPI(at: $1) },
        BuiltInProvider("microsoft", .tenant(default: "common")) { tenant, api, _ in .microsoft(tenant: tenant).withAPI(at: api) },
        BuiltInProvider(.notion),
        BuiltInProvider(.reddit),
        BuiltInProvider(.slack),
        BuiltInProvider(.slackBot),
        BuiltInProvider(.slackOpenID),
        BuiltInProvider(.spotify),
        BuiltInProvider(.strava),
        BuiltInProvider(.tikTok),
        BuiltInProvider(.twitch),
        BuiltInProvider(.x),
        BuiltInProvider(.zoom),
    ]

    /// The built-in provider of this name.
    package static func builtIn(_ name: String) -> BuiltInProvider? {
        builtIn.first { $0.name.hasSameBytes(as: name) }
    }

    /// The built-in provider of this name, as a client with or without a secret uses it: with one, AniList has the code grant.
    package static func builtIn(_ name: String, hasSecret: Bool) -> BuiltInProvider? {
        builtIn(name == ProviderProfile.aniList.name && hasSecret ? ProviderProfile.aniListWithSecret.name : name)
    }

    private static func gitHubAPI(of web: String) -> String {
        web == "https://github.com" ? "https://api.github.com" : "\(web)/api/v3"
    }
}
