#if AsyncHTTPClient
import AsyncHTTPClientTransport
public import AuthHubPrimitives
public import CredentialStorage
public import OAuthProtocol
public import WebAuthentication

extension OAuthSession {
    /// A session over the network, by AsyncHTTPClient, with the system's clock and no logger.
    ///
    /// The parameters are those of the initialiser that takes ``Dependencies``.
    public convenience init(
        server: ProviderProfile,
        client: OAuthClient,
        scope: Scope? = nil,
        label: String = "default",
        resources: Set<Origin> = [],
        browser: any WebAuthenticator,
        store: any CredentialStore,
        signIn policy: SignInPolicy = .onDemand,
        unauthorizedPolicy: UnauthorizedPolicy = .report,
        timeout: Duration = .seconds(300)
    ) {
        self.init(
            server: server, client: client, scope: scope, label: label, resources: resources, browser: browser, store: store,
            signIn: policy, unauthorizedPolicy: unauthorizedPolicy, timeout: timeout, dependencies: .network)
    }
}

extension Dependencies {
    /// The network by AsyncHTTPClient, the system's names and clock, no logger. All that is made with it shares servers' metadata.
    public static let network: Dependencies = {
        var dependencies = Dependencies(transport: NetworkTransport.shared)
        dependencies.addresses = HostAddresses.ofSystem
        return dependencies
    }()
}
#endif
