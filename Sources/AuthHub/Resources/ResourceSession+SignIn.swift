import AuthHubPrimitives
import CredentialStorage
import Logging
import OAuthProtocol
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a resource requires of a request.
struct AccessRequirement: Sendable {
    /// The text of the `WWW-Authenticate` field; nil if there was none.
    let challenge: String?
    /// What the token must have; nil if any token is enough.
    let stepUp: StepUpRequirement?
    /// Whether to sign in at another server than before, if the resource names one. Only the program may decide that: a compromised
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
    /// - Returns: Whether they describe another session than before.
    @discardableResult
    private func reread() async throws(SessionError) -> Bool {
        guard var stored = try await AccountBook(store: store).settings(of: label), stored.resource?.contains(url) ?? false else {
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

    /// Whether a request may ask the user: not for a requirement that a sign-in has met, nor right after one has failed, nor again and again.
    func mayAsk(for stepUp: StepUpRequirement?) -> Bool {
        guard grant.needsPerson else { return !state.withLock { $0.satisfied.contains(stepUp) } }
        let now = dependencies.now()
        return state.withLock { state in
            state.asked.removeAll { now.timeIntervalSince($0) >= Self.period }
            let hasFailed = state.failed.map { (0..<Self.pause).contains(now.timeIntervalSince($0)) } ?? false
            return !state.satisfied.contains(stepUp) && !hasFailed && state.asked.count < Self.askLimit
        }
    }

    private static let pause: TimeInterval = 30
    private static let period: TimeInterval = 600
    private static let askLimit = 5

    /// Signs in for a request, and notes the result.
    func answer(_ requirement: AccessRequirement, since epoch: Int) async throws(SessionError) {
        do throws(SessionError) {
            guard try await signIn(for: requirement, since: epoch) else { return }
            state.withLock { _ = $0.satisfied.insert(requirement.stepUp) }
        } catch {
            if error.code != .cancelledByProgram { state.withLock { $0.failed = dependencies.now() } }
            throw error
        }
    }

    /// Signs in at the server that the resource names now.
    ///
    /// - Parameters:
    ///   - epoch: The number of sign-ins before the request that was rejected; nil to sign in in any case.
    ///   - isRetry: Whether the server no longer knew the client of the first attempt.
    /// - Returns: Whether the user has signed in; false if that is unnecessary, because another request or process has done so.
    @discardableResult
    func signIn(for requirement: AccessRequirement, since epoch: Int?, isRetry: Bool = false) async throws(SessionError) -> Bool {
        let before = try await opened()
        if case .signedIn(let facts) = before?.state {
            await forgetClient(of: state.withLock(\.settings), rejectedWith: facts.problem?.serverErrorCode)
        }
        let target = try await target(for: requirement).get()
        if let epoch, try await hasChanged(since: epoch) { return false }
        let start = state.withLock(\.epoch)
        do throws(SessionError) {
            if let stepUp = requirement.stepUp, target.previous == nil, before != nil {
                try await target.session.stepUp(stepUp)
            } else {
                try await target.session.signIn()
            }
        } catch {
            guard !isRetry, await forgetClient(of: target.settings, rejectedWith: error.serverError?.code) else { throw error }
            return try await signIn(for: requirement, since: epoch, isRetry: true)
        }
        try await AccountBook(store: store).save(target.settings, as: label)
        state.withLock { state in
            // Requests that were rejected at the same time share a page.
            if epoch != nil, grant.needsPerson, state.epoch == start { state.asked.append(dependencies.now()) }
            (state.session, state.settings, state.failed) = (target.session, target.settings, nil)
            state.epoch += 1
        }
        _ = await target.previous?.signOut()
        return true
    }

    /// Whether another request or process has signed in since a request was sent.
    ///
    /// - Parameter epoch: The number of sign-ins before the request.
    func hasChanged(since epoch: Int) async throws(SessionError) -> Bool {
        try await reread() || state.withLock { $0.epoch != epoch }
    }

    /// Finds the server, once for all requests that were rejected at the same time.
    private func target(for requirement: AccessRequirement) async -> Result<SignInTarget, SessionError> {
        // Only the program may follow the resource to another issuer.
        if requirement.allowsOtherIssuer { return await search(requirement) }
        let task = state.withLock { state in
            if let running = state.search { return running }
            let started = Task { [self] in
                let result = await search(requirement)
                self.state.withLock { $0.search = nil }
                return result
            }
            state.search = started
            return started
        }
        return await task.value
    }

    private func search(_ requirement: AccessRequirement) async -> Result<SignInTarget, SessionError> {
        do throws(SessionError) {
            let protection = try await protection(for: requirement)
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
            guard requirement.allowsOtherIssuer else {
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
        guard let settings, settings.hasRegisteredClient, code == .invalidClient else { return false }
        return (try? await clients.registrar.forgetLostClient(of: settings)) != nil
    }

    private func protection(for requirement: AccessRequirement) async throws(SessionError) -> ResourceProtection {
        let discovery = ServerDiscovery(dependencies: dependencies, transport: transport, allowedHosts: HostPolicy(for: transport))
        guard
            var protection = try await discovery.protection(
                of: url, challenge: requirement.challenge, issuer: clients.given?.issuer ?? issuer,
                earlier: state.withLock { $0.settings.map { ($0.provider.name, $0.isIssuerConfirmed) } }, usesCodes: grant.browser != nil)
        else {
            throw SessionError(.misconfigured, "\(displayable(url, limit: 200)) does not say who issues tokens for it (RFC 9728)")
        }
        protection.isForUser = grant.needsPerson
        return protection
    }

    private func newTarget(_ protection: ResourceProtection, previous: OAuthSession?) async throws(SessionError) -> SignInTarget {
        var settings = AccountSettings(
            provider: .issuer(protection.server.issuer), client: OAuthClient(id: ""), scope: protection.scope,
            allowsInsecureLoopback: transport == .insecureHTTPOnLoopbackForDevelopment)
        settings.resource = protection.indicator
        settings.isIssuerConfirmed = protection.isConfirmed
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
