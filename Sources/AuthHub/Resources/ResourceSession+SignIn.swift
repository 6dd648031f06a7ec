import AuthHubPrimitives
import CredentialStorage
import Logging
import OAuthProtocol
import Platform
import Synchronization

/// Why to sign in at a resource.
struct ResourceChallenge: Sendable {
    /// The text of the `WWW-Authenticate` field; nil if there was none.
    let text: String?
    /// What the token must have; nil if any token is enough.
    let stepUp: StepUpRequirement?
    /// What the response requires; nil if the program signs in without a request.
    let requirement: AccessRequirement?
    /// Whether to sign in at a different server than before, if the resource names one. Only the program may decide that: a compromised
    /// resource could open its own sign-in page.
    var allowsOtherIssuer = false
}

/// The session to sign in with, before the sign-in.
struct SignInTarget: Sendable {
    let session: OAuthSession
    let settings: AccountSettings
    /// The session at the server that the resource named before; nil if it is the same.
    let previous: OAuthSession?
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
    /// - Returns: Whether they describe a different session than before.
    @discardableResult
    private func reread() async throws(SessionError) -> Bool {
        guard var stored = try await AccountBook(store: store).settings(of: label),
            stored.resource?.contains(configuration.resource) ?? false
        else {
            return false
        }
        stored.client.otherRedirectURIs = await clients.registrar.otherRedirectURIs(of: stored)
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

    /// Whether a request may lead to a sign-in.
    func mayAsk(for challenge: ResourceChallenge) -> Bool {
        guard let requirement = challenge.requirement else { return true }
        return state.withLock { $0.policy.answer(to: requirement, at: dependencies.now()) } == .signIn
    }

    /// Signs in at the server that the resource names now.
    ///
    /// - Parameters:
    ///   - epoch: The number of sign-ins before the request that was rejected; nil to sign in in any case.
    ///   - isRetry: Whether the server no longer knew the client of the first attempt.
    func signIn(for challenge: ResourceChallenge, since epoch: Int?, isRetry: Bool = false) async throws(SessionError) {
        let before = try await opened()
        if case .signedIn(let facts) = before?.state {
            await forgetClient(of: state.withLock(\.settings), rejectedWith: facts.problem?.serverErrorCode)
        }
        let target = try await target(for: challenge).get()
        if let epoch, try await hasChanged(since: epoch) { return }
        let start = state.withLock(\.epoch)
        do throws(SessionError) {
            if let stepUp = challenge.stepUp, target.previous == nil, before != nil {
                try await target.session.stepUp(stepUp)
            } else {
                try await target.session.signIn()
            }
        } catch {
            if !isRetry, await forgetClient(of: target.settings, rejectedWith: error.serverError?.code) {
                return try await signIn(for: challenge, since: epoch, isRetry: true)
            }
            // A search or a registration that has failed showed no page, and neither did a program's own call of `signIn()`.
            if epoch != nil, let failure = AccessPolicy.PageFailure(error) {
                state.withLock { $0.policy.pageFailed(failure, at: dependencies.now()) }
            }
            throw error
        }
        try await AccountBook(store: store).save(target.settings, as: label)
        state.withLock { state in
            if epoch == nil {
                state.policy.forget()
            } else if let requirement = challenge.requirement {
                // Requests that were rejected at the same time share a page.
                state.policy.signedIn(for: requirement, isShared: state.epoch != start, at: dependencies.now())
            }
            (state.session, state.settings) = (target.session, target.settings)
            state.epoch += 1
        }
        _ = await target.previous?.signOut()
    }

    /// Whether another request or process has signed in since a request was sent.
    ///
    /// - Parameter epoch: The number of sign-ins before the request.
    func hasChanged(since epoch: Int) async throws(SessionError) -> Bool {
        try await reread() || state.withLock { $0.epoch != epoch }
    }

    /// Finds the server, once for all requests that were rejected at the same time.
    private func target(for challenge: ResourceChallenge) async -> Result<SignInTarget, SessionError> {
        // Only the program may follow the resource to another issuer.
        if challenge.allowsOtherIssuer { return await search(challenge) }
        let task = state.withLock { state in
            if let running = state.search { return running }
            let started = Task { [self] in
                let result = await search(challenge)
                self.state.withLock { $0.search = nil }
                return result
            }
            state.search = started
            return started
        }
        return await task.value
    }

    private func search(_ challenge: ResourceChallenge) async -> Result<SignInTarget, SessionError> {
        do throws(SessionError) {
            let protection = try await protection(for: challenge)
            let (session, known) = state.withLock { ($0.session, $0.settings) }
            guard let known else {
                try await checkOtherUses(of: protection)
                return .success(try await newTarget(protection, previous: nil))
            }
            if known.provider.name.hasSameBytes(as: protection.server.issuer) {
                if try await hasLostClient(known) { return .success(try await newTarget(protection, previous: session)) }
                var settings = known
                settings.scope = protection.scope(after: known.scope)
                return .success(SignInTarget(session: try self.session(settings), settings: settings, previous: nil))
            }
            let change = protection.change(from: known.provider.name)
            guard challenge.allowsOtherIssuer else {
                throw SessionError(.securityCheckFailed, "\(change); sign in explicitly if the operator confirms that")
            }
            try await checkOtherUses(of: protection)
            dependencies.logger?.warning("\(change)")
            return .success(try await newTarget(protection, previous: session))
        } catch {
            return .failure(error)
        }
    }

    /// Checks that a resource does not name an issuer that is used for something else, unless the program has named the issuer, too.
    private func checkOtherUses(of protection: ResourceProtection) async throws(SessionError) {
        let uses = try await protection.otherUses(in: store)
        guard uses.isEmpty else { throw protection.unconfirmed(uses) }
    }

    private func hasLostClient(_ known: AccountSettings) async throws(SessionError) -> Bool {
        do {
            return try await clients.registrar.hasLostClient(of: known)
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Forgets the registered client if the server no longer knows it, so that the next sign-in registers another one.
    ///
    /// - Returns: Whether the server no longer knows the client.
    @discardableResult
    func forgetClient(of settings: AccountSettings?, rejectedWith code: ServerErrorCode?) async -> Bool {
        guard let settings else { return false }
        return await clients.registrar.forgetClient(of: settings, rejectedWith: code)
    }

    private func protection(for challenge: ResourceChallenge) async throws(SessionError) -> ResourceProtection {
        let discovery = ServerDiscovery(dependencies: dependencies, transport: transport, allowedHosts: HostPolicy(for: transport))
        guard
            var protection = try await discovery.protection(
                of: configuration.resource, challenge: challenge.text, issuer: clients.client.registered?.issuer ?? configuration.issuer,
                earlier: state.withLock { $0.settings.map { EarlierSignIn(at: $0.provider.name, isConfirmed: $0.isIssuerConfirmed) } },
                usesCodes: grant.browser != nil)
        else {
            throw SessionError(
                .misconfigured, "\(displayable(configuration.resource, limit: 200)) does not name its authorization server (RFC 9728)")
        }
        protection.isForUser = grant.needsPerson
        return protection
    }

    private func newTarget(_ protection: ResourceProtection, previous: OAuthSession?) async throws(SessionError) -> SignInTarget {
        var settings = AccountSettings(
            provider: .issuer(protection.server.issuer), client: OAuthClient(id: ""), scope: protection.scope,
            allowsInsecureLoopback: transport == .insecureHTTPOnLoopbackForDevelopment)
        protection.bind(&settings)
        settings.client = try await clients.client(
            for: protection, at: try settings.profile(), dependencies: settings.guarded(dependencies))
        return SignInTarget(session: try session(settings), settings: settings, previous: previous)
    }

    private func session(_ settings: AccountSettings) throws(SessionError) -> OAuthSession {
        var configuration = try OAuthSession.Configuration(settings, grant: grant, store: store, dependencies: dependencies)
        configuration.prompting = .manual
        return OAuthSession(configuration, label: label)
    }
}
