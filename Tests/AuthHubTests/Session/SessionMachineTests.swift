import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform
import Testing
import WebAuthentication

@testable import AuthHub

struct SessionMachineTests {
    private var machine = SessionMachine()

    private static func stored(_ token: String, lifetime: Int? = 3600, refreshToken: String? = "refresh") throws -> (
        Credential, CredentialVersion
    ) {
        (try .making(token, lifetime: lifetime, refreshToken: refreshToken), CredentialVersion(bytes: Array(token.utf8)))
    }

    @Test mutating func `nothing known: reads the store first, once for all callers`() {
        #expect(machine.handle(.wanted(1, .credential(mayInteract: true)), at: start).words == ["read the store"])
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: start).words == [])
    }

    @Test mutating func `returns a valid credential to all waiting callers`() throws {
        _ = machine.handle(.wanted(1, .credential(mayInteract: true)), at: start)
        _ = machine.handle(.wanted(2, .credential(mayInteract: false)), at: start)
        let actions = machine.handle(.storeAnswered(.success(try Self.stored("a")), epoch: 0), at: start)
        #expect(actions.words == ["1 gets a", "2 gets a"])
    }

    @Test mutating func `nothing stored: signs in for callers that allow interaction, and fails the others`() {
        _ = machine.handle(.wanted(1, .credential(mayInteract: false)), at: start)
        _ = machine.handle(.wanted(2, .credential(mayInteract: true)), at: start)
        let actions = machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start)
        #expect(actions.words == ["1 fails: sign_in_needed", "sign in"])
    }

    @Test mutating func `expired: one refresh serves all callers, including later ones`() throws {
        _ = machine.handle(.wanted(1, .credential(mayInteract: true)), at: start)
        let late = start.addingTimeInterval(3600)
        #expect(machine.handle(.storeAnswered(.success(try Self.stored("a")), epoch: 0), at: late).words == ["refresh a"])
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: late).words == [])
        let (credential, version) = try Self.stored("b", lifetime: 7200)
        #expect(machine.handle(.refreshEnded(.renewed(credential, version), epoch: 0), at: late).words == ["1 gets b", "2 gets b"])
    }

    @Test mutating func `does not return a refreshed token that has already expired, and does not refresh in a loop`() throws {
        try hold("a")
        let late = start.addingTimeInterval(3600)
        #expect(machine.handle(.wanted(1, .credential(mayInteract: true)), at: late).words == ["refresh a"])
        let (credential, version) = try Self.stored("b")
        let ended = machine.handle(.refreshEnded(.renewed(credential, version), epoch: 0), at: late)
        #expect(ended.words == ["1 fails: server_misbehaved"])
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: late).words == ["read the store"])
        let later = late.addingTimeInterval(1)
        #expect(machine.handle(.storeAnswered(.success((credential, version)), epoch: 0), at: later).words == ["refresh b"])
    }

    @Test mutating func `a sign-in whose token has already expired succeeds, and callers that want a token get a refreshed one`() throws {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.wanted(2, .credential(mayInteract: false)), at: start)
        let late = start.addingTimeInterval(3600)
        #expect(machine.handle(.signInEnded(.success(try Self.stored("a")), epoch: 0), at: late).words == ["1 gets a", "refresh a"])
    }

    @Test mutating func `once the code is sent, the last caller that leaves does not end the sign-in`() throws {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        #expect(machine.handle(.codeReceived(epoch: 0), at: start).words == [])
        #expect(machine.state == .exchanging)
        #expect(machine.handle(.left(1), at: start).words == ["1 fails: cancelled_by_program"])
        #expect(machine.handle(.signInEnded(.success(try Self.stored("a")), epoch: 0), at: start).words == [])
        #expect(machine.held?.generation == 1)
    }

    @Test mutating func `sends no code that no caller waits for, unless a caller waits for it again`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.left(1), at: start)
        _ = machine.handle(.codeReceived(epoch: 0), at: start)
        #expect(machine.activity == .signingIn)
        _ = machine.handle(.wanted(2, .signIn), at: start)
        _ = machine.handle(.codeReceived(epoch: 0), at: start)
        #expect(machine.activity == .exchanging)
    }

    @Test mutating func `reports why no one is signed in until the next sign-in starts`() throws {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.signInEnded(.failure(SessionError(.denied, "refused")), epoch: 0), at: start)
        _ = machine.handle(.wanted(2, .knowledge), at: start)
        _ = machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start)
        #expect(machine.state == .signedOut(SessionState.Problem(SessionError(.denied, "refused"))))
        _ = machine.handle(.wanted(3, .signIn), at: start)
        #expect(machine.problem == nil)
    }

    @Test mutating func `a rejected refresh signs out and fails all callers; the next caller may sign in`() throws {
        try hold("a")
        _ = machine.handle(.wanted(1, .credential(refused: 1, mayInteract: false)), at: start)
        let refused = SessionError(.signInNeeded, "ended", serverError: ServerError(code: .invalidGrant))
        #expect(machine.handle(.refreshEnded(.signedOut(refused), epoch: 0), at: start).words == ["1 fails: sign_in_needed"])
        #expect(machine.state == .signedOut(SessionState.Problem(refused)))
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: start).words == ["read the store"])
        #expect(machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start).words == ["sign in"])
    }

    @Test mutating func `callers that allow no interaction wait for the refresh after a failed sign-in`() throws {
        try hold("a")
        #expect(machine.handle(.wanted(1, .signIn), at: start).words == ["sign in"])
        let late = start.addingTimeInterval(3600)
        #expect(machine.handle(.wanted(2, .credential(mayInteract: false)), at: late).words == [])
        #expect(machine.handle(.wanted(3, .credential(mayInteract: true)), at: late).words == [])
        let closed = SessionError(.cancelledByUser, "closed")
        #expect(
            machine.handle(.signInEnded(.failure(closed), epoch: 0), at: late).words == ["1 fails: cancelled_by_user", "refresh a"])
    }

    @Test mutating func `a caller that arrives while a cancelled sign-in ends gets a new sign-in`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.left(1), at: start)
        #expect(machine.handle(.wanted(2, .signIn), at: start).words == [])
        let cancelled = SessionError(.cancelledByProgram, "cancelled")
        #expect(machine.handle(.signInEnded(.failure(cancelled), epoch: 0), at: start).words == ["sign in"])
        #expect(
            machine.handle(.signInEnded(.failure(cancelled), epoch: 0), at: start).words == ["2 fails: cancelled_by_program"])
    }

    @Test mutating func `finds the credential of another process that signed in`() throws {
        _ = machine.handle(.wanted(1, .credential(mayInteract: false)), at: start)
        _ = machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start)
        #expect(machine.state == .signedOut)
        #expect(machine.handle(.wanted(2, .credential(mayInteract: false)), at: start).words == ["read the store"])
        #expect(machine.handle(.storeAnswered(.success(try Self.stored("a")), epoch: 0), at: start).words == ["2 gets a"])
    }

    @Test mutating func `a lost network is not a rejection: uses a valid token, and fails callers whose token was rejected`() throws {
        try hold("a")
        let late = start.addingTimeInterval(3550)
        #expect(machine.handle(.wanted(1, .credential(mayInteract: true)), at: late).words == ["refresh a"])
        #expect(machine.handle(.wanted(2, .credential(refused: 1, mayInteract: false)), at: late).words == [])
        let lost = SessionError(.unreachable, "no network")
        #expect(machine.handle(.refreshEnded(.failed(lost), epoch: 0), at: late).words == ["1 gets a", "2 fails: unreachable"])
        #expect(machine.held?.generation == 1)
    }

    @Test mutating func `case 2: a late rejection of an older token starts nothing`() throws {
        try hold("a")
        _ = machine.handle(.wanted(1, .credential(refused: 1, mayInteract: false)), at: start)
        let (credential, version) = try Self.stored("b")
        _ = machine.handle(.refreshEnded(.renewed(credential, version), epoch: 0), at: start)
        #expect(machine.handle(.wanted(2, .credential(refused: 1, mayInteract: false)), at: start).words == ["2 gets b"])
    }

    @Test mutating func `an expired token without a refresh token asks the user again`() throws {
        try hold("a", refreshToken: nil)
        let late = start.addingTimeInterval(3600)
        #expect(machine.handle(.wanted(1, .credential(mayInteract: false)), at: late).words == ["1 fails: sign_in_needed"])
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: late).words == ["sign in"])
    }

    @Test mutating func `uses a valid token that cannot be refreshed until it expires`() throws {
        try hold("a", refreshToken: nil)
        let late = start.addingTimeInterval(3590)
        #expect(machine.handle(.wanted(1, .credential(minimumLifetime: 600, mayInteract: true)), at: late).words == ["1 gets a"])
        #expect(
            machine.handle(.wanted(2, .credential(refused: 1, mayInteract: false)), at: late).words == ["2 fails: sign_in_needed"])
    }

    @Test mutating func `refreshes for a caller that needs a longer lifetime than the token has left`() throws {
        try hold("a")
        #expect(machine.handle(.wanted(1, .credential(minimumLifetime: 3601, mayInteract: false)), at: start).words == ["refresh a"])
    }

    @Test mutating func `a second sign-in joins the first`() throws {
        #expect(machine.handle(.wanted(1, .signIn), at: start).words == ["sign in"])
        #expect(machine.handle(.wanted(2, .signIn), at: start).words == [])
        #expect(machine.handle(.wanted(3, .credential(mayInteract: false)), at: start).words == [])
        #expect(machine.state == .signingIn)
        #expect(
            machine.handle(.signInEnded(.success(try Self.stored("a")), epoch: 0), at: start).words == ["1 gets a", "2 gets a", "3 gets a"])
    }

    @Test mutating func `a caller that leaves does not affect the others, and the last one ends the sign-in`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.wanted(2, .signIn), at: start)
        #expect(machine.handle(.left(1), at: start).words == ["1 fails: cancelled_by_program"])
        #expect(machine.handle(.left(1), at: start).words == [])
        #expect(machine.handle(.left(2), at: start).words == ["2 fails: cancelled_by_program", "cancel the sign-in"])
    }

    @Test
    mutating func `AR65 the last caller that leaves gets the foreign responses as its error, and later callers get a page without them`() {
        let foreign = SessionState.Notice(explanation: "a response arrived", hasForeignResponse: true)
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.wanted(2, .signIn), at: start)
        machine.notice = foreign
        #expect(machine.state == .signingIn(foreign))
        #expect(machine.handle(.left(1), at: start).words == ["1 fails: cancelled_by_program"])
        #expect(machine.handle(.left(2), at: start).words == ["2 fails: security_check_failed", "cancel the sign-in"])
        #expect(machine.handle(.wanted(3, .signIn), at: start).words == [])
        let cancelled = WebAuthenticationError(.unexpectedCallback, underlying: WebAuthenticationError(.cancelledByProgram))
        #expect(machine.handle(.signInEnded(.failure(SessionError(cancelled)), epoch: 0), at: start).words == ["sign in"])
        #expect(machine.state == .signingIn)
        let timedOut = WebAuthenticationError(.unexpectedCallback, underlying: WebAuthenticationError(.timedOut))
        #expect(
            machine.handle(.signInEnded(.failure(SessionError(timedOut)), epoch: 0), at: start).words == ["3 fails: security_check_failed"])
    }

    @Test mutating func `requests from another user's programs do not turn a cancellation into a security error`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        machine.notice = SessionState.Notice(explanation: "a request was rejected", hasForeignResponse: false)
        #expect(machine.handle(.left(1), at: start).words == ["1 fails: cancelled_by_program", "cancel the sign-in"])
    }

    @Test mutating func `a failed sign-in fails all waiting callers with its own error, and the next caller may retry`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        let cancelled = SessionError(.cancelledByUser, "closed")
        #expect(machine.handle(.signInEnded(.failure(cancelled), epoch: 0), at: start).words == ["1 fails: cancelled_by_user"])
        #expect(machine.handle(.wanted(2, .signIn), at: start).words == ["sign in"])
    }

    @Test mutating func `reports a failing store, and reads it again next time`() {
        _ = machine.handle(.wanted(1, .credential(mayInteract: true)), at: start)
        let locked = SessionError(.storeFailed, "locked")
        #expect(machine.handle(.storeAnswered(.failure(locked), epoch: 0), at: start).words == ["1 fails: store_failed"])
        #expect(machine.state == .unknown)
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: start).words == ["read the store"])
    }

    @Test mutating func `a sign-out fails all waiting callers, and deletes the tokens of an earlier sign-in that arrive later`() throws {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        #expect(
            machine.handle(.signOutWanted, at: start).words
                == ["1 fails: cancelled_by_program", "cancel the sign-in", "delete what is stored"])
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: start).words == ["2 fails: cancelled_by_program"])
        // If it arrives while a sign-out is in progress, the sign-out deletes it.
        #expect(machine.handle(.signInEnded(.success(try Self.stored("late")), epoch: 0), at: start).words == [])
        #expect(machine.held == nil)
        #expect(machine.completeSignOut().words == ["revoke what was deleted", "end the sign-out"])
        #expect(machine.handle(.signInEnded(.success(try Self.stored("late")), epoch: 0), at: start).words == ["discard late"])
        #expect(machine.state == .signedOut)
    }

    @Test mutating func `a refresh that ends after a sign-out changes nothing`() throws {
        try hold("a")
        _ = machine.handle(.wanted(1, .credential(refused: 1, mayInteract: false)), at: start)
        _ = machine.handle(.signOutWanted, at: start)
        _ = machine.completeSignOut()
        let (credential, version) = try Self.stored("late")
        #expect(machine.handle(.refreshEnded(.renewed(credential, version), epoch: 0), at: start).words == [])
        #expect(machine.state == .signedOut)
    }

    @Test mutating func `re-reads a stored credential that could not be deleted, and never assumes that it is gone`() throws {
        try hold("a")
        _ = machine.handle(.signOutWanted, at: start)
        #expect(machine.completeSignOut(SessionError(.storeFailed, "read-only")).words == ["end the sign-out"])
        #expect(machine.state == .unknown)
    }

    @Test mutating func `asking what is stored opens no page and refreshes nothing`() throws {
        _ = machine.handle(.wanted(1, .knowledge), at: start)
        let late = start.addingTimeInterval(9999)
        #expect(machine.handle(.storeAnswered(.success(try Self.stored("a")), epoch: 0), at: late).words == ["1 gets a"])
    }

    private mutating func hold(_ token: String, refreshToken: String? = "refresh") throws {
        _ = machine.handle(.wanted(0, .knowledge), at: start)
        _ = machine.handle(.storeAnswered(.success(try Self.stored(token, refreshToken: refreshToken)), epoch: 0), at: start)
        #expect(machine.held?.generation == 1)
    }
}

extension [SessionMachine.Action] {
    /// The actions in words, so that a list of them can be compared and read.
    var words: [String] {
        map { action in
            switch action {
            case .readStore: "read the store"
            case .refresh(let held, _): "refresh \(held.credential.accessToken.reveal())"
            case .signIn(_, let need): need.scope.isEmpty ? "sign in" : "sign in for \(need.scope)"
            case .cancelSignIn: "cancel the sign-in"
            case .deleteStored: "delete what is stored"
            case .giveUpDeletion: "give up the deletion"
            case .revokeDeleted: "revoke what was deleted"
            case .showSignOutPage: "show the page"
            case .closeSignOutPage: "close the page"
            case .endSignOut(let isPageAbandoned): isPageAbandoned ? "end the sign-out without the page" : "end the sign-out"
            case .answer(let id, .success(let held)): "\(id) gets \(held.credential.accessToken.reveal())"
            case .answer(let id, .failure(let error)): "\(id) fails: \(error.code)"
            case .lookAgain: "re-read the store"
            case .discard(let credential, _): "discard \(credential.accessToken.reveal())"
            }
        }
    }
}

extension SessionMachine {
    /// Passes the events of a sign-out to the machine, one after the other. No caller wants the sign-out's page.
    mutating func completeSignOut(_ error: SessionError? = nil) -> [Action] {
        [.deletionEnded(error), .requestsEnded, .revocationEnded].flatMap { handle($0, at: start) }
    }
}
