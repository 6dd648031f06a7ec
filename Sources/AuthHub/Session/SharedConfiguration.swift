import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import Logging
import OAuthProtocol
import Platform
import WebAuthentication

/// A configuration in use, and the objects that its sessions share: the server's metadata, one subscription to the store, and the loaders.
final class SharedConfiguration: SessionPart {
    let context: SessionContext
    let grant: AuthorizationGrant
    /// nil if the store does not report changes.
    let storeChanges: StoreChanges?
    let prompting: SignInPrompting
    let unauthorizedPolicy: UnauthorizedPolicy
    /// The loaders and the transport of these sessions' chains.
    let links: ChainLinks
    /// The server's name in stored credentials.
    private let serverIdentity: String
    private let userCheck: UserCheck?
    private let dependencies: Dependencies
    private let transport: TransportPolicy

    init(
        _ context: SessionContext, at profile: ProviderProfile, grant: AuthorizationGrant, prompting: SignInPrompting,
        unauthorizedPolicy: UnauthorizedPolicy, userCheck: UserCheck?, dependencies: Dependencies
    ) {
        self.context = context
        self.grant = grant
        storeChanges = (context.store as? any CredentialChangeFeed).map { StoreChanges($0, now: dependencies.now) }
        self.prompting = grant.needsPerson ? (grant.signsIn ? prompting : .manual) : .onDemand
        self.unauthorizedPolicy = grant.needsPerson ? (grant.signsIn ? unauthorizedPolicy : .report) : .signInAgain
        self.userCheck = grant.needsPerson ? userCheck : nil
        self.dependencies = dependencies
        transport = profile.transport
        serverIdentity = profile.identity
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
            collection: TokenCollection(context: context, account: account, userCheck: userCheck),
            needsOwnPage: claims.hasRequirements, now: now)
    }

    private func way(keeping pendingSignIns: PendingSignIns) -> any SignInWay {
        switch grant.kind {
        case .browser(let browser):
            BrowserSignIn(
                page: PageFlow(request: context.request, timeout: signInTimeout, backChannel: backChannel), browser: browser,
                pendingSignIns: pendingSignIns)
        case .clientCredentials:
            SignInWithoutPage(context: context, source: nil)
        case .assertion(let source):
            SignInWithoutPage(context: context, source: source)
        case .device(let presentation):
            DeviceSignIn(context: context, presentation: presentation)
        case .refreshToken: NoSignIn()
        }
    }

    func refresher(of account: CredentialAccount) -> Refresher {
        Refresher(context, of: account)
    }

    func userInfoReader(at profile: ProviderProfile) -> UserInfoReader {
        UserInfoReader(
            client: client, keys: ServerKeys(client: client, backChannel: backChannel, message: .userInfo), profile: profile)
    }

    func externalClaimsReader(from issuers: [ProviderProfile], fetching: Bool) -> ExternalClaimsReader {
        ExternalClaimsReader(
            issuers: issuers, fetches: fetching, clientID: client.id, transport: transport, dependencies: dependencies)
    }

    /// nil for a grant without a browser.
    var endSessionPage: EndSessionPage? {
        grant.browser.map { EndSessionPage(context: context, browser: $0) }
    }
}
