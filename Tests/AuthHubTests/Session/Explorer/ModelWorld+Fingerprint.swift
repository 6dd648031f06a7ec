import OAuthProtocol

@testable import AuthHub

extension ModelWorld {
    /// A value that is equal for worlds that differ only in names: credentials are numbered by their order, and generations and epochs by
    /// their distance.
    var fingerprint: [Int32] {
        var print = Fingerprint()
        print.add(eventsLeft, faultsLeft, callbacksLeft, leaseIsHeld ? 1 : 0)
        print.add(credential: stored)
        for session in sessions {
            let machine = session.machine
            switch machine.knowledge {
            case .unknown: print.add(0)
            case .signedOut: print.add(1)
            case .signedIn(let held):
                print.add(2, held.generation > 1 ? 1 : 0)
                print.add(credential: held.number)
            }
            print.add(
                machine.activity.code, machine.isCancellingSignIn ? 1 : 0, machine.isReadOutdated ? 1 : 0,
                Int(machine.epoch - session.machine.signedOutBefore))
            print.add(machine.backOff.problem(at: date) == nil ? 0 : 1)
            print.add(machine.signInBackOff.problem(at: date) == nil ? 0 : 1, session.failedAt == now ? 1 : 0)
            print.add(
                machine.needs.asked.code, session.asked.code, code(machine.needs.refused, session), code(machine.needs.declined, session),
                code(session.declined, session))
            for caller in session.open { print.add(code(caller.refused, session), caller.signIns) }
            print.add([.none, .deleting, .deleted, .kept, .revoking, .showingPage].firstIndex(of: machine.signOut.stage) ?? -1)
            print.add(machine.signOut.isPageWanted ? 1 : 0)
            for caller in session.signOutCallers { print.add(caller.wantsPage ? 1 : 0) }
            print.add(session.signOutCallers.count, machine.signOut.callers.count)
            print.add(credential: session.signOut?.standing)
            print.add(credential: session.signOut?.taken)
            for waiter in machine.waiters { print.add(waiter.want.code(holding: session.held)) }
            print.add(machine.hasHeard ? 1 : 0)
            print.add(hints: machine.hints)
            print.add(hints: machine.hintsMeanwhile)
            print.add([SessionMachine.Look.none, .underWay, .outdated, .failed].firstIndex(of: machine.look) ?? -1)
            for told in session.told {
                print.add(told == nil ? 0 : 1)
                print.add(credential: told)
            }
            print.add(credential: session.unsaved?.number)
            print.add(credential: session.unsaved?.replacing)
            for job in session.jobs {
                print.add(-1, Int(machine.epoch - job.epoch), job.isCancelled ? 1 : 0, job.holdsLease ? 1 : 0, job.isStoring ? 1 : 0)
                print.add(job.kind == .finishSignIn ? 1 : 0)
                print.add(job.step)
            }
            print.add(-2)
        }
        return print.finish(with: self)
    }

    /// Encodes whether a generation is missing, the one that is held, or an earlier one.
    private func code(_ generation: UInt64?, _ session: Session) -> Int {
        generation == nil ? 0 : generation == session.held?.generation ? 1 : 2
    }
}

private struct Fingerprint {
    private var values: [Int32] = []
    private var credentials: [(place: Int, number: Int)] = []

    mutating func add(_ added: Int...) {
        for value in added { values.append(Int32(truncatingIfNeeded: value)) }
    }

    mutating func add(credential number: Int?) {
        if let number { credentials.append((values.count, number)) }
        values.append(-3)
    }

    mutating func add(hints: Set<SessionMachine.Hint>) {
        add(hints.count, hints.contains(.deleted) ? 1 : 0, hints.contains(.missed) ? 1 : 0)
        let versions = hints.compactMap { if case .written(let version) = $0 { version.bytes.first } else { nil } }
        for number in versions.sorted() { add(credential: Int(number)) }
    }

    mutating func add(_ outcome: ModelJob.Outcome) {
        switch outcome {
        case .credential(let number): add(credential: number)
        case .nothing: add(1)
        case .unreachable: add(2)
        case .storeFailed: add(3)
        case .cancelled: add(4)
        case .closed: add(5)
        case .kept(let number):
            add(6)
            add(credential: number)
        }
    }

    mutating func add(_ step: ModelJob.Step) {
        func add(_ code: Int, _ numbers: Int?...) {
            values.append(Int32(truncatingIfNeeded: code))
            for number in numbers { self.add(credential: number) }
        }
        switch step {
        case .readStore: add(0)
        case .takeLease(let held, let isRejected): add(isRejected ? 41 : 1, held)
        case .readAgain(let held, let isRejected): add(isRejected ? 42 : 2, held)
        case .send(let number): add(3, number)
        case .sendOther(let other, let number): add(43, other, number)
        case .saveRenewed(let number, let replaced): add(4, number, replaced)
        case .revokeRenewed(let number, let standing): add(5, number, standing)
        case .readAfterRefusal(let number): add(6, number)
        case .deleteRefused(let number): add(7, number)
        case .releaseLease(let outcome): add(8); self.add(outcome)
        case .reportRefresh(let outcome): add(9); self.add(outcome)
        case .page: add(10)
        case .askWhetherToExchange: add(11)
        case .exchange: add(12)
        case .askWhetherWanted(let number): add(13, number)
        case .lookBeforeSaving(let number): add(14, number)
        case .saveSignedIn(let number, let standing): add(15, number, standing)
        case .revokeUnwanted(let number): add(16, number)
        case .reportSignIn(let outcome): add(17); self.add(outcome)
        case .reportRead(let outcome): add(18); self.add(outcome)
        case .readForSignOut: add(19)
        case .deleteForSignOut(let number): add(20, number)
        case .reportDeletion(let outcome, let taken): add(21, taken); self.add(outcome)
        case .endRequests(let outcome, let taken): add(36, taken); self.add(outcome)
        case .reportRevocation: add(37)
        case .signOutPage: add(38)
        case .revokeSignedOut(let number): add(22, number)
        case .deleteDiscarded(let number): add(23, number)
        case .revokeDiscarded(let number): add(24, number)
        case .askWhetherUnsavedIsWanted(let number): add(25, number)
        case .revokeUnsaved(let number): add(26, number)
        case .deleteUnread: add(27)
        case .revokeUnstorable(let number): add(28, number)
        case .lookAgain: add(29)
        case .reportLook(let outcome): add(30); self.add(outcome)
        case .wake(.token(let new), let number): add(31, new, number)
        case .wake(.invalidGrant, let number): add(32, number)
        case .saveKept(let number, let replaced, let isForAnother): add(isForAnother ? 35 : 33, number, replaced)
        case .revokeRejected(let number): add(34, number)
        }
    }

    /// Replaces each credential with its rank, and lists the relevant properties of each once.
    func finish(with world: ModelWorld) -> [Int32] {
        var values = values
        let used = Set(credentials.map(\.number)).sorted()
        for (place, number) in credentials { values[place] = Int32(used.firstIndex(of: number) ?? 0) }
        for number in used {
            let issued = world.server.issued[number]
            let family = world.server.families[issued.family]
            let owner = world.sessions[issued.session]
            let flags = [
                family.newest == number, family.isRevoked, family.isExcused, world.now >= issued.expiresAt, issued.wasStored,
                issued.epoch < owner.machine.signedOutBefore, issued.isLost, issued.accessToken != nil, issued.isRejected,
                family.isReplaced, issued.isVoid, issued.other != nil, issued.other == family.newest,
            ]
            values.append(flags.reduce(0) { $0 * 2 + ($1 ? 1 : 0) })
            values.append(Int32(used.firstIndex { world.server.issued[$0].family == issued.family } ?? 0))
            values.append(Int32(issued.session))
            values.append(Int32(truncatingIfNeeded: owner.machine.epoch - issued.epoch))
        }
        return values
    }
}

extension SignInNeed {
    /// A number for the scopes that the model knows.
    fileprivate var code: Int { (scope.names.contains("a") ? 1 : 0) + (scope.names.contains("b") ? 2 : 0) }
}

extension SessionMachine.Activity {
    fileprivate var code: Int {
        switch self {
        case .none: 0
        case .reading: 1
        case .refreshing: 2
        case .signingIn: 3
        case .exchanging: 4
        case .signingOut: 5
        }
    }
}

extension SessionMachine.Want {
    fileprivate func code(holding held: HeldCredential?) -> Int {
        switch self {
        case .credential(_, let refused, let mayInteract):
            10 + (mayInteract ? 1 : 0) + (refused == nil ? 0 : refused == held?.generation ? 2 : 4)
        case .replacement: 40 + (held.map(reports) == true ? 1 : 0)
        case .renewal: 20
        case .signIn: 21
        case .signInWith(let need, let isAskedFor): 30 + need.code * 2 + (isAskedFor ? 1 : 0)
        case .knowledge: 22
        }
    }
}
