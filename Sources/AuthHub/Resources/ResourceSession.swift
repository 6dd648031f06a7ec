import AuthHubPrimitives
public import CredentialStorage
public import HTTPLoading
import HTTPTypes
public import OAuthProtocol
import Platform
import Synchronization

/// A session that begins at an API instead of at a provider: you only need the API's URL.
///
/// If the API rejects a request, the session reads who issues tokens for it (RFC 9728), registers a client there, signs the user in, and
/// sends the request again. It follows every rule for clients of the Model Context Protocol, and none can be switched off: the server
/// must support PKCE, every request for tokens names the API (RFC 8707), the issuer of each response is compared (RFC 9207), and the tokens
/// are sent only to the API's URL and to URLs below it.
///
/// ```swift
/// let api = try ResourceSession(
///     protecting: "https://mcp.example.com/mcp", clientName: "Example", grant: .authorizationCode(.system), store: store,
///     dependencies: .network)
/// let response = try await api.load(
///     .post(
///         "https://mcp.example.com/mcp",
///         headers: [.contentType: "application/json", .accept: "application/json, text/event-stream"], body: .bytes(message)))
/// ```
///
/// The client and the account's settings are stored with the tokens, so the user does not sign in again when the program restarts. Any
/// number of sessions and processes can share them. If the API later names another issuer, ``signIn()`` signs in there with another client:
/// the new issuer receives nothing of the old one, and the old tokens are revoked after the sign-in. ``load(_:)`` never does that, because a
/// compromised API could name its own sign-in page.
public final class ResourceSession: Sendable {
    /// A client that was registered by hand, and the issuer that it was registered at.
    public struct RegisteredClient: Sendable {
        let client: OAuthClient
        let issuer: String

        /// Creates the value. The client is never shown to any other issuer.
        public init(_ client: OAuthClient, at issuer: String) {
            self.client = client
            self.issuer = issuer
        }
    }

    let url: String
    let resource: ResourceIndicator
    let label: String
    /// The issuer that the program has named.
    let issuer: String?
    let grant: AuthorizationGrant
    let mayPrompt: Bool
    let transport: TransportPolicy
    let dependencies: Dependencies
    let store: any CredentialInventory
    let clients: ResourceClients
    let state: Mutex<State>
    private let links: ChainLinks

    struct State {
        /// The session at the server that the resource named last; nil before the first sign-in.
        var session: OAuthSession?
        var settings: AccountSettings?
        /// How many sign-ins have succeeded, so that requests that were rejected before one use its tokens.
        var epoch = 0
        var policy: AccessPolicy
        /// The search for the server that is in progress.
        var search: Task<Result<SignInTarget, SessionError>, Never>?
    }

    /// Creates a session for a resource. Does not read the store, send requests or open a page.
    ///
    /// - Parameters:
    ///   - resource: The URL of the API, as users know it.
    ///   - clientName: The name that users see when they sign in, if a client has to be registered.
    ///   - issuer: The issuer to sign in at, if you know it. The resource must name it, too. Required if the store has accounts of the same
    ///     issuer for other APIs, and the issuer's metadata does not list the resource: a malicious resource could name that issuer.
    ///   - client: A client that was registered by hand. nil to let the program register itself.
    ///   - clientIDDocument: The URL of the program's published client metadata document, for servers that support them. If the document has
    ///     keys, pass a client with its URL as the ID, and with the keys, instead.
    ///   - redirectURI: The redirect URI in that document.
    ///   - grant: How the session obtains tokens. Without a user, such as with ``AuthorizationGrant/clientCredentials``, a client is required.
    ///   - store: The store for the tokens, the settings and registered clients.
    ///   - prompting: Whether ``load(_:)`` may ask the user to sign in; otherwise, only ``signIn()`` does.
    ///   - transport: Which URLs are allowed. `insecureHTTPOnLoopbackForDevelopment` also allows metadata to name hosts on this machine.
    ///   - label: The label of the account; the URL by default.
    ///   - dependencies: The network, the resolver and the clock.
    /// - Throws: ``SessionError`` with `.misconfigured` if one of the URLs is not an absolute URL that the transport allows.
    public init(
        protecting resource: String, issuer: String? = nil, clientName: String, client: RegisteredClient? = nil,
        clientIDDocument: String? = nil,
        redirectURI: RedirectURI = .loopback, grant: AuthorizationGrant, store: any CredentialInventory,
        prompting: SignInPrompting = .onDemand, transport: TransportPolicy = .httpsOnly, label: String? = nil, dependencies: Dependencies
    ) throws(SessionError) {
        guard let indicator = ResourceIndicator(resource), transport.allows(resource) else {
            throw SessionError(.misconfigured, "the URL of the resource is not an https URL without user information or fragment")
        }
        if let clientIDDocument, !ClientIDDocument.problems(ofAddress: clientIDDocument, transport: transport).isEmpty {
            throw SessionError(.misconfigured, "the URL of the client metadata document is not an https URL with a path")
        }
        guard grant.signsIn else {
            throw SessionError(.misconfigured, "the session for a resource has to sign in; use another grant")
        }
        guard grant.needsPerson || client != nil else {
            throw SessionError(
                .misconfigured, "a program without a user needs a client that is registered at the server; pass it to the session")
        }
        url = resource
        self.resource = indicator
        self.label = label ?? resource
        self.issuer = issuer
        self.grant = grant
        mayPrompt = prompting == .onDemand || !grant.needsPerson
        state = Mutex(State(policy: AccessPolicy(showsPages: grant.needsPerson)))
        self.transport = transport
        self.dependencies = dependencies
        self.store = store
        let registrar = ClientRegistrar(name: clientName, store: store, now: dependencies.now)
        clients = ResourceClients(
            given: client, document: clientIDDocument, redirectURI: redirectURI, registrar: registrar, now: dependencies.now)
        links = dependencies.links([
            RedirectLoader(), ReachLoader(HostPolicy(for: transport), exempting: indicator.origin?.host, by: dependencies),
        ])
    }
}

extension ResourceSession {
    /// The session at the server that issues the tokens, for its state, its user and its tokens; nil before the first sign-in.
    ///
    /// - Throws: ``SessionError`` with `.storeFailed` if the store cannot be read.
    public var session: OAuthSession? {
        get async throws(SessionError) { try await opened() }
    }

    /// Sends a request, with the access token if the request is for the resource, and returns the response.
    ///
    /// If the resource requires a token, or more scope than the token has, the session signs in, if that is allowed, and sends the
    /// request again, at most twice. Its response is returned instead if the resource repeats a requirement after a sign-in, if the user has
    /// declined in the last 30 seconds, or after five sign-ins in ten minutes.
    ///
    /// - Throws: ``HTTPLoading/LoadError``. `.notAuthorized` means that a sign-in failed; `underlying` is then the ``SessionError``.
    public func load(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        var signIns = 0
        while true {
            let session = try await session(for: request)
            let epoch = state.withLock(\.epoch)
            let response = try await send(request, by: session)
            guard let challenge = challenge(of: response, to: request) else {
                // A token that was accepted may be revoked later.
                if response.notes.isAuthorized, response.status.kind == .successful { state.withLock { $0.policy.accepted() } }
                return response
            }
            guard AccessPolicy.allowsRepeating(after: signIns), request.body.canBeSent else { return response }
            signIns += 1
            do throws(SessionError) {
                if try await !hasChanged(since: epoch) {
                    guard mayPrompt, mayAsk(for: challenge) else { return response }
                    response.body.cancel()
                    try await signIn(for: challenge, since: epoch)
                }
            } catch {
                response.body.cancel()
                throw LoadError(.notAuthorized, for: request, explanation: error.description, underlying: error)
            }
            response.body.cancel()
        }
    }

    /// Signs in at the resource's server, even if someone is signed in already. If the resource names a different issuer than before, signs in
    /// there.
    ///
    /// - Throws: ``SessionError``, as ``OAuthSession/signIn(_:)`` and ``ServerDiscovery`` do; `.misconfigured` also if the URL is not a
    ///   protected resource, or if there is no client and the server does not support client registration.
    public func signIn() async throws(SessionError) {
        try await signIn(for: ResourceChallenge(text: nil, stepUp: nil, requirement: nil, allowsOtherIssuer: true), since: nil)
    }

    /// Signs out, as ``OAuthSession`` does. The client stays registered.
    ///
    /// - Returns: nil if no one has ever signed in.
    /// - Throws: ``SessionError`` with `.storeFailed` if the settings cannot be read.
    @discardableResult
    public func signOut() async throws(SessionError) -> SignOutReport? {
        let session = try await opened()
        state.withLock { $0.policy.forget() }
        return await session?.signOut()
    }

    private func session(for request: LoadRequest) async throws(LoadError) -> OAuthSession? {
        do throws(SessionError) {
            return try await opened()
        } catch {
            throw LoadError(.notAuthorized, for: request, explanation: error.description, underlying: error)
        }
    }

    private func send(_ request: LoadRequest, by session: OAuthSession?) async throws(LoadError) -> LoadResponse {
        do {
            if let session { return try await session.load(request) }
        } catch {
            // Without a token, the resource says what it needs.
            guard error.code == .notAuthorized, let problem = error.underlying as? SessionError else { throw error }
            if problem.code != .signInNeeded {
                guard await forgetClient(of: state.withLock(\.settings), rejectedWith: problem.serverError?.code) else { throw error }
            }
        }
        return try await Chain(sharing: links, for: self).load(request)
    }

    /// Returns what a response requires; nil if it requires no sign-in, or does not come from the resource.
    private func challenge(of response: LoadResponse, to request: LoadRequest) -> ResourceChallenge? {
        let resource = state.withLock { $0.settings?.resource } ?? resource
        guard response.notes.redirects.isEmpty, let origin = Origin(request.head),
            resource.contains(origin, path: request.head.path ?? "/")
        else { return nil }
        guard let requirement = AccessRequirement(response.head) else { return nil }
        let text = response.head.headerFields[values: .wwwAuthenticate].joined(separator: ", ")
        return ResourceChallenge(text: text.isEmpty ? nil : text, stepUp: response.stepUpRequirement, requirement: requirement)
    }
}
