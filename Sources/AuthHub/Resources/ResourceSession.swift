import AuthHubPrimitives
import CredentialStorage
public import HTTPLoading
import HTTPTypes
import OAuthProtocol
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
///     .init(
///         resource: "https://mcp.example.com/mcp", client: .registering(as: "Example"), grant: .authorizationCode(.system), store: store,
///         dependencies: .network))
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
    let configuration: Configuration
    let resource: ResourceIndicator
    let label: String
    let mayPrompt: Bool
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
    /// - Parameter label: The label of the account; the URL by default.
    /// - Throws: ``SessionError`` with `.misconfigured` if one of the URLs is not an absolute URL that the transport allows, or if a grant
    ///   without a user has no registered client.
    public init(_ configuration: Configuration, label: String? = nil) throws(SessionError) {
        let (url, grant, dependencies) = (configuration.resource, configuration.grant, configuration.dependencies)
        guard let indicator = ResourceIndicator(url), configuration.transport.allows(url) else {
            throw SessionError(.misconfigured, "the URL of the resource is not an https URL without user information or fragment")
        }
        try configuration.checkClient()
        guard grant.signsIn else {
            throw SessionError(.misconfigured, "the session for a resource has to sign in; use another grant")
        }
        self.configuration = configuration
        resource = indicator
        self.label = label ?? url
        mayPrompt = configuration.prompting == .onDemand || !grant.needsPerson
        state = Mutex(State(policy: AccessPolicy(showsPages: grant.needsPerson)))
        clients = ResourceClients(configuration)
        links = dependencies.links([
            RedirectLoader(), ReachLoader(HostPolicy(for: configuration.transport), exempting: indicator.origin?.host, by: dependencies),
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
