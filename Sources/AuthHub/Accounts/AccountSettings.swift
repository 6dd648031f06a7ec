import AuthHubPrimitives
public import CredentialStorage
public import OAuthProtocol

/// The settings of an account: the provider, the client and the options that it was signed in with, but not its tokens.
///
/// Store the settings in an ``AccountBook`` to reopen a session later with only the account's label:
///
/// ```swift
/// let book = AccountBook(store: store)
/// try await book.save(AccountSettings(provider: .builtIn("github-app"), client: client), as: "work")
///
/// if let account = try await book.settings(of: "work") {
///     let configuration = try OAuthSession.Configuration(
///         account, grant: .authorizationCode(browser), store: store, dependencies: .network)
///     let session = OAuthSession(configuration, label: "work")
/// }
/// ```
public struct AccountSettings: Sendable, Equatable {
    /// The provider: a built-in one, an issuer, or one described by a profile.
    public var provider: ProviderReference
    /// The user's name for the provider; nil for the provider's own name.
    public var name: String?
    /// The client, including its secret and its redirect URI.
    public var client: OAuthClient
    /// The scope to request; nil for the provider's default.
    public var scope: Scope?
    /// The protected resource that the tokens are for, and the only one that receives them; nil for the provider's own servers.
    package var resource: ResourceIndicator?
    /// Whether the user or the program has named the issuer of the resource's tokens, too.
    package var isIssuerConfirmed = false
    /// Whether the resource's metadata and its server may be in a private network.
    package var allowsPrivateServers = false
    /// Whether the resource has no metadata, so that its origin is used as its authorization server.
    package var assumesOrigin = false
    /// Whether the server of the resource may be silent about PKCE, which is used anyway.
    package var skipsProofKeyCheck = false
    /// Whether requests for tokens do not name the resource, because its server rejects the parameter `resource` (RFC 8707).
    package var omitsResourceParameter = false
    /// Endpoints that replace those of the provider.
    package var overrides = EndpointOverrides()
    /// Whether http is allowed for a server on this machine, during development.
    public var allowsInsecureLoopback: Bool
    /// Whether tokens are issued to the client itself instead of a user (client credentials grant, RFC 6749 §4.4).
    public var usesClientCredentials: Bool
    /// The source of the account's assertions; nil if it signs in in another way.
    package var assertion: AssertionSettings?
    /// The absolute path of the settings file that the client and the provider were read from; nil if there is none, or if another client
    /// has been specified since.
    package var settingsFile: String?

    /// Creates settings. Parameters that you omit have the provider's defaults.
    public init(
        provider: ProviderReference,
        name: String? = nil,
        client: OAuthClient,
        scope: Scope? = nil,
        allowsInsecureLoopback: Bool = false,
        usesClientCredentials: Bool = false
    ) {
        self.provider = provider
        self.name = name
        self.client = client
        self.scope = scope
        self.allowsInsecureLoopback = allowsInsecureLoopback
        self.usesClientCredentials = usesClientCredentials
    }
}

extension AccountSettings {
    /// Returns the provider's profile, with the endpoints and the display name that these settings override.
    ///
    /// - Throws: ``SessionError`` with `.misconfigured` if the provider is unknown or cannot be used.
    public func profile() throws(SessionError) -> ProviderProfile {
        var profile = try provider.profile(hasSecret: client.secret != nil, transport: transport)
        if let name { profile.displayName = name }
        profile.protectedResource = resource
        profile.isNamedByResource = resource != nil && !isIssuerConfirmed
        profile.isConfirmed = resource != nil && isIssuerConfirmed
        // What the server has registered takes precedence over what its metadata lists.
        if hasRegisteredClient { profile.clientAuthentication = profile.clientAuthentication ?? client.authentication }
        return profile.overriding(overrides)
    }

    /// Returns the account under which the tokens are stored.
    ///
    /// - Throws: ``SessionError`` with `.misconfigured`, as ``profile()`` does.
    public func account(label: String = "default") throws(SessionError) -> CredentialAccount {
        CredentialAccount(server: try profile().identity, clientID: client.id, label: label)
    }

    /// The server at which users sign in, for display.
    package var server: String {
        if provider.isIssuer { return provider.name }
        return (try? profile().identity).flatMap { Origin(url: $0)?.description } ?? provider.name
    }

    /// Whether the tool or a ``ResourceSession`` has registered the client at the issuer, as its redirect URI shows.
    package var hasRegisteredClient: Bool {
        guard provider.isIssuer, case .loopback(_, let path) = client.redirectURI.kind,
            case .loopback(_, let own) = RedirectURI.loopback(forClientsOf: provider.name).kind
        else { return false }
        return path == own
    }

    /// Returns dependencies for requests to the server: if a resource named it, requests go only to hosts that it may name.
    package func guarded(_ dependencies: Dependencies) -> Dependencies {
        guard let resource else { return dependencies }
        var guarded = dependencies
        guarded.hostGuard = HostGuard(
            HostPolicy(for: transport, allowsPrivateServers: allowsPrivateServers), exempting: resource.origin?.host, by: dependencies)
        return guarded
    }

    package var transport: TransportPolicy { allowsInsecureLoopback ? .insecureHTTPOnLoopbackForDevelopment : .httpsOnly }
}
