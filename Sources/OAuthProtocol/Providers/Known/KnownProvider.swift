import AuthHubPrimitives

/// A provider whose habits are known here, by its name.
public struct KnownProvider: Sendable {
    /// What has to be said besides the name.
    public enum Place: Sendable, Hashable {
        /// Nothing: there is one.
        case fixed
        /// The address of a server of one's own, without which it is this one; nil where there is no such one.
        case address(default: String?)
        /// A tenant's name, without which it is this one.
        case tenant(default: String)
    }

    /// What configuration and commands call it: `github-app`.
    public let name: String
    public let place: Place
    private let make: @Sendable (String, TransportPolicy) -> ProviderProfile

    init(_ name: String, _ place: Place = .fixed, _ make: @escaping @Sendable (String, TransportPolicy) -> ProviderProfile) {
        self.name = name
        self.place = place
        self.make = make
    }

    init(_ profile: ProviderProfile) {
        self.init(profile.name) { _, _ in profile }
    }
}

extension KnownProvider {
    /// The provider's profile.
    ///
    /// - Parameters:
    ///   - place: As ``Place-swift.enum`` says: an https URL without query, or a tenant's name. Where `transport` takes http on this
    ///     machine, also the address of a server there that plays a provider of whose servers there is only one.
    ///   - transport: Which addresses are taken.
    /// - Throws: ``OAuthError`` with `.configuration` where a place is missing, superfluous, or not one that can be used.
    public func profile(at place: String? = nil, transport: TransportPolicy = .httpsOnly) throws(OAuthError) -> ProviderProfile {
        if let place, transport == .insecureHTTPOnLoopbackForDevelopment, isPlayed(at: place) {
            return try profile().rebased(onto: place.withoutFinalSlash, transport: transport)
        }
        switch self.place {
        case .fixed:
            guard place == nil else { throw OAuthError(.configuration, "there is only one \(name): it has no address of one's own") }
            return make("", transport)
        case .tenant(let tenant):
            let tenant = place ?? tenant
            guard !tenant.isEmpty, tenant.utf8.allSatisfy({ $0.isUnreserved }) else {
                throw OAuthError(.configuration, "a tenant is an id or a domain: letters, digits, - . _ ~")
            }
            return make(tenant, transport)
        case .address(let address):
            guard let text = place ?? address else {
                throw OAuthError(.configuration, "\(name) needs the address of the server: https://HOST")
            }
            guard transport.allows(text), !text.contains("?") else {
                throw OAuthError(.configuration, "the address of \(name) is an https URL without query and fragment")
            }
            return make(text.withoutFinalSlash, transport)
        }
    }

    /// Whether this is the address of a server on this machine that plays a provider of whose servers there is only one.
    package func isPlayed(at address: String) -> Bool {
        if case .address = place { return false }
        return Origin(url: address)?.isLoopback ?? false
    }
}

extension String {
    fileprivate var withoutFinalSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}

extension ProviderProfile {
    /// All providers that are known by name, in alphabetical order. Any other is reached by its issuer, ``issuer(_:)``, or by a file,
    /// ``init(settings:file:transport:)``.
    public static let known: [KnownProvider] = [
        KnownProvider(.aniList),
        KnownProvider(.aniListWithSecret),
        KnownProvider(.atlassian),
        KnownProvider(.bitbucket),
        KnownProvider(.discord),
        KnownProvider(.dropbox),
        KnownProvider(.facebook),
        KnownProvider(.fitbit),
        KnownProvider("github", .address(default: "https://github.com")) { .gitHub(web: $0, api: gitHubAPI(of: $0), transport: $1) },
        KnownProvider("github-app", .address(default: "https://github.com")) { .gitHubApp(web: $0, api: gitHubAPI(of: $0), transport: $1) },
        KnownProvider("github-enterprise", .address(default: nil)) { .gitHubEnterprise(web: $0, transport: $1) },
        KnownProvider("gitlab", .address(default: "https://gitlab.com")) { .gitLab(base: $0, transport: $1) },
        KnownProvider(.google),
        KnownProvider(.linkedIn),
        KnownProvider("mastodon", .address(default: nil)) { .mastodon(instance: $0, transport: $1) },
        KnownProvider("microsoft", .tenant(default: "common")) { tenant, _ in .microsoft(tenant: tenant) },
        KnownProvider(.notion),
        KnownProvider(.reddit),
        KnownProvider(.slack),
        KnownProvider(.slackBot),
        KnownProvider(.spotify),
        KnownProvider(.strava),
        KnownProvider(.tikTok),
        KnownProvider(.twitch),
        KnownProvider(.x),
        KnownProvider(.zoom),
    ]

    /// The known provider of this name.
    public static func known(_ name: String) -> KnownProvider? {
        known.first { $0.name.hasSameBytes(as: name) }
    }

    private static func gitHubAPI(of web: String) -> String {
        web == "https://github.com" ? "https://api.github.com" : "\(web)/api/v3"
    }
}
