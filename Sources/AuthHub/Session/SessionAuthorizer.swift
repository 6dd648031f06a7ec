import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Gives a session's token to the requests of a chain.
struct SessionAuthorizer: Authorizer {
    let engine: SessionEngine

    private var snapshot: SessionSnapshot { engine.snapshot }
    private var mayInteract: Bool { engine.settings.policy == .onDemand }

    func covers(_ origin: Origin, options: RequestOptions) -> Bool {
        engine.settings.server.sendsToken(to: origin)
    }

    func credential(for request: LoadRequest) async throws(LoadError) -> HeldCredential {
        let held = snapshot.held
        if let held, held.isFresh(at: now()) { return held }
        do {
            return try await wait(for: .credential(mayInteract: mayInteract), request: request)
        } catch {
            guard error.needsSignIn, asksAgain(request) else { throw error }
            return try await signInAgain(refused: held?.generation, request: request)
        }
    }

    func apply(_ held: HeldCredential, to head: inout HTTPRequest) throws(LoadError) {
        head.headerFields[.authorization] = held.credential.authorization
    }

    /// Sends again at once where the credential has changed since, else after the one shared refresh. Where that is not possible the
    /// server's own answer stands (RFC 6750 §3.1), or the person is asked.
    ///
    /// Where more is needed than a token of this sign-in can have, none is asked for (RFC 6750 §3.1, RFC 9470 §3).
    func replacement(
        for held: HeldCredential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> HeldCredential? {
        if AuthorizationNeed(response) != nil { return nil }
        if let current = snapshot.held, current.generation != held.generation, current.isFresh(at: now()) { return current }
        do {
            return try await wait(for: .credential(refused: held.generation, mayInteract: false), request: request)
        } catch {
            if error.code == .cancelled { throw error }
            guard error.needsSignIn else { return nil }
            return try await lastReplacement(for: held, refusedBy: response, request: request)
        }
    }

    func lastReplacement(
        for held: HeldCredential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> HeldCredential? {
        guard asksAgain(request), AuthorizationNeed(response) == nil else { return nil }
        do {
            return try await signInAgain(refused: held.generation, request: request)
        } catch {
            if error.code == .cancelled { throw error }
            return nil
        }
    }

    private func now() -> Date { engine.settings.now() }

    private func asksAgain(_ request: LoadRequest) -> Bool {
        engine.settings.refusals == .signInAgain && mayInteract && request.body.canBeSent
    }

    private func signInAgain(refused generation: UInt64?, request: LoadRequest) async throws(LoadError) -> HeldCredential {
        try result(of: await engine.signInAgain(refused: generation), request: request)
    }

    private func wait(for want: SessionMachine.Want, request: LoadRequest) async throws(LoadError) -> HeldCredential {
        try result(of: await engine.wait(for: want), request: request)
    }

    private func result(of answer: Result<HeldCredential, SessionError>, request: LoadRequest) throws(LoadError) -> HeldCredential {
        switch answer {
        case .success(let held): return held
        case .failure(let error) where Task.isCancelled: throw LoadError(.cancelled, for: request, underlying: error)
        case .failure(let error): throw LoadError(.notAuthorized, for: request, explanation: error.description, underlying: error)
        }
    }
}

extension LoadError {
    fileprivate var needsSignIn: Bool {
        code == .notAuthorized && (underlying as? SessionError)?.code == .signInNeeded
    }
}
