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

    static let moreThanAToken = "more "

    /// What distinguishes the demand from others.
    var key: String { (stepUp == nil ? "" : Self.moreThanAToken) + (challenge ?? "") }
}

/// The session to sign in with, before the sign-in.
struct Entrance: Sendable {
    let session: OAuthSession
    let settings: AccountSettings
    /// The session at the server that the resource named before; nil if it is the same.
    let former: OAuthSession?
}

/// What became of a challenge.
enum ChallengeAnswer: Sendable {
    /// A sign-in is in progress.
    case pending
    /// A sign-in has succeeded.
    case given
}

extension ResourceSession {
    /// Whether a sign-in may help: one that is in progress, one that has succeeded since the request, or the first for this challenge.
    func mayAnswer(_ demand: Demand, since epoch: Int) -> Bool {
        state.withLock { state in
            switch state.answers[demand.key] {
            case .given: return state.epoch != epoch
            case .pending: return true
            case nil:
                state.answers[demand.key] = .pending
                return true
            }
        }
    }

    /// Signs in for a request. The challenge counts as answered if that succeeds.
    func answer(_ demand: Demand, since epoch: Int) async throws(SessionError) {
        do throws(SessionError) {
            try await enter(demand, since: epoch)
            state.withLock { $0.answers[demand.key] = .given }
        } catch {
            state.withLock { $0.answers[demand.key] = nil }
            throw error
        }
    }

    /// Returns the session that the stored settings describe; nil if there are none.
    func opened() async throws(SessionError) -> OAuthSession? {
        if let known = state.withLock({ $0.isRead ? .some($0.session) : nil }) { return known }
        let stored = try await AccountBook(store: store).settings(of: label)
        let settings = stored.flatMap { covers($0.resource, url) ? $0 : nil }
        let session = try settings.map { settings throws(SessionError) in try self.session(settings) }
        return state.withLock { state in
            if !state.isRead { (state.session, state.settings, state.isRead) = (session, settings, true) }
            return state.session
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
    func enter(_ demand: Demand, since epoch: Int?) async throws(SessionError) {
        let before = try await opened()
        let entrance = try await search(demand).get()
        if let epoch, state.withLock({ $0.epoch != epoch }) { return }
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
