@testable import AuthHub

/// What must hold, whatever the order of events.
extension ModelWorld {
    mutating func checkHandedOut(_ held: HeldCredential, _ want: SessionMachine.Want, _ session: Int) {
        guard want != .knowledge else { return }
        let issued = server.issued[held.number]
        // A caller that signs in learns that the sign-in succeeded, and gets no token.
        if now >= issued.expiresAt, want != .signIn { violation = "a token that had ended was handed out" }
        if !issued.wasStored { violation = "a token was handed out before it was stored" }
        if case .credential(_, held.generation?, _) = want { violation = "a refused token was handed to who reported that" }
        if held !== sessions[session].held { violation = "a token was handed out that is not the one the session holds" }
        if issued.session == session, issued.epoch < sessions[session].machine.signedOutBefore, stored != held.number {
            violation = "a token of an epoch that is over was handed out"
        }
    }

    /// The newest refresh token of each sign-in is in the store or in memory, unless the server revoked the grant, another sign-in replaced
    /// it, or the network lost the response.
    private mutating func checkThatNothingIsLost() {
        let unsaved = sessions.compactMap(\.unsaved?.number)
        let inMemory = Set(sessions.flatMap(\.jobs).flatMap(\.inMemory) + unsaved)
        for family in server.families where !family.isRevoked && !family.isReplaced {
            guard family.newest != stored, !inMemory.contains(family.newest), !server.issued[family.newest].isLost else { continue }
            violation = "the newest refresh token that the server issued is lost"
        }
        if let stored, server.issued[stored].isRejected { violation = "what a security check refused is stored" }
    }

    /// After each move.
    mutating func checkAlways() {
        checkThatNothingIsLost()
        var leases = 0
        for session in sessions {
            let machine = session.machine
            let current = session.jobs.count { $0.epoch == machine.epoch && ![.discard, .finishSignIn, .look].contains($0.kind) }
            if current > 1 { violation = "two activities of a session are under way" }
            if machine.isIdle != (current == 0) { violation = "the machine does not know what is under way" }
            if machine.waiters.count != session.open.count { violation = "a caller was forgotten" }
            if !session.open.isEmpty, machine.isIdle { violation = "a caller waits, and nothing is under way" }
            if case .signedOut = machine.state, machine.held != nil { violation = "a token is held after the sign-out" }
            leases += session.jobs.count { $0.holdsLease }
        }
        if leases > 1 { violation = "two refreshes of one credential are under way" }
    }

    /// When nothing is in progress any more.
    mutating func checkAtRest() {
        for (index, session) in sessions.enumerated() {
            if !session.open.isEmpty { violation = "a caller was never answered" }
            if isBehind(session) { violation = "what a session knows is not what is stored" }
            guard let stored else { continue }
            let issued = server.issued[stored]
            if issued.session == index, issued.epoch < session.machine.signedOutBefore {
                violation = "signed out, and its credential is stored"
            }
        }
        for issued in server.issued
        where !issued.wasStored && !issued.isLost && issued.epoch < sessions[issued.session].machine.signedOutBefore {
            if !server.families[issued.family].isRevoked { violation = "tokens that came too late were not revoked" }
        }
        if leaseIsHeld { violation = "the lease was never released" }
    }

    /// A session whose store reports changes has followed them. A session that has read nothing yet, or could not read, may know less.
    private func isBehind(_ session: Session) -> Bool {
        guard tellsOfChanges, session.machine.look != .failed else { return false }
        return switch session.machine.knowledge {
        case .unknown: false
        case .signedOut: stored != nil
        case .signedIn(let held): held.number != stored
        }
    }
}
