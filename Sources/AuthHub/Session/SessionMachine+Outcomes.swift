import CredentialStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What follows from what an activity has brought.
extension SessionMachine {
    mutating func takeStored(_ answer: Result<(Credential, CredentialVersion)?, SessionError>, at now: Date) -> [Action] {
        switch answer {
        case .success(let (credential, version)?):
            know(credential, version, from: .store)
        case .success(nil):
            forget(because: held == nil ? problem : nil)
        case .failure(let error):
            if case .signedIn(let held) = knowledge { return settleHeldBack(held, because: error, at: now) + settleSignIns(at: now) }
            return self.answer(.failure(error)) { !$0.isSignIn } + settleSignIns(at: now)
        }
        return settle(at: now)
    }

    mutating func takeRefreshed(_ outcome: RefreshOutcome, at now: Date) -> [Action] {
        var actions: [Action]
        switch outcome {
        case .renewed(let credential, let version), .adopted(let credential, let version):
            let held = know(credential, version, from: outcome.isAdopted ? .store : .refresh)
            problem = nil
            backOff = RefreshBackOff()
            if held.credential.isExpired(at: now) {
                problem = .endedBeforeUse
                backOff.failed(.endedBeforeUse, at: now)
                actions = settleHeldBack(held, because: .endedBeforeUse, at: now)
            } else {
                actions = answer(.success(held)) { !$0.isSignIn && !$0.reports(held) }
                return actions + settle(at: now)
            }
        case .signedOut(let error):
            // Signed out by another session is no problem: the person did that.
            forget(because: error.code == .signInNeeded && error.serverError == nil ? nil : error)
            actions = answer(.failure(error)) { !$0.isSignIn }
        case .failed(let error, let kept):
            if let (credential, version) = kept { keep(credential, version) }
            problem = error
            backOff.failed(error, at: now)
            guard case .signedIn(let held) = knowledge else { return answer(.failure(error)) { _ in true } }
            actions = settleHeldBack(held, because: error, at: now)
        }
        return actions + settleSignIns(at: now)
    }

    mutating func takeSignedIn(_ result: Result<(Credential, CredentialVersion), SessionError>, at now: Date) -> [Action] {
        switch result {
        case .success(let (credential, version)):
            let held = know(credential, version, from: .signIn)
            let lives = !held.credential.isExpired(at: now)
            let actions = answer(.success(held)) { !$0.needsMore && (lives || $0.isSignIn || $0 == .knowledge) }
            if held.isRenewable(at: now) { return actions + settle(at: now) }
            return actions + answer(.failure(.endedBeforeUse)) { !$0.isSignIn } + settleSignIns(at: now)
        case .failure(let error):
            needs.signInFailed(error, holding: held)
            if held == nil, error.code != .cancelledByProgram { problem = error }
            let isAbandoned = isCancellingSignIn && error.isCancelledByProgram
            let goesOn = held.map { $0.isRenewable(at: now) || !$0.credential.isExpired(at: now) } ?? false
            // What came while the page was being closed, and was not asked for there, has a page of its own to come.
            let isNew = isCancellingSignIn
            let told =
                isAbandoned
                ? [] : answer(.failure(error)) { ($0.isSignIn && !(isNew && $0.needsMore)) || (!$0.isSignIn && $0.allowsSignIn && !goesOn) }
            return told + (waiters.first.map { consider($0.want, at: now) } ?? [])
        }
    }

    /// A refresh that is under way finds it in the store; a page that is shown goes on for who asked for it.
    ///
    /// The session may have read it before it is told, and a server may have refused it by then.
    mutating func takeFinished(_ credential: Credential, _ version: CredentialVersion, at now: Date) -> [Action] {
        let held = know(credential, version, from: .signIn)
        // Nor is it known what was heard since it was stored.
        if hasHeard { hear(.missed) }
        switch activity {
        case .none:
            return settle(at: now)
        case .reading:
            isReadOutdated = true
            return answer(.success(held)) { held.satisfies($0, at: now) }
        case .signingIn:
            let answers = answer(.success(held)) { !$0.isSignIn && !$0.reports(held) }
            guard waiters.isEmpty, !answers.isEmpty else { return answers }
            isCancellingSignIn = true
            return answers + [.cancelSignIn]
        case .exchanging:
            return answer(.success(held)) { !$0.isSignIn && !$0.reports(held) }
        case .refreshing, .signingOut:
            return []
        }
    }

    /// A credential that is held already keeps its generation, so that a late refusal of an older one is seen as that. Another ends the
    /// wait that a failed refresh has begun.
    @discardableResult
    mutating func know(
        _ credential: Credential, _ version: CredentialVersion, from source: HeldCredential.Source
    ) -> HeldCredential {
        if case .signedIn(let held) = knowledge, held.version == version { return held }
        generation += 1
        outdateLook()
        let held = HeldCredential(
            credential: credential, version: version, generation: generation, epoch: epoch, source: source)
        knowledge = .signedIn(held)
        problem = nil
        backOff = RefreshBackOff()
        return held
    }

    /// Replaces the credential by one with the same access token and a newer refresh token. It keeps its generation: a server that rejected
    /// the access token rejects it still.
    private mutating func keep(_ credential: Credential, _ version: CredentialVersion) {
        guard case .signedIn(let held) = knowledge else { return }
        outdateLook()
        knowledge = .signedIn(
            HeldCredential(
                credential: credential, version: version, generation: held.generation, epoch: held.epoch, source: held.source))
    }

    mutating func forget(because error: SessionError?) {
        knowledge = .signedOut
        outdateLook()
        problem = error
        backOff = RefreshBackOff()
    }
}

extension SessionError {
    /// The device slept, or the server's lifetimes are of no use. Asking again at once could go on for ever.
    fileprivate static var endedBeforeUse: Self {
        Self(.serverMisbehaved, "the access token expired before it could be used")
    }
}
