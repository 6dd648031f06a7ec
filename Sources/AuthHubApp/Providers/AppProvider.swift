public import AuthHubPrimitives
public import OAuthProtocol

/// A service that users can sign in to with the app.
public struct AppProvider: Sendable, Identifiable {
    /// The content that the app shows to a signed-in user.
    public enum Service: Sendable, Hashable {
        /// The user's repositories. `api` is the URL of the API, without a trailing slash.
        case gitHub(api: String)
        /// The user's AniList account. `endpoint` is the URL of the GraphQL endpoint.
        case aniList(endpoint: String)
        /// The user's name and picture from the verified ID token. `issuer` is the URL of the server.
        case openID(issuer: String)
    }

    /// An identifier that is unique in the app.
    public internal(set) var id: String
    /// The name to show to the user.
    public internal(set) var name: String
    /// The content to show to a signed-in user, and the URL from which to load it.
    public let service: Service
    /// The authorization server at which the user signs in, and its quirks.
    public let profile: ProviderProfile
    /// The client, including its secret if it has one.
    public let client: OAuthClient
    /// The scope to request; nil for the provider's default.
    public let scope: Scope?

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - settings: The settings of the provider and the client.
    ///   - secret: The client secret, if the settings name a file with a secret.
    ///   - file: The name of the settings file, for error messages.
    /// - Throws: ``OAuthProtocol/SettingsError`` if the app has no screen for the provider.
    public init(_ settings: ClientSettings, secret: Secret<String>?, file: String) throws(SettingsError) {
        profile = settings.provider
        (id, name) = (profile.name, profile.displayName)
        client = settings.client(secret: secret)
        scope = settings.scope
        guard let service = Service(profile, scope: settings.scope) else {
            throw SettingsError(
                file: file, field: "provider",
                problem: "is \(displayable(profile.displayName, limit: 60)), which the app does not support; it supports github, "
                    + "github-app, github-enterprise, anilist, anilist-with-secret, and OpenID providers with the scope openid")
        }
        self.service = service
    }
}

extension AppProvider {
    /// The page of the service where the user ends the browser's session there; nil if the service has none. It does not redirect back.
    package var logoutPage: String? {
        guard case .gitHub = service, let page = profile.endpoints?.authorization, let origin = Origin(url: page) else { return nil }
        return "\(origin)/logout"
    }

    /// The label for also signing out at the service; nil if the service has no page for it.
    var logoutText: String? { logoutPage.map { _ in "Sign Out at \(name) Too" } }
}

extension AppProvider.Service {
    /// Finds the service by the provider's quirks; returns nil for providers that the app has no screen for.
    ///
    /// - Parameter scope: The requested scope; nil for the provider's default.
    init?(_ profile: ProviderProfile, scope: Scope?) {
        switch profile.name {
        case "github", "github-app", "github-enterprise":
            guard let account = profile.accountEndpoint, account.hasSuffix("/user") else { return nil }
            self = .gitHub(api: String(account.dropLast("/user".count)))
        case "anilist", "anilist-with-secret":
            guard let endpoint = profile.accountEndpoint else { return nil }
            self = .aniList(endpoint: endpoint)
        default:
            // Without endpoints, the metadata names the key set.
            let hasKeys = profile.endpoints.map { $0.jwks != nil } ?? true
            guard hasKeys, (scope ?? profile.defaultScope).contains("openid") else { return nil }
            self = .openID(issuer: profile.identity)
        }
    }
}
