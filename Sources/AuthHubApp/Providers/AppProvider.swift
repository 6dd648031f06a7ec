public import AuthHubPrimitives
public import OAuthProtocol

/// A service that people can sign in at with the app.
public struct AppProvider: Sendable, Identifiable {
    /// What the app shows of it once somebody is signed in.
    public enum Service: Sendable, Hashable {
        /// The repositories; with the address of the API, without a slash at the end.
        case gitHub(api: String)
        /// The viewer; with the address of the GraphQL endpoint.
        case aniList(endpoint: String)
    }

    /// Tells it apart from the others that the app offers.
    public internal(set) var id: String
    /// What people call it.
    public internal(set) var name: String
    public let service: Service
    public let profile: ProviderProfile
    public let client: OAuthClient
    /// nil asks for the provider's default.
    public let scope: Scope?

    /// - Parameters:
    ///   - settings: Which provider, and as which client.
    ///   - secret: The client secret, where the settings name a file with one.
    ///   - file: What the settings are called in errors.
    /// - Throws: ``OAuthProtocol/SettingsError`` for a provider that the app has no screen for.
    public init(_ settings: ClientSettings, secret: Secret<String>?, file: String) throws(SettingsError) {
        profile = settings.provider
        (id, name) = (profile.name, profile.displayName)
        client = settings.client(secret: secret)
        scope = settings.scope
        guard let service = Service(profile) else {
            throw SettingsError(
                file: file, field: "provider",
                problem: "is \(displayable(profile.displayName, limit: 60)), which the app does not support; it supports github, "
                    + "github-app, github-enterprise, anilist and anilist-with-secret")
        }
        self.service = service
    }
}

extension AppProvider {
    /// The page of the service where the user ends the browser's session there; nil if the service has none. It does not redirect back.
    public var logoutPage: String? {
        guard case .gitHub = service, let page = profile.endpoints?.authorization, let origin = Origin(url: page) else { return nil }
        return "\(origin)/logout"
    }

    /// What signing out there, too, is called; nil if the service has no page for it.
    var logoutText: String? { logoutPage.map { _ in "Sign Out at \(name) Too" } }
}

extension AppProvider.Service {
    /// By whose quirks the provider has; nil for those that the app has no screen for.
    init?(_ profile: ProviderProfile) {
        switch profile.name {
        case "github", "github-app", "github-enterprise":
            guard let account = profile.accountEndpoint, account.hasSuffix("/user") else { return nil }
            self = .gitHub(api: String(account.dropLast("/user".count)))
        case "anilist", "anilist-with-secret":
            guard let endpoint = profile.accountEndpoint else { return nil }
            self = .aniList(endpoint: endpoint)
        default: return nil
        }
    }
}
