@testable import AuthHub

extension ModelWorld {
    /// Returns the job after one step; nil if it has finished. After that, ``report(_:of:_:)`` passes its report to the machine.
    mutating func advance(_ job: ModelJob, of session: Int, _ luck: Luck, _ mint: CredentialMint) -> ModelJob? {
        var job = job
        func go(_ step: ModelJob.Step) -> ModelJob {
            job.step = step
            return job
        }
        let failed = luck == .storeFails
        switch job.step {
        case .readStore:
            return go(.reportRead(failed ? .storeFailed : stored.map { .credential($0) } ?? .nothing))
        case .lookAgain:
            return go(.reportLook(failed ? .storeFailed : stored.map { .credential($0) } ?? .nothing))
        case .takeLease(let held, let isRejected):
            leaseIsHeld = true
            job.holdsLease = true
            return go(fault == .noReadingAgain ? .send(held) : .readAgain(held: held, isRejected: isRejected))
        case .readAgain(let held, let isRejected):
            guard !failed else { return go(.releaseLease(.storeFailed)) }
            guard let stored else { return go(.releaseLease(.nothing)) }
            let isRefused = isRejected && server.accessToken(of: stored) == server.accessToken(of: held)
            if stored != held, !isRefused, now < server.issued[stored].expiresAt { return go(.releaseLease(.credential(stored))) }
            if let unsaved = sessions[session].unsaved, unsaved.replacing == stored {
                if server.issued[unsaved.number].accessToken != nil {
                    return go(.saveKept(unsaved.number, replacing: stored, isForAnother: true))
                }
                return go(.saveRenewed(unsaved.number, replacing: stored))
            }
            return go(.send(stored))
        case .send(let number):
            let step = send(number, for: session, in: job.epoch, luck)
            if case .wake = step {
                leaseIsHeld = false
                job.holdsLease = false
            }
            return go(step)
        case .sendOther(let other, let number):
            if luck == .unreachable { return go(.releaseLease(.unreachable)) }
            let (answer, isReuse) = server.refresh(other, for: session, in: job.epoch, at: now)
            if isReuse, !server.families[server.issued[other].family].isExcused { violation = "a replaced refresh token was sent again" }
            return go(take(answer, to: number, sent: other, luck))
        case .wake(let answer, let number):
            if fault == .givingUpOnWaking { return go(.releaseLease(.unreachable)) }
            return go(take(answer, to: number, sent: number, .good))
        case .saveRenewed(let number, let replaced):
            return go(saveRenewed(number, replacing: replaced, of: session, failed: failed, .credential(number)))
        case .saveKept(let number, let replaced, let isForAnother):
            let step = saveRenewed(number, replacing: replaced, of: session, failed: failed, .kept(number))
            return go(isForAnother && step == .releaseLease(.kept(number)) ? .send(number) : step)
        case .revokeRejected(let number):
            server.revoke(familyOf: number)
            return go(.releaseLease(.unreachable))
        case .revokeRenewed(let number, let standing):
            revoke(number)
            return go(.releaseLease(standing.map { .credential($0) } ?? .nothing))
        case .askWhetherUnsavedIsWanted:
            let isDeleted =
                sessions[session].jobs.contains { $0.hasDeletedForSignOut } || job.epoch < sessions[session].machine.signedOutBefore
            guard isDeleted, fault != .forgettingWhatIsUnsaved, let late = takeUnsaved(of: session) else {
                return go(.releaseLease(.storeFailed))
            }
            return go(.revokeUnsaved(late))
        case .revokeUnsaved(let number):
            revoke(number)
            return go(.releaseLease(.storeFailed))
        case .readAfterRefusal(let number):
            guard !failed else { return go(.releaseLease(.storeFailed)) }
            guard let stored, stored != number else { return go(stored == nil ? .releaseLease(.nothing) : .deleteRefused(number)) }
            return go(.releaseLease(.credential(stored)))
        case .deleteRefused(let number):
            guard !failed else { return go(.releaseLease(.storeFailed)) }
            if stored == number || fault == .noCompareAndSet { delete(expecting: number) }
            return go(.releaseLease(.nothing))
        case .releaseLease(let outcome):
            if job.holdsLease { leaseIsHeld = false }
            job.holdsLease = false
            return go(.reportRefresh(outcome))
        case .page:
            if luck == .closed { return go(.reportSignIn(job.isCancelled ? .cancelled : .closed)) }
            return go(.askWhetherToExchange)
        case .askWhetherToExchange:
            // The event reaches the machine within the same step, because the engine is an actor.
            feed(.codeReceived(epoch: job.epoch), session, mint)
            let mayExchange = sessions[session].machine.epoch == job.epoch && sessions[session].machine.activity == .exchanging
            return go(mayExchange ? .exchange : .reportSignIn(.cancelled))
        case .exchange:
            if luck == .unreachable { return go(.reportSignIn(.unreachable)) }
            return go(.askWhetherWanted(server.exchange(for: session, in: job.epoch, at: now)))
        case .askWhetherWanted(let number):
            job.isStoring = sessions[session].machine.epoch == job.epoch
            return go(job.isStoring ? .lookBeforeSaving(number) : .revokeUnwanted(number))
        case .lookBeforeSaving(let number):
            return go(failed ? .revokeUnstorable(number) : .saveSignedIn(number, replacing: stored))
        case .saveSignedIn(let number, let standing):
            guard !failed else { return go(.revokeUnstorable(number)) }
            guard stored == standing else { return go(.saveSignedIn(number, replacing: stored)) }
            write(number, by: session)
            return go(.reportSignIn(.credential(number)))
        case .revokeUnstorable(let number):
            revoke(number)
            return go(.reportSignIn(.storeFailed))
        case .revokeUnwanted(let number):
            revoke(number)
            return go(.reportSignIn(.cancelled))
        case .readForSignOut:
            if luck == .closed { return go(signOutFailed(of: session)) }
            guard !failed else { return go(.deleteUnread) }
            return go(stored.map { .deleteForSignOut($0) } ?? deleted(nil, of: session))
        case .deleteForSignOut(let number):
            guard !failed else { return go(signOutFailed(of: session)) }
            guard stored == number else { return go(.readForSignOut) }
            stored = nil
            return go(deleted(number, of: session))
        case .deleteUnread:
            guard !failed else { return go(signOutFailed(of: session)) }
            if let stored { server.lose(stored) }
            stored = nil
            return go(deleted(nil, of: session))
        case .reportDeletion(let outcome, let taken):
            return go(.endRequests(outcome, taken: taken))
        case .endRequests:
            sessions[session].signOut?.hasRequests = false
            return nil
        case .revokeSignedOut(let number):
            if let number { revoke(number) }
            if let unsaved = takeUnsaved(of: session) { revoke(unsaved) }
            sessions[session].signOut?.isRevoked = true
            return go(.reportRevocation)
        case .deleteDiscarded(let number):
            if stored == number { delete(expecting: number) }
            return go(.revokeDiscarded(number))
        case .revokeDiscarded(let number):
            revoke(number)
            return nil
        case .reportRead, .reportLook, .reportRefresh, .reportSignIn, .reportRevocation, .signOutPage:
            return nil
        }
    }

    private mutating func signOutFailed(of session: Int) -> ModelJob.Step {
        if fault == .revokingUnsavedAfterAFailedSignOut, let unsaved = takeUnsaved(of: session) { revoke(unsaved) }
        return .reportDeletion(.storeFailed, taken: nil)
    }

    private mutating func deleted(_ number: Int?, of session: Int) -> ModelJob.Step {
        sessions[session].signOut?.taken = number
        sessions[session].signOut?.isDeleted = true
        return .reportDeletion(.nothing, taken: number)
    }

    private mutating func takeUnsaved(of session: Int) -> Int? {
        defer { sessions[session].unsaved = nil }
        return sessions[session].unsaved?.number
    }

    private mutating func send(_ number: Int, for session: Int, in epoch: UInt64, _ luck: Luck) -> ModelJob.Step {
        // The store has no room for new tokens, so no request is sent.
        if luck == .storeFails { return .releaseLease(.storeFailed) }
        if luck == .unreachable { return .releaseLease(.unreachable) }
        let (answer, isReuse) = server.refresh(number, for: session, in: epoch, at: now)
        if isReuse, !server.families[server.issued[number].family].isExcused { violation = "a replaced refresh token was sent again" }
        if luck == .answerLost {
            server.excuse(familyOf: number)
            if case .token(let lost) = answer { server.lose(lost) }
            return .releaseLease(.unreachable)
        }
        if luck == .sleeps {
            // A process that acquires the lease after this sends the used refresh token again: no client can know that it has been used.
            server.excuse(familyOf: number)
            return .wake(answer, to: number)
        }
        return take(answer, to: number, sent: number, luck)
    }

    private mutating func take(_ answer: ModelJob.Answer, to number: Int, sent: Int, _ luck: Luck) -> ModelJob.Step {
        switch (answer, luck) {
        case (.token(let renewed), .odd), (.token(let renewed), .mangled):
            if fault == .discardingOddAnswers { return .releaseLease(.unreachable) }
            server.keep(renewed, beside: number, sent: sent)
            if luck == .mangled { server.void(renewed, keeping: sent) }
            return .saveKept(renewed, replacing: number, isForAnother: false)
        case (.token(let renewed), .rejected):
            server.reject(renewed)
            if fault == .keepingWhatIsRejected { return .saveRenewed(renewed, replacing: number) }
            return .revokeRejected(renewed)
        case (.token(let renewed), _):
            if fault == .handingOutBeforeStoring { return .releaseLease(.credential(renewed)) }
            return .saveRenewed(renewed, replacing: number)
        case (.invalidGrant, _):
            if sent == number, let other = server.issued[number].other, fault != .forgettingTheOtherRefreshToken {
                return .sendOther(other, for: number)
            }
            return .readAfterRefusal(of: number)
        }
    }

    private mutating func saveRenewed(
        _ number: Int, replacing replaced: Int, of session: Int, failed: Bool, _ outcome: ModelJob.Outcome
    ) -> ModelJob.Step {
        if failed {
            // Another session may use the old refresh token before this one can store the new one. The cause is the failing store, not
            // the client.
            server.excuse(familyOf: number)
            sessions[session].unsaved = (number, replaced)
            return .askWhetherUnsavedIsWanted(number)
        }
        sessions[session].unsaved = nil
        guard stored == replaced || fault == .noCompareAndSet else { return .revokeRenewed(number, standing: stored) }
        write(number, by: session)
        return .releaseLease(outcome)
    }

    private mutating func write(_ number: Int, by session: Int) {
        if let stored {
            let (old, new) = (server.issued[stored], server.issued[number])
            if old.family == new.family {
                if stored >= number { violation = "a newer credential was overwritten by an older one" }
            } else if isRefreshed(number) {
                violation = "the credential of another sign-in was overwritten by a refresh"
            } else if old.session == session, old.epoch > new.epoch {
                violation = "a credential of a later epoch was overwritten"
            } else {
                server.replace(familyOf: stored)
            }
        }
        stored = number
        server.markStored(number)
    }

    private func isRefreshed(_ number: Int) -> Bool {
        server.issued.firstIndex { $0.family == server.issued[number].family } != number
    }

    private mutating func delete(expecting number: Int) {
        if let stored, stored > number { violation = "a newer credential was deleted in place of an older one" }
        stored = nil
    }

    /// Handles a revocation: the client no longer needs the family, so no session may need it after this.
    private mutating func revoke(_ number: Int) {
        let family = server.issued[number].family
        if let stored, server.issued[stored].family == family { violation = "the family of the stored credential was revoked" }
        server.revoke(familyOf: number)
    }
}
