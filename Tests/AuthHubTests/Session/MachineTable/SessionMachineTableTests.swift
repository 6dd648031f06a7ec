import CredentialStorage
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

/// Every event in every state, with the next state and the actions.
struct SessionMachineTableTests {
    @Test func `every event in every state has the outcome that the table states`() throws {
        var outcomes: [String] = []
        for state in States.allCases {
            for event in try Events.all() {
                var machine = try state.machine()
                #expect(machine.stateName == state.rawValue)
                let actions = machine.handle(event.event, at: start.addingTimeInterval(7200)).words
                let done = actions.isEmpty ? "-" : actions.joined(separator: ", ")
                outcomes.append("\(state.rawValue) | \(event.name) | \(machine.stateName) | \(done)")
            }
        }
        let expected = SessionMachineTable.rows
        #expect(outcomes.count == expected.count)
        for (outcome, row) in zip(outcomes, expected) { #expect(outcome == row) }
        if outcomes != expected { print(outcomes.joined(separator: "\n")) }
    }
}

/// The states, in the order of the table.
///
/// If callers can wait in a state, two are waiting: caller 1 wants a credential without a page, caller 2 wants a sign-in.
private enum States: String, CaseIterable {
    case unknown, loading
    case signedOut = "signed out"
    case pausing = "signed out, after a failed sign-in"
    case signingIn = "signing in"
    case abandoned = "ending an abandoned sign-in"
    case exchanging
    case signedIn = "signed in"
    case ended = "signed in, no refresh token"
    case refreshing
    case heldBack = "signed in, after a failed refresh"
    case reading = "signed in, reading the store"
    case looking = "signed in, re-reading in the background"
    case outdated = "signed in, re-reading in the background, outdated"
    case declined = "signed in, sign-in declined"
    case signingOut = "deleting"
    case deleted = "deleted"
    case kept = "not deleted"
    case revoking
    case showingPage = "showing the sign-out page"

    func machine() throws -> SessionMachine {
        var machine = SessionMachine(needsUser: self != .pausing)
        let late = start.addingTimeInterval(7200)
        func feed(_ events: SessionMachine.Event...) {
            for event in events { _ = machine.handle(event, at: late) }
        }
        func know(_ answer: (Credential, CredentialVersion)?) {
            feed(.wanted(0, .knowledge), .storeAnswered(.success(answer), epoch: 0))
        }
        let old = (try Credential.making("old"), CredentialVersion(bytes: [1]))
        let want = SessionMachine.Event.wanted(1, .credential(mayInteract: false))
        switch self {
        case .unknown: break
        case .loading: feed(want)
        case .signedOut: know(nil)
        case .signingIn: feed(.wanted(2, .signIn), want)
        case .abandoned: feed(.wanted(2, .signIn), .left(2))
        case .exchanging: feed(.wanted(2, .signIn), want, .codeReceived(epoch: 0))
        case .signedIn: know(old)
        case .ended: know((try Credential.making("old", refreshToken: nil), CredentialVersion(bytes: [1])))
        case .refreshing:
            know(old)
            feed(want)
        case .heldBack, .reading:
            know(old)
            feed(want, .refreshEnded(.failed(SessionError(.unreachable, "no network")), epoch: 0))
            if self == .reading { feed(want) }
        case .looking, .outdated:
            know(old)
            feed(.hinted(.missed))
            if self == .outdated {
                feed(.signInFinished(try Credential.making("old"), CredentialVersion(bytes: [3]), epoch: 0))
            }
        case .signingOut, .deleted, .kept, .revoking, .showingPage:
            know(old)
            feed(.signOutCalled(3, wantsPage: true), .signOutWanted)
            if self == .kept { feed(.deletionEnded(SessionError(.storeFailed, "read-only"))) }
            if [.deleted, .revoking, .showingPage].contains(self) { feed(.deletionEnded(nil)) }
            if self == .revoking || self == .showingPage { feed(.requestsEnded) }
            if self == .showingPage { feed(.revocationEnded) }
        case .declined:
            know(old)
            feed(.wanted(2, .signIn), .signInEnded(.failure(SessionError(.cancelledByUser, "closed")), epoch: 0))
        case .pausing:
            know(nil)
            feed(.wanted(2, .signIn), .signInEnded(.failure(SessionError(.unreachable, "no network")), epoch: 0))
        }
        return machine
    }
}

private enum Events {
    /// Returns the events. Results belong to epoch 0, in which the state's activity started.
    static func all() throws -> [(name: String, event: SessionMachine.Event)] {
        let fresh = (try Credential.making("new", issuedAt: start.addingTimeInterval(7200)), CredentialVersion(bytes: [2]))
        let lost = SessionError(.unreachable, "no network")
        let closed = SessionError(.cancelledByUser, "closed")
        return [
            ("wanted, page allowed", .wanted(9, .credential(mayInteract: true))),
            ("wanted, no page", .wanted(9, .credential(mayInteract: false))),
            ("wanted, the first was rejected", .wanted(9, .credential(refused: 1, mayInteract: false))),
            ("refresh wanted", .wanted(9, .renewal)),
            ("sign-in wanted", .wanted(9, .signIn)),
            ("step-up wanted", .wanted(9, .stepUp(StepUpRequirement(scope: ["write"])))),
            ("sign-in wanted, the first was rejected", .signInAgainWanted(9, refused: 1)),
            ("knowledge wanted", .wanted(9, .knowledge)),
            ("1 left", .left(1)),
            ("2 left", .left(2)),
            ("store: credential", .storeAnswered(.success(fresh), epoch: 0)),
            ("store: nothing", .storeAnswered(.success(nil), epoch: 0)),
            ("store: failed", .storeAnswered(.failure(SessionError(.storeFailed, "locked")), epoch: 0)),
            ("refresh: succeeded", .refreshEnded(.renewed(fresh.0, fresh.1), epoch: 0)),
            ("refresh: signed out", .refreshEnded(.signedOut(SessionError(.signInNeeded, "ended")), epoch: 0)),
            ("refresh: failed", .refreshEnded(.failed(lost), epoch: 0)),
            ("code received", .codeReceived(epoch: 0)),
            ("sign-in: done", .signInEnded(.success(fresh), epoch: 0)),
            ("sign-in: closed", .signInEnded(.failure(closed), epoch: 0)),
            ("sign-out wanted", .signOutWanted),
            ("sign-out called", .signOutCalled(4, wantsPage: false)),
            ("sign-out: 3 left", .signOutLeft(3)),
            ("deletion: done", .deletionEnded(nil)),
            ("deletion: failed", .deletionEnded(SessionError(.storeFailed, "read-only"))),
            ("requests ended", .requestsEnded),
            ("revocation ended", .revocationEnded),
            ("sign-out page ended", .signOutPageEnded),
            ("hint: the held version", .hinted(.written(CredentialVersion(bytes: [1])))),
            ("hint: another version", .hinted(.written(CredentialVersion(bytes: [2])))),
            ("hint: deleted", .hinted(.deleted)),
            ("hint: some were missed", .hinted(.missed)),
            ("re-read: credential", .lookedAgain(.success(fresh), epoch: 0)),
            ("re-read: nothing", .lookedAgain(.success(nil), epoch: 0)),
            ("re-read: failed", .lookedAgain(.failure(SessionError(.storeFailed, "locked")), epoch: 0)),
        ]
    }
}

extension SessionMachine {
    /// The state in words.
    fileprivate var stateName: String {
        switch (activity, knowledge) {
        case (.none, .signedIn) where look == .underWay: "signed in, re-reading in the background"
        case (.none, .signedIn) where look == .outdated: "signed in, re-reading in the background, outdated"
        case (.none, .unknown): "unknown"
        case (.none, .signedOut) where signInBackOff.nextAttempt != nil: "signed out, after a failed sign-in"
        case (.none, .signedOut): "signed out"
        case (.none, .signedIn) where needs.declined != nil: "signed in, sign-in declined"
        case (.none, .signedIn(let held)) where held.credential.refreshToken == nil: "signed in, no refresh token"
        case (.none, .signedIn) where backOff.nextAttempt != nil: "signed in, after a failed refresh"
        case (.none, .signedIn): "signed in"
        case (.reading, .signedIn): "signed in, reading the store"
        case (.reading, _): "loading"
        case (.refreshing, _): "refreshing"
        case (.signingIn, _): isCancellingSignIn ? "ending an abandoned sign-in" : "signing in"
        case (.exchanging, _): "exchanging"
        case (.signingOut, _):
            switch signOut.stage {
            case .none: "signing out"
            case .deleting: "deleting"
            case .deleted: "deleted"
            case .kept: "not deleted"
            case .revoking: "revoking"
            case .showingPage: "showing the sign-out page"
            }
        }
    }
}
