import CredentialStorage

@testable import AuthHub

extension ModelWorld {
    /// Passes a job's report to the machine if the job has just performed its last step before the report.
    mutating func report(_ job: ModelJob, of session: Int, _ mint: CredentialMint) {
        let epoch = fault == .noEpochCheck ? sessions[session].machine.epoch : job.epoch
        switch job.step {
        case .reportRead(let outcome):
            switch outcome {
            case .credential(let number): feed(.storeAnswered(.success(made(number, mint)), epoch: epoch), session, mint)
            case .nothing: feed(.storeAnswered(.success(nil), epoch: epoch), session, mint)
            default: feed(.storeAnswered(.failure(Self.storeFailed), epoch: epoch), session, mint)
            }
        case .reportLook(let outcome):
            switch outcome {
            case .credential(let number): feed(.lookedAgain(.success(made(number, mint)), epoch: epoch), session, mint)
            case .nothing: feed(.lookedAgain(.success(nil), epoch: epoch), session, mint)
            default: feed(.lookedAgain(.failure(Self.storeFailed), epoch: epoch), session, mint)
            }
        case .reportRefresh(let outcome):
            switch outcome {
            case .credential(let number):
                let (credential, version) = made(number, mint)
                feed(.refreshEnded(.renewed(credential, version), epoch: epoch), session, mint)
            case .kept(let number):
                let (credential, version) = made(number, mint)
                let error = SessionError(.serverMisbehaved, "odd")
                feed(.refreshEnded(.failed(error, keeping: (credential, version)), epoch: epoch), session, mint)
            case .nothing: feed(.refreshEnded(.signedOut(SessionError(.signInNeeded, "ended")), epoch: epoch), session, mint)
            case .storeFailed: feed(.refreshEnded(.failed(Self.storeFailed), epoch: epoch), session, mint)
            default: feed(.refreshEnded(.failed(SessionError(.unreachable, "no network")), epoch: epoch), session, mint)
            }
        case .reportSignIn(let outcome) where job.kind == .finishSignIn:
            guard case .credential(let number) = outcome else { return }
            let (credential, version) = made(number, mint)
            feed(.signInFinished(credential, version, epoch: epoch), session, mint)
        case .reportSignIn(let outcome):
            switch outcome {
            case .credential: sessions[session].failedAt = nil
            case .unreachable: sessions[session].failedAt = now
            case .closed: sessions[session].declined = sessions[session].held?.generation
            default: break
            }
            switch outcome {
            case .credential(let number): feed(.signInEnded(.success(made(number, mint)), epoch: epoch), session, mint)
            case .closed: feed(.signInEnded(.failure(SessionError(.cancelledByUser, "closed")), epoch: epoch), session, mint)
            case .unreachable: feed(.signInEnded(.failure(SessionError(.unreachable, "no network")), epoch: epoch), session, mint)
            case .storeFailed: feed(.signInEnded(.failure(Self.storeFailed), epoch: epoch), session, mint)
            default: feed(.signInEnded(.failure(SessionError(.cancelledByProgram, "abandoned")), epoch: epoch), session, mint)
            }
        case .reportDeletion(let outcome, _):
            let isDeleted = outcome == .nothing || fault == .missingThatNothingWasDeleted
            feed(.deletionEnded(isDeleted ? nil : Self.storeFailed), session, mint)
            if fault == .revokingBeforeRequestsEnd { feed(.requestsEnded, session, mint) }
        case .endRequests: feed(.requestsEnded, session, mint)
        case .reportRevocation: feed(.revocationEnded, session, mint)
        case .signOutPage: feed(.signOutPageEnded, session, mint)
        default: break
        }
    }

    private static var storeFailed: SessionError { SessionError(.storeFailed, "locked") }

    private func made(_ number: Int, _ mint: CredentialMint) -> (Credential, CredentialVersion) {
        mint.credential(number, expiresAt: server.issued[number].expiresAt, accessToken: server.issued[number].accessToken)
    }

    mutating func feed(_ event: SessionMachine.Event, _ session: Int, _ mint: CredentialMint) {
        leaveOut(fault, session)
        let actions = sessions[session].machine.handle(event, at: date)
        for action in actions { perform(action, session) }
        if fault == .showingThePageBeforeRevoking, sessions[session].machine.signOut.stage == .revoking {
            let actions = sessions[session].machine.handle(.revocationEnded, at: date)
            for action in actions { perform(action, session) }
        }
    }

    /// Changes the machine's state so that the machine does not follow the rule that the fault leaves out.
    private mutating func leaveOut(_ fault: PlantedFault?, _ session: Int) {
        switch fault {
        case .forgettingPauses: sessions[session].machine.signInBackOff = RefreshBackOff()
        case .forgettingWhoDeclined where !sessions[session].machine.isSigningIn: sessions[session].machine.needs = SignInNeeds()
        case .servingEveryStepUp:
            sessions[session].machine.waiters = sessions[session].machine.waiters.map { waiter in
                (waiter.id, waiter.want.need.map { .signInWith($0, isAskedFor: true) } ?? waiter.want)
            }
        default: break
        }
    }

    private mutating func perform(_ action: SessionMachine.Action, _ session: Int) {
        switch action {
        case .answer(let id, let result):
            guard let index = sessions[session].open.firstIndex(where: { $0.id == id }) else {
                violation = "a caller was answered twice"
                return
            }
            let caller = sessions[session].open.remove(at: index)
            if case .success(let held) = result { checkHandedOut(held, caller, session) }
        case .lookAgain: begin(.look, .lookAgain, session)
        case .readStore: begin(.read, .readStore, session)
        case .refresh(let held, let isRejected):
            begin(.refresh, .takeLease(held: held.number, isRejected: isRejected), session)
        case .signIn(_, let need):
            checkSignIn(asking: need, session)
            begin(.signIn, needsUser ? .page : .askWhetherToExchange, session)
        case .cancelSignIn:
            for index in sessions[session].jobs.indices where sessions[session].jobs[index].kind == .signIn {
                sessions[session].jobs[index].isCancelled = true
            }
        case .deleteStored:
            if sessions[session].signOut != nil { violation = "two sign-outs are under way" }
            sessions[session].signOut = SignOut(standing: stored)
            begin(.signOut, .readForSignOut, session)
        case .giveUpDeletion:
            if !sessions[session].signOutCallers.isEmpty { violation = "a deletion that someone waits for was given up" }
            for index in sessions[session].jobs.indices where sessions[session].jobs[index].kind == .signOut {
                sessions[session].jobs[index].isCancelled = true
            }
        case .revokeDeleted:
            checkRevocation(session)
            begin(.signOut, .revokeSignedOut(sessions[session].signOut?.taken), session)
        case .showSignOutPage:
            checkSignOutPage(session)
            begin(.signOut, .signOutPage, session)
        case .closeSignOutPage:
            if sessions[session].signOutCallers.contains(where: \.wantsPage) { violation = "a page that someone wants was closed" }
        case .endSignOut:
            checkEndOfSignOut(session)
            sessions[session].signOut = nil
            sessions[session].signOutCallers = []
        case .discard(let credential, _):
            begin(.discard, .deleteDiscarded(credential.number), session)
        }
    }

    mutating func begin(_ kind: ModelJob.Kind, _ step: ModelJob.Step, _ session: Int) {
        sessions[session].jobs.append(ModelJob(kind: kind, epoch: sessions[session].machine.epoch, step: step))
    }
}

extension HeldCredential {
    /// The number of the model's credential.
    var number: Int { credential.number }
}

extension Credential {
    /// Two credentials may have the same access token, but each has its own refresh token.
    fileprivate var number: Int { refreshToken.flatMap { Int($0.reveal()) } ?? -1 }
}
