public import AuthHubPrimitives
public import CredentialStorage
import HTTPLoading
import Logging
public import OAuthProtocol
public import WebAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OAuthSession {
    /// What sessions have in common: one client at one authorization server, and how it reaches store, person and network.
    ///
    /// Made once, it serves any number of sessions, each with an account of its own:
    ///
    /// ```swift
    /// let settings = OAuthSession.Settings(server: server, client: client, browser: browser, store: store, dependencies: .network)
    /// let session = OAuthSession(settings, label: user.id)
    /// ```
    ///
    /// A program that holds many sessions saves their memory so, and the server's metadata is read once for all of them.
    public final class Settings: Sendable {
        let server: ServerDirectory
        let client: OAuthClient
        let scope: Scope?
        let target: AccessTarget
        let method: SignInMethod
        let store: any CredentialStore
        /// nil where the store does not tell of changes.
        let storeChanges: StoreChanges?
        let policy: SignInPolicy
        let unauthorizedPolicy: UnauthorizedPolicy
        let timeout: Duration
        let now: @Sendable () -> Date
        let clock: LoadClock
        let storeRetryPauses: [Duration]
        /// What the chains of all these sessions pass through.
        let links: ChainLinks
        /// What names the server in stored credentials.
        private let serverIdentity: String
        private let backChannel: BackChannel
        let logger: Logger?

        /// - Parameters:
        ///   - server: The provider; its endpoints are discovered at first need where it has only an issuer.
        ///   - client: The program as it is registered there.
        ///   - scope: What to ask for; nil asks for the provider's default.
        ///   - target: What the tokens are for, beyond the scope.
        ///   - resources: More origins whose requests may carry the access token, where they are https or loopback. All others never
        ///     see it.
        ///   - method: How tokens are had when nobody is signed in.
        ///   - store: Keeps the tokens; where several programs share it, they share the sign-in.
        ///   - policy: Whether requests may open the page.
        ///   - unauthorizedPolicy: What a request does when its token is refused, and a refresh does not help.
        ///   - timeout: How long a person may take to sign in.
        ///   - dependencies: Network, clock and logger.
        public init(
            server: ProviderProfile,
            client: OAuthClient,
            scope: Scope? = nil,
            target: AccessTarget = AccessTarget(),
            resources: Set<Origin> = [],
            method: SignInMethod,
            store: any CredentialStore,
            signIn policy: SignInPolicy = .onDemand,
            unauthorizedPolicy: UnauthorizedPolicy = .report,
            timeout: Duration = .seconds(300),
            dependencies: Dependencies
        ) {
            let backChannel = BackChannel(dependencies)
            self.server = ServerDirectory(server, clientID: client.id, resources: resources, backChannel: backChannel)
            self.client = client
            self.scope = scope
            self.target = target
            self.method = method
            self.store = store
            storeChanges = (store as? any CredentialChangeFeed).map { StoreChanges($0, now: dependencies.now) }
            self.policy = method.needsPerson ? policy : .onDemand
            self.unauthorizedPolicy = method.needsPerson ? unauthorizedPolicy : .signInAgain
            self.timeout = timeout
            self.backChannel = backChannel
            serverIdentity = server.identity
            now = dependencies.now
            clock = dependencies.clock
            storeRetryPauses = dependencies.storeRetryPauses
            logger = dependencies.logger
            links = dependencies.links([RedirectLoader(), SessionLoader()])
        }
    }
}

extension OAuthSession.Settings {
    /// The same for sessions that sign in by a page in a browser.
    public convenience init(
        server: ProviderProfile,
        client: OAuthClient,
        scope: Scope? = nil,
        target: AccessTarget = AccessTarget(),
        resources: Set<Origin> = [],
        browser: any WebAuthenticator,
        store: any CredentialStore,
        signIn policy: OAuthSession.SignInPolicy = .onDemand,
        unauthorizedPolicy: OAuthSession.UnauthorizedPolicy = .report,
        timeout: Duration = .seconds(300),
        dependencies: Dependencies
    ) {
        self.init(
            server: server, client: client, scope: scope, target: target, resources: resources, method: .browser(browser), store: store,
            signIn: policy, unauthorizedPolicy: unauthorizedPolicy, timeout: timeout, dependencies: dependencies)
    }
}

/// What a session needs now and then, made when it does.
extension OAuthSession.Settings {
    func account(_ label: String) -> CredentialAccount {
        CredentialAccount(server: serverIdentity, clientID: client.id, label: label)
    }

    func signInTurn(of account: CredentialAccount) -> SignInTurn {
        SignInTurn(account: account, store: store, timeout: timeout, logger: logger)
    }

    func signInFlow(of account: CredentialAccount, turn: SignInTurn) -> SignInFlow {
        let pendingSignIns = PendingSignIns(of: account, in: store, now: now)
        return SignInFlow(
            account: account, server: server, way: way(keeping: pendingSignIns), store: store, turn: turn, pendingSignIns: pendingSignIns,
            collection: TokenCollection(account: account, client: client, server: server, store: store, backChannel: backChannel, now: now),
            now: now)
    }

    private func way(keeping pendingSignIns: PendingSignIns) -> any SignInWay {
        switch method.kind {
        case .browser(let browser):
            BrowserSignIn(
                client: client, scope: scope, target: target, timeout: timeout, browser: browser, pendingSignIns: pendingSignIns,
                backChannel: backChannel, now: now)
        case .clientCredentials:
            ClientCredentialsSignIn(client: client, scope: scope, target: target)
        case .device(let presentation):
            DeviceSignIn(
                client: client, scope: scope, timeout: timeout, presentation: presentation, backChannel: backChannel, clock: clock,
                logger: logger, now: now)
        }
    }

    func refresher(of account: CredentialAccount) -> Refresher {
        Refresher(
            account: account, client: client, resources: target.resources, server: server, store: store, backChannel: backChannel, now: now,
            clock: clock, storeRetryPauses: storeRetryPauses)
    }

    var revoker: Revoker {
        Revoker(client: client, server: server, backChannel: backChannel)
    }

    /// nil where no browser is at hand.
    var endSessionPage: EndSessionPage? {
        method.browser.map { EndSessionPage(client: client, server: server, browser: $0, timeout: timeout, clock: clock) }
    }
}
