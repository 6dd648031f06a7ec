public import AuthHubPrimitives
public import CredentialStorage
public import OAuthProtocol
import Synchronization
public import WebAuthentication

extension OAuthSession {
    /// The settings of sessions for one client at one authorization server: the grant, the store and the network.
    ///
    /// A configuration serves any number of sessions, each with its own account:
    ///
    /// ```swift
    /// var configuration = OAuthSession.Configuration(
    ///     server: server, client: client, grant: .authorizationCode(browser), store: store, dependencies: .network)
    /// configuration.prompting = .manual
    /// let session = OAuthSession(configuration, label: user.id)
    /// ```
    ///
    /// Sessions that are created with the same configuration, or with unchanged copies of it, share the server's metadata, one subscription
    /// to the store, and the loaders, so that each session needs little memory. A copy whose properties you change no longer shares them
    /// with the original.
    public struct Configuration: Sendable {
        /// The provider. If it has only an issuer, its endpoints are discovered when they are first needed.
        public var server: ProviderProfile { didSet { shared = Shared() } }
        /// The client, as registered with the provider.
        public var client: OAuthClient { didSet { shared = Shared() } }
        /// The scope to request; nil for the provider's default.
        public var scope: Scope? { didSet { shared = Shared() } }
        /// How a session obtains tokens when no one is signed in.
        public var grant: AuthorizationGrant { didSet { shared = Shared() } }
        /// The store for the tokens. Programs that use the same store share the sign-in.
        public var store: any CredentialStore { didSet { shared = Shared() } }
        /// The network, the clock and the logger.
        public var dependencies: Dependencies { didSet { shared = Shared() } }
        /// The APIs to request tokens for, and authorization details (RFC 9396), in addition to the scope; none by default.
        public var target = AccessTarget() { didSet { shared = Shared() } }
        /// The claims to request by name on the sign-in page, in addition to the scope; none by default. Grants without a page do not
        /// support them.
        public var claims = ClaimsRequest() { didSet { shared = Shared() } }
        /// Additional origins whose requests carry the access token, besides the provider's own; none by default. The token is sent only to
        /// https origins and loopback addresses.
        public var tokenOrigins: Set<Origin> = [] { didSet { shared = Shared() } }
        /// The rules to follow in addition to those of every session; nil, the default, for no others.
        public var securityProfile: SecurityProfile? { didSet { shared = Shared() } }
        /// Whether requests may open the sign-in page; `.onDemand` by default.
        public var prompting = SignInPrompting.onDemand { didSet { shared = Shared() } }
        /// What a request does if the server rejects its token and a refresh does not help; `.report` by default.
        public var unauthorizedPolicy = UnauthorizedPolicy.report { didSet { shared = Shared() } }
        /// The maximum time that the user can take to sign in; five minutes by default.
        public var signInTimeout = Duration.seconds(300) { didSet { shared = Shared() } }

        /// Checks who signed in; nil, the default, if any user may sign in.
        package var userCheck: UserCheck? { didSet { shared = Shared() } }

        private var shared = Shared()

        /// Creates a configuration. Properties that are not parameters have their defaults.
        ///
        /// - Parameters:
        ///   - server: The provider. If it has only an issuer, its endpoints are discovered when they are first needed.
        ///   - client: The client, as registered with the provider.
        ///   - scope: The scope to request; nil for the provider's default.
        ///   - grant: How a session obtains tokens when no one is signed in.
        ///   - store: The store for the tokens.
        ///   - dependencies: The network, the clock and the logger.
        public init(
            server: ProviderProfile,
            client: OAuthClient,
            scope: Scope? = nil,
            grant: AuthorizationGrant,
            store: any CredentialStore,
            dependencies: Dependencies
        ) {
            self.server = server
            self.client = client
            self.scope = scope
            self.grant = grant
            self.store = store
            self.dependencies = dependencies
        }
    }
}

extension OAuthSession.Configuration {
    /// The objects that sessions share, created for the first session. Copies of a configuration refer to the same object until a property
    /// is set.
    private final class Shared: Sendable {
        private let configuration = Mutex<SharedConfiguration?>(nil)

        func configuration(_ make: () -> SharedConfiguration) -> SharedConfiguration {
            configuration.withLock { configuration in
                if let configuration { return configuration }
                let made = make()
                configuration = made
                return made
            }
        }
    }

    var sharedConfiguration: SharedConfiguration {
        shared.configuration {
            SharedConfiguration(
                context(at: profile), at: profile, grant: grant, prompting: prompting, unauthorizedPolicy: unauthorizedPolicy,
                userCheck: userCheck, dependencies: dependencies)
        }
    }

    /// The provider, and the resource that a security profile limits its tokens to.
    private var profile: ProviderProfile {
        var profile = server
        if securityProfile != nil { profile.protectedResource = target.resources.first }
        return profile
    }

    private func context(at profile: ProviderProfile) -> SessionContext {
        let backChannel = BackChannel(dependencies)
        let rules = securityProfile.map {
            SecurityRules(
                $0, server: server, client: client, resources: target.resources, tokenOrigins: tokenOrigins,
                showsPage: grant.browser != nil)
        }
        let request = AccessRequest(client: client, scope: scope ?? server.defaultScope, target: target, claims: claims)
        let directory = ServerDirectory(
            profile, clientID: client.id, tokenOrigins: tokenOrigins, rules: rules, forOpenID: request.scope.contains("openid"),
            backChannel: backChannel)
        return SessionContext(
            request, at: directory, store: store, backChannel: backChannel, signInTimeout: signInTimeout, dependencies: dependencies)
    }
}

extension OAuthSession {
    #if AsyncHTTPClient
    /// Creates a session for the usual case: one account, a sign-in page in a browser, and the defaults of ``Configuration``.
    ///
    /// - Parameters:
    ///   - server: The provider. If it has only an issuer, its endpoints are discovered when they are first needed.
    ///   - client: The client, as registered with the provider.
    ///   - scope: The scope to request; nil for the provider's default.
    ///   - browser: The browser that shows the sign-in page.
    ///   - store: The store for the tokens.
    ///   - dependencies: The network, the clock and the logger; by default the network through AsyncHTTPClient.
    public convenience init(
        server: ProviderProfile,
        client: OAuthClient,
        scope: Scope? = nil,
        browser: any WebAuthenticator,
        store: any CredentialStore,
        dependencies: Dependencies = .network
    ) {
        self.init(
            Configuration(
                server: server, client: client, scope: scope, grant: .authorizationCode(browser), store: store, dependencies: dependencies))
    }
    #else
    /// Creates a session for the usual case: one account, a sign-in page in a browser, and the defaults of ``Configuration``.
    ///
    /// - Parameters:
    ///   - server: The provider. If it has only an issuer, its endpoints are discovered when they are first needed.
    ///   - client: The client, as registered with the provider.
    ///   - scope: The scope to request; nil for the provider's default.
    ///   - browser: The browser that shows the sign-in page.
    ///   - store: The store for the tokens.
    ///   - dependencies: The network, the clock and the logger.
    public convenience init(
        server: ProviderProfile,
        client: OAuthClient,
        scope: Scope? = nil,
        browser: any WebAuthenticator,
        store: any CredentialStore,
        dependencies: Dependencies
    ) {
        self.init(
            Configuration(
                server: server, client: client, scope: scope, grant: .authorizationCode(browser), store: store, dependencies: dependencies))
    }
    #endif
}
