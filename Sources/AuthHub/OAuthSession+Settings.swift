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
    /// let settings = OAuthSession.Settings(server: server, client: client, browser: browser, store: store, surroundings: .network)
    /// let session = OAuthSession(settings, label: user.id)
    /// ```
    ///
    /// A program that holds many sessions saves their memory so, and the server's metadata is read once for all of them.
    public final class Settings: Sendable {
        let server: ServerDirectory
        let client: OAuthClient
        let scope: Scope?
        let browser: any WebAuthenticator
        let store: any CredentialStore
        let policy: SignInPolicy
        let refusals: RefusalPolicy
        let timeout: Duration
        let now: @Sendable () -> Date
        let clock: LoadClock
        /// What the chains of all these sessions pass through.
        let links: ChainLinks
        /// What names the server in stored credentials.
        private let serverIdentity: String
        private let backChannel: BackChannel
        private let logger: Logger?

        /// - Parameters:
        ///   - server: The provider; its endpoints are discovered at first need where it has only an issuer.
        ///   - client: The program as it is registered there.
        ///   - scope: What to ask for; nil asks for the provider's default.
        ///   - resources: More origins whose requests may carry the access token, where they are https or loopback. All others never
        ///     see it.
        ///   - browser: Shows the sign-in page.
        ///   - store: Keeps the tokens; where several programs share it, they share the sign-in.
        ///   - policy: Whether requests may open the page.
        ///   - refusals: What a request does when its token is refused, and a refresh does not help.
        ///   - timeout: How long a person may take to sign in.
        ///   - surroundings: Network, clock and logger.
        public init(
            server: ProviderProfile,
            client: OAuthClient,
            scope: Scope? = nil,
            resources: Set<Origin> = [],
            browser: any WebAuthenticator,
            store: any CredentialStore,
            signIn policy: SignInPolicy = .onDemand,
            refusals: RefusalPolicy = .report,
            timeout: Duration = .seconds(300),
            surroundings: Surroundings
        ) {
            let backChannel = BackChannel(surroundings)
            self.server = ServerDirectory(server, resources: resources, backChannel: backChannel)
            self.client = client
            self.scope = scope
            self.browser = browser
            self.store = store
            self.policy = policy
            self.refusals = refusals
            self.timeout = timeout
            self.backChannel = backChannel
            serverIdentity = server.identity
            now = surroundings.now
            clock = surroundings.clock
            logger = surroundings.logger
            links = surroundings.links([RedirectLoader(), SessionLoader()])
        }
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
        SignInFlow(
            account: account, client: client, scope: scope, timeout: timeout, server: server, browser: browser, store: store, turn: turn,
            pendingSignIns: PendingSignIns(of: account, in: store, now: now),
            exchange: CodeExchange(account: account, client: client, server: server, store: store, backChannel: backChannel, now: now),
            now: now)
    }

    func refresher(of account: CredentialAccount) -> Refresher {
        Refresher(account: account, client: client, server: server, store: store, backChannel: backChannel, now: now)
    }

    var revoker: Revoker {
        Revoker(client: client, server: server, backChannel: backChannel)
    }

    var endSessionPage: EndSessionPage {
        EndSessionPage(client: client, server: server, browser: browser, timeout: timeout, clock: clock)
    }
}
