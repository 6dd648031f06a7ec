import OAuthProtocol

@testable import AuthHub

/// The rules that must hold for any order of events.
extension ModelWorld {
    mutating func checkHandedOut(_ held: HeldCredential, _ caller: Caller, _ session: Int) {
        let want = caller.want
        guard want != .knowledge else { return }
        let issued = server.issued[held.number]
        if let need = want.need, !sessions[session].asked.covers(need) {
            violation = "a step-up was answered by a page that asked for less"
        }
        // A caller that signs in only learns that the sign-in succeeded, and gets no token.
        if now >= issued.expiresAt, !want.isSignIn { violation = "a token that had ended was handed out" }
        if !issued.wasStored { violation = "a token was handed out before it was stored" }
        if want.reports(held) { violation = "a refused token was handed to who reported that" }
        if held !== sessions[session].held { violation = "a token was handed out that is not the one the session holds" }
        if issued.session == session, issued.epoch < sessions[session].machine.signedOutBefore, stored != held.number {
            violation = "a token of an epoch that is over was handed out"
        }
    }

    /// Checks that the newest refresh token of each sign-in is in the store or in memory, unless the server revoked the grant, another
    /// sign-in replaced it, or the response was lost on the network.
    private mutating func checkThatNothingIsLost() {
        let unsaved = sessions.compactMap(\.unsaved?.number)
        let known = sessions.flatMap(\.jobs).flatMap(\.inMemory) + unsaved + [stored].compactMap(\.self)
        let inMemory = Set(known + known.compactMap { server.issued[$0].other })
        for family in server.families where !family.isRevoked && !family.isReplaced {
            guard family.newest != stored, !inMemory.contains(family.newest), !server.issued[family.newest].isLost else { continue }
            violation = "the newest refresh token that the server issued is lost"
        }
        if let stored, server.issued[stored].isRejected { violation = "what a security check refused is stored" }
    }

    /// Checks the rules for the start of a sign-in.
    mutating func checkSignIn(asking need: SignInNeed, _ session: Int) {
        let open = sessions[session].open.filter(\.want.allowsSignIn)
        if !needsUser, sessions[session].failedAt == now, !open.contains(where: \.want.isExplicit) {
            violation = "a sign-in without a user began before its pause was over"
        }
        if !open.isEmpty, open.allSatisfy({ $0.refused != nil && $0.refused == sessions[session].declined }) {
            violation = "a user who declined was asked again about the same token"
        }
        for index in sessions[session].open.indices {
            guard let own = sessions[session].open[index].want.need else { continue }
            sessions[session].open[index].signIns += 1
            if sessions[session].open[index].signIns > 1 { violation = "a step-up led to more than one page of its own" }
            if !need.covers(own) { violation = "a page asks for less than a caller needs" }
        }
        sessions[session].asked = need
    }

    /// Checks the rules for the moment when the machine asks for a revocation of the deleted tokens.
    mutating func checkRevocation(_ session: Int) {
        guard let signOut = sessions[session].signOut, signOut.isDeleted else {
            violation = "what was not deleted is revoked"
            return
        }
        if signOut.hasRequests { violation = "tokens were revoked before the requests that carry them had ended" }
        if signOut.revocations > 0 { violation = "what was deleted was revoked twice" }
        sessions[session].signOut?.revocations += 1
    }

    mutating func checkSignOutPage(_ session: Int) {
        if sessions[session].signOut?.isRevoked != true { violation = "the page for signing out was shown before the revocation" }
        if !sessions[session].signOutCallers.contains(where: \.wantsPage) { violation = "a page was shown that no one wants" }
    }

    mutating func checkEndOfSignOut(_ session: Int) {
        guard let signOut = sessions[session].signOut else {
            violation = "a sign-out ended twice"
            return
        }
        guard case .signedOut = sessions[session].machine.knowledge else { return }
        if !signOut.isRevoked { violation = "a sign-out ended before what was deleted was revoked" }
        if let stored, let standing = signOut.taken ?? signOut.standing, server.issued[stored].family == server.issued[standing].family {
            violation = "what was stored survived the sign-out"
        }
    }

    /// Checks the rules that must hold after each move.
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

    /// Checks the rules that must hold when nothing is in progress.
    mutating func checkAtRest() {
        for (index, session) in sessions.enumerated() {
            if !session.open.isEmpty || !session.signOutCallers.isEmpty { violation = "a caller was never answered" }
            if session.signOut != nil { violation = "a sign-out never ended" }
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

    /// Returns whether a session has missed a change that its store reported. Always false for a session that has not read anything yet,
    /// or whose last read failed.
    private func isBehind(_ session: Session) -> Bool {
        guard tellsOfChanges, session.machine.look != .failed else { return false }
        return switch session.machine.knowledge {
        case .unknown: false
        case .signedOut: stored != nil
        case .signedIn(let held): held.number != stored
        }
    }
}
