import CredentialStorage

@testable import AuthHub

extension ModelWorld {
    /// Passes a job's report to the machine, if this was its last step before that.
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
            case .credential(let number): feed(.signInEnded(.success(made(number, mint)), epoch: epoch), session, mint)
            case .closed: feed(.signInEnded(.failure(SessionError(.cancelledByPerson, "closed")), epoch: epoch), session, mint)
            case .unreachable: feed(.signInEnded(.failure(SessionError(.unreachable, "no network")), epoch: epoch), session, mint)
            case .storeFailed: feed(.signInEnded(.failure(Self.storeFailed), epoch: epoch), session, mint)
            default: feed(.signInEnded(.failure(SessionError(.cancelledByProgram, "abandoned")), epoch: epoch), session, mint)
            }
        case .reportSignOut(let outcome):
            feed(.signOutEnded(outcome == .nothing ? nil : Self.storeFailed), session, mint)
        default: break
        }
    }

    private static var storeFailed: SessionError { SessionError(.storeFailed, "locked") }

    private func made(_ number: Int, _ mint: CredentialMint) -> (Credential, CredentialVersion) {
        mint.credential(number, expiresAt: server.issued[number].expiresAt, accessToken: server.issued[number].accessToken)
    }

    mutating func feed(_ event: SessionMachine.Event, _ session: Int, _ mint: CredentialMint) {
        for action in sessions[session].machine.handle(event, at: date) { perform(action, session) }
    }

    private mutating func perform(_ action: SessionMachine.Action, _ session: Int) {
        switch action {
        case .answer(let id, let result):
            guard let index = sessions[session].open.firstIndex(where: { $0.id == id }) else {
                violation = "a caller was answered twice"
                return
            }
            let want = sessions[session].open.remove(at: index).want
            if case .success(let held) = result { checkHandedOut(held, want, session) }
        case .lookAgain: begin(.look, .lookAgain, session)
        case .readStore: begin(.read, .readStore, session)
        case .refresh(let held): begin(.refresh, .takeLease(held: held.number), session)
        case .signIn: begin(.signIn, .page, session)
        case .cancelSignIn:
            for index in sessions[session].jobs.indices where sessions[session].jobs[index].kind == .signIn {
                sessions[session].jobs[index].isCancelled = true
            }
        case .signOut: begin(.signOut, .readForSignOut, session)
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
