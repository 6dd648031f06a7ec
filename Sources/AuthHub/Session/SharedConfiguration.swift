import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import Logging
import OAuthProtocol
import Platform
import WebAuthentication

/// A configuration in use, and the objects that its sessions share: the server's metadata, one subscription to the store, and the loaders.
final class SharedConfiguration: Sendable {
    let server: ServerDirectory
    let client: OAuthClient
    private let scope: Scope
    let target: AccessTarget
    let claims: ClaimsRequest
    let grant: AuthorizationGrant
    let store: any CredentialStore
    /// nil if the store does not report changes.
    let storeChanges: StoreChanges?
    let prompting: SignInPrompting
    let unauthorizedPolicy: UnauthorizedPolicy
    let signInTimeout: Duration
    let now: @Sendable () -> Date
    let clock: LoadClock
    let storeRetryPauses: [Duration]
    /// The loaders and the transport of these sessions' chains.
    let links: ChainLinks
    /// The server's name in stored credentials.
    private let serverIdentity: String
    private let userCheck: UserCheck?
    let backChannel: BackChannel
    private let dependencies: Dependencies
    private let transport: TransportPolicy
    let logger: Logger?

    init(
        server: ProviderProfile, client: OAuthClient, scope: Scope?, target: AccessTarget, claims: ClaimsRequest, tokenOrigins: Set<Origin>,
        securityProfile: SecurityProfile?, grant: AuthorizationGrant, store: any CredentialStore, prompting: SignInPrompting,
        unauthorizedPolicy: UnauthorizedPolicy,
        signInTimeout: Duration, userCheck: UserCheck?, dependencies: Dependencies
    ) {
        let backChannel = BackChannel(dependencies)
        let rules = securityProfile.map {
            SecurityRules(
                $0, server: server, client: client, resources: target.resources, tokenOrigins: tokenOrigins,
                showsPage: grant.browser != nil)
        }
        var server = server
        if rules != nil { server.protectedResource = target.resources.first }
        let scope = scope ?? server.defaultScope
        self.server = ServerDirectory(
            server, clientID: client.id, tokenOrigins: tokenOrigins, rules: rules, forOpenID: scope.contains("openid"),
            backChannel: backChannel)
        self.client = client
        self.scope = scope
        self.target = target
        self.claims = claims
        self.grant = grant
        self.store = store
        storeChanges = (store as? any CredentialChangeFeed).map { StoreChanges($0, now: dependencies.now) }
        self.prompting = grant.needsPerson ? (grant.signsIn ? prompting : .manual) : .onDemand
        self.unauthorizedPolicy = grant.needsPerson ? (grant.signsIn ? unauthorizedPolicy : .report) : .signInAgain
        self.signInTimeout = signInTimeout
        self.userCheck = userCheck
        self.backChannel = backChannel
        self.dependencies = dependencies
        transport = server.transport
        serverIdentity = server.identity
        now = dependencies.now
        clock = dependencies.clock
        storeRetryPauses = dependencies.storeRetryPauses
        logger = dependencies.logger
        // A resource must not lead requests into a private network, either, which its redirects could do.
        let reach: [any Loader] = dependencies.hostGuard.map { [ReachLoader($0)] } ?? []
        links = dependencies.links([RedirectLoader(), SessionLoader()] + reach)
    }
}

/// The parts of a session, which are created when it needs them.
extension SharedConfiguration {
    func account(_ label: String) -> CredentialAccount {
        CredentialAccount(server: serverIdentity, clientID: client.id, label: label)
    }

    func signInTurn(of account: CredentialAccount) -> SignInTurn {
        SignInTurn(account: account, store: store, timeout: signInTimeout, logger: logger)
    }

    func signInFlow(of account: CredentialAccount, turn: SignInTurn) -> SignInFlow {
        let pendingSignIns = PendingSignIns(of: account, in: store, now: now)
        return SignInFlow(
            account: account, server: server, way: way(keeping: pendingSignIns), store: store, turn: turn, pendingSignIns: pendingSignIns,
            collection: TokenCollection(
                account: account, client: client, scope: scope, resources: target.resources, server: server, store: store,
                backChannel: backChannel, userCheck: grant.needsPerson ? userCheck : nil, now: now, clock: clock,
                storeRetryPauses: storeRetryPauses),
            needsOwnPage: claims.hasRequirements, now: now)
    }

    private func way(keeping pendingSignIns: PendingSignIns) -> any SignInWay {
        switch grant.kind {
        case .browser(let browser):
            BrowserSignIn(
                page: PageFlow(
                    client: client, scope: scope, target: target, claims: claims, timeout: signInTimeout, backChannel: backChannel,
                    now: now),
                browser: browser, pendingSignIns: pendingSignIns)
        case .clientCredentials:
            SignInWithoutPage(client: client, scope: scope, target: target, claims: claims, source: nil)
        case .assertion(let source):
            SignInWithoutPage(client: client, scope: scope, target: target, claims: claims, source: source)
        case .device(let presentation):
            DeviceSignIn(
                client: client, scope: scope, target: target, claims: claims, timeout: signInTimeout, presentation: presentation,
                backChannel: backChannel, clock: clock, logger: logger, now: now)
        case .refreshToken: NoSignIn()
        }
    }

    func refresher(of account: CredentialAccount) -> Refresher {
        Refresher(
            account: account, client: client, resources: target.resources, server: server, store: store, backChannel: backChannel, now: now,
            clock: clock, storeRetryPauses: storeRetryPauses)
    }

    func userInfoReader(at profile: ProviderProfile) -> UserInfoReader {
        UserInfoReader(keys: ServerKeys(client: client, backChannel: backChannel, message: .userInfo), profile: profile)
    }

    func externalClaimsReader(from issuers: [ProviderProfile], fetching: Bool) -> ExternalClaimsReader {
        ExternalClaimsReader(
            issuers: issuers, fetches: fetching, clientID: client.id, transport: transport, dependencies: dependencies)
    }

    var revoker: Revoker {
        Revoker(client: client, server: server, backChannel: backChannel)
    }

    /// nil for a grant without a browser.
    var endSessionPage: EndSessionPage? {
        grant.browser.map {
            EndSessionPage(
                client: client, server: server, browser: $0, backChannel: backChannel, timeout: signInTimeout, clock: clock)
        }
    }
}
