import CredentialStorage
import Platform

/// How the session handles the results of its activities.
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
            // A sign-out in another session is not a problem: the user requested it.
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
            // Callers that let the user be asked go on with a page if a sign-in that must not ask anything fails.
            let isSilent = needs.asked.isSilent
            if !isSilent { needs.signInFailed(error, holding: held) }
            if held == nil, error.code != .cancelledByProgram { problem = error }
            let isAbandoned = isCancellingSignIn && error.isCancelledByProgram
            let goesOn = held.map { $0.isRenewable(at: now) || !$0.credential.isExpired(at: now) } ?? false
            // Callers that arrived while the page was being closed get a new page if their requirements were not part of the old one.
            let isNew = isCancellingSignIn
            let told =
                isAbandoned
                ? []
                : answer(.failure(error)) {
                    if isSilent, !$0.isSilent { return false }
                    return ($0.isSignIn && !(isNew && $0.needsMore)) || (!$0.isSignIn && $0.allowsSignIn && !goesOn)
                }
            return told + (waiters.first.map { consider($0.want, at: now) } ?? [])
        }
    }

    /// Handles a sign-in that was finished by its callback. A running refresh will find the credential in the store. A page stays open for
    /// the callers that requested it.
    ///
    /// The session may already have read the credential from the store, and a server may have rejected it since.
    mutating func takeFinished(_ credential: Credential, _ version: CredentialVersion, at now: Date) -> [Action] {
        let held = know(credential, version, from: .signIn)
        // A hint that was received since the credential was stored may mean that the store already holds a newer one.
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

    /// Makes a credential the current one. If it already is, it keeps its generation, so that a late rejection of an older one is
    /// recognized. A different credential ends the wait after a failed refresh.
    @discardableResult
    mutating func know(
        _ credential: Credential, _ version: CredentialVersion, from source: HeldCredential.Source
    ) -> HeldCredential {
        if case .signedIn(let held) = knowledge, held.version == version { return held }
        generation += 1
        outdateLook()
        let held = HeldCredential(
            credential: credential.withoutIdentity, version: version, generation: generation, epoch: epoch, source: source)
        knowledge = .signedIn(held)
        problem = nil
        backOff = RefreshBackOff()
        return held
    }

    /// Replaces the credential with one that has the same access token and a newer refresh token. It keeps its generation, because a server
    /// that rejected the access token still rejects it.
    private mutating func keep(_ credential: Credential, _ version: CredentialVersion) {
        guard case .signedIn(let held) = knowledge else { return }
        outdateLook()
        knowledge = .signedIn(
            HeldCredential(
                credential: credential.withoutIdentity, version: version, generation: held.generation, epoch: held.epoch,
                source: held.source))
    }

    mutating func forget(because error: SessionError?) {
        knowledge = .signedOut
        outdateLook()
        problem = error
        backOff = RefreshBackOff()
    }
}

extension SessionError {
    /// The device was asleep, or the server's token lifetimes are unusable. Refreshing immediately could repeat forever.
    fileprivate static var endedBeforeUse: Self {
        Self(.serverMisbehaved, "the access token expired before it could be used")
    }
}
