import AuthHubPrimitives
import CredentialStorage
import Logging
import OAuthProtocol
import Synchronization

/// What a resource requires of a request.
struct Demand: Sendable {
    /// The text of the `WWW-Authenticate` field; nil if there was none.
    let challenge: String?
    /// What the token must have; nil if any token is enough.
    let stepUp: StepUpRequirement?
    /// Whether to sign in at another server than before, if the resource names one. Only the program may decide that: a compromised
    /// resource could open its own sign-in page.
    var mayMove = false
}

/// The session to sign in with, before the sign-in.
struct Entrance: Sendable {
    let session: OAuthSession
    let settings: AccountSettings
    /// The session at the server that the resource named before; nil if it is the same.
    let former: OAuthSession?
}

extension ResourceSession {
    /// Returns the session that the stored settings describe; nil if there are none.
    func opened() async throws(SessionError) -> OAuthSession? {
        if let known = state.withLock(\.session) { return known }
        try await reread()
        return state.withLock(\.session)
    }

    /// Reads the stored settings, in case another process has signed in for the first time or at another server.
    ///
    /// - Returns: Whether they describe another session than before.
    @discardableResult
    private func reread() async throws(SessionError) -> Bool {
        guard var stored = try await AccountBook(store: store).settings(of: label), covers(stored.resource, url) else { return false }
        stored.client.otherRedirectURIs = await clients.otherRedirectURIs(of: stored.client, at: stored.provider.name)
        let session = try session(stored)
        return state.withLock { [stored] state in
            if let known = state.settings, known.provider == stored.provider, known.client.id.hasSameBytes(as: stored.client.id),
                known.resource == stored.resource
            {
                return false
            }
            (state.session, state.settings) = (session, stored)
            state.epoch += 1
            return true
        }
    }

    /// Whether a resource is at a URL or above it.
    func covers(_ resource: ResourceIndicator?, _ url: String) -> Bool {
        guard let resource, let origin = Origin(url: url), let path = RequestTarget(url)?.path else { return false }
        return resource.contains(origin, path: path)
    }

    /// Signs in at the server that the resource names now.
    ///
    /// - Parameter epoch: The number of sign-ins before the request that was rejected; nil to sign in in any case.
    /// - Returns: Whether the user has signed in; false if that is unnecessary, because another request or process has done so.
    @discardableResult
    func enter(_ demand: Demand, since epoch: Int?) async throws(SessionError) -> Bool {
        let before = try await opened()
        let entrance = try await search(demand).get()
        if let epoch, try await hasChanged(since: epoch) { return false }
        if let stepUp = demand.stepUp, entrance.former == nil, before != nil {
            try await entrance.session.stepUp(stepUp)
        } else {
            try await entrance.session.signIn()
        }
        try await AccountBook(store: store).save(entrance.settings, as: label)
        state.withLock { state in
            (state.session, state.settings) = (entrance.session, entrance.settings)
            state.epoch += 1
        }
        _ = await entrance.former?.signOut()
        return true
    }

    /// Whether another request or process has signed in since a request was sent.
    ///
    /// - Parameter epoch: The number of sign-ins before the request.
    func hasChanged(since epoch: Int) async throws(SessionError) -> Bool {
        try await reread() || state.withLock { $0.epoch != epoch }
    }

    /// Finds the server, once for all requests that were rejected at the same time.
    private func search(_ demand: Demand) async -> Result<Entrance, SessionError> {
        let task = state.withLock { state in
            if let search = state.search { return search }
            let search = Task { [self] in
                let result: Result<Entrance, SessionError>
                do throws(SessionError) {
                    result = .success(try await entrance(demand))
                } catch {
                    result = .failure(error)
                }
                self.state.withLock { $0.search = nil }
                return result
            }
            state.search = search
            return search
        }
        return await task.value
    }

    private func entrance(_ demand: Demand) async throws(SessionError) -> Entrance {
        let allowsLoopback = transport == .insecureHTTPOnLoopbackForDevelopment
        let discovery = ServerDiscovery(
            dependencies: dependencies, transport: transport,
            allowedHosts: allowsLoopback ? .publicHostsAndLoopbackForDevelopment : .publicHosts)
        guard
            var protection = try await discovery.protection(
                of: url, challenge: demand.challenge, usesCodes: grant.browser != nil), let indicator = protection.indicator
        else {
            throw SessionError(.misconfigured, "\(displayable(url, limit: 200)) does not say who issues tokens for it (RFC 9728)")
        }
        protection.isForUser = grant.needsPerson
        let (session, known) = state.withLock { ($0.session, $0.settings) }
        let issuer = protection.server.issuer
        if let session, let known {
            if known.provider.name.hasSameBytes(as: issuer) { return Entrance(session: session, settings: known, former: nil) }
            let move =
                "\(displayable(url, limit: 200)) now names \(displayable(issuer, limit: 200)) as its server; the account was signed in at \(known.provider.name)"
            guard demand.mayMove else {
                throw SessionError(.securityCheckFailed, "\(move); sign in explicitly if the operator confirms that")
            }
            dependencies.logger?.warning("\(move)")
        }
        var settings = AccountSettings(
            provider: .issuer(issuer), client: OAuthClient(id: ""), scope: protection.scope, allowsInsecureLoopback: allowsLoopback)
        settings.resource = indicator
        settings.client = try await clients.client(
            for: protection, at: try settings.profile(), dependencies: settings.guarded(dependencies))
        return Entrance(session: try self.session(settings), settings: settings, former: session)
    }

    private func session(_ settings: AccountSettings) throws(SessionError) -> OAuthSession {
        var configuration = try OAuthSession.Configuration(settings, grant: grant, store: store, dependencies: dependencies)
        configuration.prompting = .manual
        return OAuthSession(configuration, label: label)
    }
}
