import Platform

/// The waiting callers, and what resumes them.
extension SessionMachine {
    mutating func take(_ id: WaiterID, _ want: Want, at now: Date) -> [Action] {
        if look == .failed { look = .none }
        if activity == .signingOut { return [.answer(id, .failure(.signedOutMeanwhile))] }
        waiters.append((id, asking(want)))
        return activity == .none ? consider(want, at: now) : []
    }

    /// If there is no credential, it cannot be refreshed yet, or another one was rejected, the store is read each time, because another
    /// process may have stored a newer one.
    mutating func consider(_ want: Want, at now: Date) -> [Action] {
        guard case .signedIn(let held) = knowledge else {
            return want.isSignIn ? beginSignIn(at: now) : begin(.reading, .readStore)
        }
        let isHeldBack = held.isRenewable(at: now) && backOff.problem(at: now) != nil
        let isSettled = waiters.allSatisfy { held.satisfies($0.want, at: now) } || waiters.contains { $0.want.isExplicit }
        return isHeldBack && !isSettled || want.mayBeNewer(than: held) ? begin(.reading, .readStore) : settle(at: now)
    }

    /// Answers the waiters that the current knowledge satisfies, and begins one activity for the others.
    mutating func settle(at now: Date) -> [Action] {
        guard !waiters.isEmpty else { return [] }
        switch knowledge {
        case .unknown, .signedOut:
            return settleWithoutCredential(at: now)
        case .signedIn(let held):
            var actions = answer(.success(held)) { held.satisfies($0, at: now) }
            if waiters.isEmpty { return actions }
            if wantsNewSignIn {
                actions += beginSignIn(at: now)
            } else if held.isRenewable(at: now) {
                if let error = backOff.problem(at: now), !waiters.contains(where: { $0.want.isExplicit }) {
                    actions += settleHeldBack(held, because: error, at: now)
                } else {
                    actions += begin(.refreshing, .refresh(held, isRejected: waiters.contains { $0.want.reports(held) }))
                }
            } else if !held.credential.isExpired(at: now) {
                actions += settleUnrenewable(held, at: now)
            } else {
                actions += settleWithoutCredential(because: .unrefreshable(held.credential, at: now), at: now)
            }
            return actions
        }
    }

    mutating func begin(_ activity: Activity, _ action: Action) -> [Action] {
        self.activity = activity
        notice = nil
        isCancellingSignIn = false
        isReadOutdated = false
        if held == nil, activity == .signingIn { problem = nil }
        return [action]
    }

    mutating func settleWithoutCredential(
        because error: SessionError = SessionError(.signInNeeded, "no one is signed in"), at now: Date
    ) -> [Action] {
        let refusals = answer(.failure(error)) { !$0.allowsSignIn }
        return waiters.isEmpty ? refusals : refusals + beginSignIn(at: now)
    }

    /// Handles a token that is still valid but cannot be refreshed. Waiters that need a longer lifetime get it anyway.
    mutating func settleUnrenewable(_ held: HeldCredential, at now: Date) -> [Action] {
        let error = SessionError(.signInNeeded, "the access token was rejected or discarded, and it cannot be refreshed")
        let answers = answer(.failure(error)) { $0.refuses(held) && !$0.allowsSignIn } + answer(.success(held)) { !$0.refuses(held) }
        return answers + settleSignIns(at: now)
    }

    /// Handles a failed refresh that may not be retried yet: waiters get the token until it expires, and then the error.
    mutating func settleHeldBack(_ held: HeldCredential, because error: SessionError, at now: Date) -> [Action] {
        let lives = !held.credential.isExpired(at: now)
        return answer(.success(held)) { $0 == .knowledge || (lives && !$0.isSignIn && !$0.refuses(held)) }
            + answer(.failure(error)) { !$0.isSignIn }
    }

    mutating func settleSignIns(at now: Date) -> [Action] {
        waiters.isEmpty ? [] : beginSignIn(at: now)
    }

    /// Removes a caller that left, without affecting the others. A sign-in that no caller waits for any more is cancelled.
    mutating func leave(_ id: WaiterID) -> [Action] {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return [] }
        waiters.remove(at: index)
        guard activity == .signingIn, waiters.isEmpty else { return [.answer(id, .failure(.callerLeft))] }
        isCancellingSignIn = true
        return [.answer(id, .failure(notice?.end ?? .callerLeft)), .cancelSignIn]
    }

    mutating func answer(
        _ result: Result<HeldCredential, SessionError>, where isAnswered: (Want) -> Bool
    ) -> [Action] {
        let answered = waiters.filter { isAnswered($0.want) }
        waiters.removeAll { isAnswered($0.want) }
        return answered.map { .answer($0.id, result) }
    }
}

extension SessionState.Notice {
    /// The error that a cancellation of the sign-in reports; nil if the default one is right.
    fileprivate var end: SessionError? {
        hasForeignResponse ? SessionError(.securityCheckFailed, "the sign-in was cancelled; \(explanation)") : nil
    }
}

extension SessionError {
    fileprivate static var callerLeft: Self { Self(.cancelledByProgram, "the caller's task was cancelled") }
}
