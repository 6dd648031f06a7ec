/// The steps of a sign-out: delete the stored credential, end the session's requests, revoke the deleted tokens, and show the server's
/// logout page if requested.
extension SessionMachine {
    struct SignOut {
        enum Stage: Hashable {
            /// No sign-out has begun.
            case none
            case deleting
            /// The credential is deleted; the session's requests have yet to end.
            case deleted
            /// The credential could not be deleted: nothing is revoked, and no page is shown.
            case kept
            case revoking
            case showingPage
        }

        private(set) var stage = Stage.none
        /// Whether any caller requested the page, including callers that have left.
        private(set) var isPageWanted = false
        /// The callers that wait for the sign-out and have not left.
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

    /// Runs when the requests that carry the tokens have ended. If nothing was deleted, nothing is revoked.
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

    /// Removes a caller. The last caller to leave ends the wait for another process; the last one that requested the page closes it.
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
