import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform

@testable import AuthHub

/// Two sessions, one store with its lease, and one server. The sessions' state machines are real; everything else is a model.
struct ModelWorld {
    struct Session {
        var machine = SessionMachine()
        var jobs: [ModelJob] = []
        /// The callers that have no result yet, in order of arrival.
        var open: [Caller] = []
        var callers: UInt64 = 0
        /// Tokens that were issued but not stored, because the store failed.
        var unsaved: (number: Int, replacing: Int)?
        /// The changes that the store has reported and the session has not received yet: the number of the stored credential, or nil for
        /// a deletion.
        var told: [Int?] = []
        /// The requirement of the last sign-in that began.
        var asked = SignInNeed()
        /// The generation of the held credential when the user closed a page.
        var declined: UInt64?
        /// The time when a sign-in without a user last failed.
        var failedAt: Int?
        /// The sign-out in progress, from the deletion to the end.
        var signOut: SignOut?
        /// The callers of a sign-out, and whether they want its page.
        var signOutCallers: [(id: UInt64, wantsPage: Bool)] = []
    }

    struct Caller {
        let id: UInt64
        let want: SessionMachine.Want
        /// The generation that a server rejected, if the caller is a request that needs another sign-in.
        var refused: UInt64?
        /// The number of sign-ins that began while the caller waited.
        var signIns = 0
    }

    struct SignOut {
        /// The credential that was stored when the sign-out began.
        let standing: Int?
        /// The credential that the sign-out deleted.
        var taken: Int?
        var isDeleted = false
        var hasRequests = true
        var revocations = 0
        var isRevoked = false
    }

    enum Event: Hashable {
        case want(Int, mayInteract: Bool)
        case refused(Int, isCurrent: Bool)
        case renewal(Int)
        /// A program reports the token that it got from the session, or an earlier one.
        case reported(Int, token: Int)
        case signIn(Int)
        case stepUp(Int, scope: String)
        /// A server rejected the held credential, and then also the refreshed one.
        case signInAgain(Int)
        case leave(Int, caller: Int)
        case signOut(Int, wantsPage: Bool)
        case leaveSignOut(Int, caller: Int)
        /// The callback of a page that was shown by a process that was killed.
        case callback(Int)
        case tokensEnd
        case time
        case grantEnds
    }

    /// The outcome of a step, if there is a choice.
    enum Luck: Hashable {
        case good
        /// The user closes the page, which is not an error.
        case closed
        case storeFails
        case unreachable
        case answerLost
        /// The response is incomplete, or must not be used at all.
        case odd, rejected
        /// The response is incomplete, and its refresh token is not one of the server's.
        case mangled
        /// The process is asleep after sending: the lease expires, and the request times out.
        case sleeps
    }

    enum Move: Hashable {
        case event(Event)
        case step(session: Int, job: Int, Luck)
        /// The session receives the first reported change, or learns that the remaining ones were missed.
        case hint(session: Int, isMissed: Bool)
    }

    var sessions: [Session]
    /// The number of the stored credential, which is also its version, because no credential is stored twice.
    var stored: Int? {
        didSet {
            guard tellsOfChanges, stored != oldValue else { return }
            for session in sessions.indices { sessions[session].told.append(stored) }
        }
    }
    /// Whether the store reports changes.
    var tellsOfChanges = false
    /// Whether programs report rejected tokens.
    var reportsTokens = false
    /// Whether callers request more than the usual sign-in.
    var stepsUp = false
    /// Whether a sign-out may show the server's page, and whether its callers may be cancelled.
    var showsSignOutPage = false
    /// Whether a user decides on sign-ins.
    let needsUser: Bool
    var leaseIsHeld = false
    var server = ModelServer()
    var now = 0
    var eventsLeft: Int
    var faultsLeft: Int
    var callbacksLeft: Int
    /// The first rule that was broken.
    var violation: String? {
        didSet { if let oldValue { violation = oldValue } }
    }
    let fault: PlantedFault?

    init(sessions: Int, events: Int, faults: Int, callbacks: Int, fault: PlantedFault?, needsUser: Bool = true) {
        self.needsUser = needsUser
        self.sessions = Array(repeating: Session(machine: SessionMachine(needsUser: needsUser)), count: sessions)
        eventsLeft = events
        faultsLeft = faults
        callbacksLeft = callbacks
        self.fault = fault
    }

    var isAtRest: Bool { sessions.allSatisfy { $0.jobs.isEmpty && $0.told.isEmpty } }

    /// Returns a world in which all sessions hold the one stored credential.
    static func signedIn(sessions: Int, events: Int, faults: Int, callbacks: Int, fault: PlantedFault?, mint: CredentialMint) -> Self {
        var world = Self(sessions: sessions, events: events, faults: faults, callbacks: callbacks, fault: fault)
        let number = world.server.exchange(for: 0, in: 0, at: 0)
        world.stored = number
        world.server.markStored(number)
        for session in world.sessions.indices {
            world.call(.knowledge, session, mint)
            while !world.isAtRest { world.make(.step(session: session, job: 0, .good), mint) }
        }
        return world
    }
}

/// Creates each credential once.
final class CredentialMint {
    private var made: [Int: Credential] = [:]
    private let first: Credential

    init() throws {
        first = try Credential.making("0", lifetime: ModelServer.lifetime, refreshToken: "0")
    }

    static func version(of number: Int) -> CredentialVersion { CredentialVersion(bytes: [UInt8(truncatingIfNeeded: number)]) }

    /// - Parameter accessToken: The number of the credential whose access token it has, if it is not its own.
    func credential(_ number: Int, expiresAt: Int, accessToken: Int? = nil) -> (Credential, CredentialVersion) {
        let version = Self.version(of: number)
        let key = number << 32 | expiresAt
        if let known = made[key] { return (known, version) }
        let issuedAt = start.addingTimeInterval(Double(expiresAt - ModelServer.lifetime))
        let credential =
            (try? Credential.making(
                "\(accessToken ?? number)", lifetime: ModelServer.lifetime, refreshToken: "\(number)", issuedAt: issuedAt)) ?? first
        made[key] = credential
        return (credential, version)
    }
}

extension ModelWorld {
    /// The moves that are possible next.
    var moves: [Move] {
        var moves: [Move] = []
        for session in sessions.indices {
            for job in sessions[session].jobs.indices {
                moves += lucks(of: sessions[session].jobs[job], in: session).map { .step(session: session, job: job, $0) }
            }
            let state = sessions[session]
            if !state.told.isEmpty { moves.append(.hint(session: session, isMissed: false)) }
            if state.told.count > 1 { moves.append(.hint(session: session, isMissed: true)) }
            guard eventsLeft > 0 else { continue }
            if state.open.count < 2 {
                moves += [.event(.want(session, mayInteract: false)), .event(.want(session, mayInteract: true))]
                moves += [.event(.renewal(session)), .event(.signIn(session))]
                if let held = state.held {
                    moves.append(.event(.refused(session, isCurrent: true)))
                    if held.generation > 1 { moves.append(.event(.refused(session, isCurrent: false))) }
                }
            }
            if reportsTokens, state.open.count < 2, let held = state.held {
                moves += Set([server.accessToken(of: held.number), 0]).sorted().map { .event(.reported(session, token: $0)) }
            }
            if stepsUp, state.open.count < 2 {
                moves += ["a", "b"].map { .event(.stepUp(session, scope: $0)) }
                if state.held != nil { moves.append(.event(.signInAgain(session))) }
            }
            moves += state.open.indices.map { .event(.leave(session, caller: $0)) }
            moves.append(.event(.signOut(session, wantsPage: false)))
            if showsSignOutPage {
                moves.append(.event(.signOut(session, wantsPage: true)))
                moves += state.signOutCallers.indices.map { .event(.leaveSignOut(session, caller: $0)) }
            }
            if callbacksLeft > 0, state.machine.activity != .signingOut { moves.append(.event(.callback(session))) }
        }
        guard eventsLeft > 0 else { return moves }
        if let stored, server.issued[stored].expiresAt > now { moves.append(.event(.tokensEnd)) }
        if sessions.contains(where: { ($0.machine.backOff.problem(at: date) ?? $0.machine.signInBackOff.problem(at: date)) != nil }) {
            moves.append(.event(.time))
        }
        if let stored, !server.families[server.issued[stored].family].isRevoked { moves.append(.event(.grantEnds)) }
        return moves
    }

    var date: Date { start.addingTimeInterval(Double(now)) }

    private func lucks(of job: ModelJob, in session: Int) -> [Luck] {
        let faults = faultsLeft > 0
        switch job.step {
        case .takeLease: return leaseIsHeld && fault != .noLease ? [] : [.good]
        case .readForSignOut where sessions[session].jobs.contains { $0.isStoring && waitsForStoring($0) }: return []
        // The job waits for another process, but no caller waits for the job any more.
        case .readForSignOut where job.isCancelled: return [.good, .closed]
        case .askWhetherUnsavedIsWanted where sessions[session].jobs.contains { $0.isDeletingForSignOut }: return []
        case .page: return [.good, .closed]
        case .send: return faults ? [.good, .storeFails, .unreachable, .answerLost, .odd, .mangled, .rejected, .sleeps] : [.good]
        case .sendOther: return faults ? [.good, .unreachable] : [.good]
        case .exchange: return faults ? [.good, .unreachable] : [.good]
        case .readStore, .lookAgain, .readAgain, .saveRenewed, .saveKept, .readAfterRefusal, .deleteRefused, .lookBeforeSaving,
            .saveSignedIn,
            .readForSignOut,
            .deleteForSignOut, .deleteUnread:
            return faults ? [.good, .storeFails] : [.good]
        default: return [.good]
        }
    }

    private func waitsForStoring(_ job: ModelJob) -> Bool {
        fault != (job.kind == .signIn ? .signingOutWhileStoring : .signingOutWhileACallbackIsStored)
    }

    mutating func make(_ move: Move, _ mint: CredentialMint) {
        switch move {
        case .event(let event):
            eventsLeft -= 1
            happen(event, mint)
        case .step(let session, let index, let luck):
            if luck != .good, luck != .closed { faultsLeft -= 1 }
            let job = sessions[session].jobs[index]
            if let next = advance(job, of: session, luck, mint) {
                sessions[session].jobs[index] = next
            } else {
                sessions[session].jobs.remove(at: index)
            }
            report(job, of: session, mint)
        case .hint(let session, let isMissed):
            let hint: SessionMachine.Hint =
                if isMissed {
                    .missed
                } else {
                    sessions[session].told[0].map { .written(CredentialMint.version(of: $0)) } ?? .deleted
                }
            sessions[session].told.removeFirst(isMissed ? sessions[session].told.count : 1)
            if fault == .nothingHeard || fault == .deafWhileBusy && !sessions[session].machine.isIdle { break }
            feed(.hinted(hint), session, mint)
        }
        checkAlways()
        if isAtRest { checkAtRest() }
    }

    private mutating func happen(_ event: Event, _ mint: CredentialMint) {
        switch event {
        case .want(let session, let mayInteract): call(.credential(mayInteract: mayInteract), session, mint)
        case .refused(let session, let isCurrent):
            guard let generation = sessions[session].held?.generation else { return }
            call(.credential(refused: isCurrent ? generation : generation - 1, mayInteract: false), session, mint)
        case .renewal(let session): call(.renewal, session, mint)
        case .reported(let session, let token): call(.replacement(of: Secret("\(token)"), mayInteract: false), session, mint)
        case .signIn(let session): call(.signIn, session, mint)
        case .stepUp(let session, let scope): call(.stepUp(StepUpRequirement(scope: [scope])), session, mint)
        case .signInAgain(let session):
            guard let generation = sessions[session].held?.generation else { return }
            call(.signIn, session, mint, refused: generation)
        case .leave(let session, let caller): feed(.left(sessions[session].open[caller].id), session, mint)
        case .signOut(let session, let wantsPage):
            sessions[session].callers += 1
            let id = sessions[session].callers
            sessions[session].signOutCallers.append((id, wantsPage))
            feed(.signOutCalled(id, wantsPage: wantsPage), session, mint)
            feed(.signOutWanted, session, mint)
        case .leaveSignOut(let session, let caller):
            let id = sessions[session].signOutCallers.remove(at: caller).id
            feed(.signOutLeft(id), session, mint)
        case .callback(let session):
            callbacksLeft -= 1
            begin(.finishSignIn, .exchange, session)
        case .tokensEnd: now += ModelServer.lifetime
        case .time: now += 400
        case .grantEnds: if let stored { server.revoke(familyOf: stored) }
        }
    }

    mutating func call(_ want: SessionMachine.Want, _ session: Int, _ mint: CredentialMint, refused: UInt64? = nil) {
        sessions[session].callers += 1
        let id = sessions[session].callers
        sessions[session].open.append(Caller(id: id, want: want, refused: refused))
        feed(refused.map { .signInAgainWanted(id, refused: $0) } ?? .wanted(id, want), session, mint)
    }
}

extension ModelWorld.Session {
    var held: HeldCredential? {
        if case .signedIn(let held) = machine.knowledge { held } else { nil }
    }
}
