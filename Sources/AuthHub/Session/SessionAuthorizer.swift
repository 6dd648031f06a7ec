import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform

/// Adds a session's token to the requests of a chain.
struct SessionAuthorizer: Authorizer {
    let engine: SessionEngine
    /// The session's own chain if resetting the chain that has this authorizer should sign out; otherwise nil.
    var ownChain: Chain?

    private var snapshot: SessionSnapshot { engine.snapshot }
    private var mayInteract: Bool { engine.configuration.prompting == .onDemand }

    func covers(_ origin: Origin, path: String, options: RequestOptions) -> Bool {
        engine.configuration.server.sendsToken(to: origin, path: path)
    }

    func credential(for request: LoadRequest) async throws(LoadError) -> HeldCredential {
        let held = snapshot.held
        if let held, held.isFresh(at: now()) { return held }
        do {
            return try await wait(for: .credential(mayInteract: mayInteract), request: request)
        } catch {
            guard error.needsSignIn, asksAgain(request) else { throw error }
            return try await signInAgain(refused: held, request: request)
        }
    }

    func apply(_ held: HeldCredential, to head: inout HTTPRequest) throws(LoadError) {
        guard held.credential.mayBeSent(to: Origin(head), alsoAllowing: engine.configuration.server.tokenOrigins) else {
            throw LoadError(
                .notAuthorized,
                explanation:
                    "the token was issued by a server other than the one this request is for, so it was not sent; if the server has "
                    + "moved, sign in again")
        }
        head.headerFields[fields: .authorization] = [held.credential.authorization.reveal()]
        for field in engine.configuration.server.apiHeaders where head.headerFields[field.name] == nil { head.headerFields.append(field) }
    }

    /// Returns the credential for the retry: the current one if it has changed since, otherwise the one from the coalesced refresh. If
    /// neither is possible, the user is asked to sign in, or the caller gets the server's response (RFC 6750 §3.1).
    ///
    /// If the request needs more than a token of this sign-in can have, no other token is requested (RFC 6750 §3.1, RFC 9470 §3). After a
    /// sign-out, the request is not retried with the next user's token, and the user who signed out is not asked to sign in.
    func replacement(
        for held: HeldCredential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> HeldCredential? {
        if StepUpRequirement(response) != nil { return nil }
        return try await another(than: held, request: request)
    }

    /// If the rejected token was refreshed by another process and read from the store, this request has not caused a refresh yet, so it
    /// refreshes now. After a refresh, the only option left is to ask the user. After a sign-in, there is none.
    func lastReplacement(
        for held: HeldCredential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> HeldCredential? {
        if StepUpRequirement(response) != nil { return nil }
        return switch held.source {
        case .store: try await another(than: held, request: request)
        case .refresh: try await askedFor(insteadOf: held, request: request)
        case .signIn: nil
        }
    }

    func reset(_ context: ResetContext) async throws {
        guard let ownChain else { return }
        switch context.phase {
        case .forget: try await engine.forget(with: context.chain, resetting: ownChain)
        case .cleanUp: try await engine.cleanUp(with: context.chain)
        }
    }

    private func now() -> Date { engine.configuration.now() }

    private func another(than held: HeldCredential, request: LoadRequest) async throws(LoadError) -> HeldCredential? {
        if let current = snapshot.held, current.epoch == held.epoch, current.generation != held.generation, current.isFresh(at: now()) {
            return current
        }
        do {
            return try await wait(for: .credential(refused: held.generation, mayInteract: false), insteadOf: held, request: request)
        } catch {
            if error.code == .cancelled { throw error }
            guard error.needsSignIn else { return nil }
            return try await askedFor(insteadOf: held, request: request)
        }
    }

    /// Returns nil if the user should not be asked, or declines.
    private func askedFor(insteadOf held: HeldCredential, request: LoadRequest) async throws(LoadError) -> HeldCredential? {
        guard asksAgain(request) else { return nil }
        do {
            return try await signInAgain(refused: held, request: request)
        } catch {
            if error.code == .cancelled { throw error }
            return nil
        }
    }

    private func asksAgain(_ request: LoadRequest) -> Bool {
        engine.configuration.unauthorizedPolicy == .signInAgain && mayInteract && request.body.canBeSent
    }

    private func signInAgain(refused held: HeldCredential?, request: LoadRequest) async throws(LoadError) -> HeldCredential {
        try result(of: await engine.signInAgain(refused: held), request: request)
    }

    private func wait(
        for want: SessionMachine.Want, insteadOf held: HeldCredential? = nil, request: LoadRequest
    ) async throws(LoadError) -> HeldCredential {
        try result(of: await engine.wait(for: want, insteadOf: held), request: request)
    }

    private func result(of answer: Result<HeldCredential, SessionError>, request: LoadRequest) throws(LoadError) -> HeldCredential {
        switch answer {
        case .success(let held): return held
        case .failure(let error) where Task.isCancelled: throw LoadError(.cancelled, for: request, underlying: error)
        case .failure(let error): throw LoadError(.notAuthorized, for: request, explanation: error.description, underlying: error)
        }
    }
}

extension SessionAuthorizer: ChainMember {
    func join(_ chain: Chain) {
        if ownChain != nil { engine.attachedChains.add(chain) }
    }
}

extension LoadError {
    fileprivate var needsSignIn: Bool {
        code == .notAuthorized && (underlying as? SessionError)?.code == .signInNeeded
    }
}
