/// The sequence of a sign-out: what is stored is deleted, the session's requests end, what was deleted is revoked, and then the server's
/// page for signing out is shown, if it is wanted.
extension SessionMachine {
    struct SignOut {
        enum Stage: Hashable {
            /// None has begun.
            case none
            case deleting
            /// Deleted; the session's requests have yet to end.
            case deleted
            /// Not deleted: nothing is revoked, and no page is shown.
            case kept
            case revoking
            case showingPage
        }

        private(set) var stage = Stage.none
        /// Whether anyone wanted the page, including those who have left.
        private(set) var isPageWanted = false
        /// Those who wait for it and have not left.
        private(set) var callers: [(id: WaiterID, wantsPage: Bool)] = []
    }

    mutating func beginSignOut() -> [Action] {
        guard activity != .signingOut else { return [] }
        epoch += 1
        forget(because: nil)
        let cancellation: [Action] = activity == .signingIn ? [.cancelSignIn] : []
        let answers = answer(.failure(.signedOutMeanwhile)) { _ in true }
        signOut.begin()
        return answers + cancellation + begin(.signingOut, .deleteStored)
    }

    /// When the requests that carry the tokens have ended. Nothing is revoked if nothing was deleted.
    mutating func revokeDeleted() -> [Action] {
        switch signOut.stage {
        case .deleted: signOut.go(to: .revoking)
        case .kept: endSignOut()
        case .none, .deleting, .revoking, .showingPage: []
        }
    }

    mutating func showSignOutPage() -> [Action] {
        signOut.callers.contains(where: \.wantsPage) ? signOut.go(to: .showingPage) : endSignOut()
    }

    mutating func endSignOut() -> [Action] {
        let isDeleted = signOut.stage != .kept
        let isPageAbandoned = signOut.stage == .revoking && signOut.isPageWanted
        activity = .none
        knowledge = isDeleted ? .signedOut : .unknown
        if isDeleted { signedOutBefore = epoch }
        signOut = SignOut()
        return [.endSignOut(isPageAbandoned: isPageAbandoned)]
    }
}

extension SessionMachine.SignOut {
    mutating func add(_ caller: SessionMachine.WaiterID?, wantsPage: Bool) {
        if wantsPage { isPageWanted = true }
        if let caller { callers.append((caller, wantsPage)) }
    }

    /// The last caller that leaves ends the wait for another process; the last one that wanted the page closes it.
    mutating func remove(_ caller: SessionMachine.WaiterID) -> [SessionMachine.Action] {
        guard let index = callers.firstIndex(where: { $0.id == caller }) else { return [] }
        let wantedPage = callers.remove(at: index).wantsPage
        switch stage {
        case .deleting where callers.isEmpty: return [.giveUpDeletion]
        case .showingPage where wantedPage && !callers.contains(where: \.wantsPage): return [.closeSignOutPage]
        default: return []
        }
    }

    fileprivate mutating func begin() { stage = .deleting }

    mutating func deletionEnded(isDeleted: Bool) {
        if stage == .deleting { stage = isDeleted ? .deleted : .kept }
    }

    fileprivate mutating func go(to next: Stage) -> [SessionMachine.Action] {
        stage = next
        return [next == .revoking ? .revokeDeleted : .showSignOutPage]
    }
}
