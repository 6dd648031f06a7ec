import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Testing
import WebAuthentication

@testable import AuthHub

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct SessionMachineTests {
    private var machine = SessionMachine()

    private static func stored(_ token: String, lifetime: Int? = 3600, refreshToken: String? = "refresh") throws -> (
        Credential, CredentialVersion
    ) {
        (try .making(token, lifetime: lifetime, refreshToken: refreshToken), CredentialVersion(bytes: Array(token.utf8)))
    }

    @Test mutating func `nothing known: the store is read first, once for all`() {
        #expect(machine.handle(.wanted(1, .credential(mayInteract: true)), at: start).words == ["read the store"])
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: start).words == [])
    }

    @Test mutating func `a valid credential is handed to everyone who waits`() throws {
        _ = machine.handle(.wanted(1, .credential(mayInteract: true)), at: start)
        _ = machine.handle(.wanted(2, .credential(mayInteract: false)), at: start)
        let actions = machine.handle(.storeAnswered(.success(try Self.stored("a")), epoch: 0), at: start)
        #expect(actions.words == ["1 gets a", "2 gets a"])
    }

    @Test mutating func `nothing stored: who may interact signs in, who may not is told`() {
        _ = machine.handle(.wanted(1, .credential(mayInteract: false)), at: start)
        _ = machine.handle(.wanted(2, .credential(mayInteract: true)), at: start)
        let actions = machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start)
        #expect(actions.words == ["1 fails: sign_in_needed", "sign in"])
    }

    @Test mutating func `expired: one refresh serves all, those that come later too`() throws {
        _ = machine.handle(.wanted(1, .credential(mayInteract: true)), at: start)
        let late = start.addingTimeInterval(3600)
        #expect(machine.handle(.storeAnswered(.success(try Self.stored("a")), epoch: 0), at: late).words == ["refresh a"])
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: late).words == [])
        let (credential, version) = try Self.stored("b", lifetime: 7200)
        #expect(machine.handle(.refreshEnded(.renewed(credential, version), epoch: 0), at: late).words == ["1 gets b", "2 gets b"])
    }

    @Test mutating func `a renewed token that has ended already is handed to nobody, and not renewed in a circle`() throws {
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

    @Test mutating func `a sign-in whose token has ended already is done, and who wants a token gets a renewed one`() throws {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.wanted(2, .credential(mayInteract: false)), at: start)
        let late = start.addingTimeInterval(3600)
        #expect(machine.handle(.signInEnded(.success(try Self.stored("a")), epoch: 0), at: late).words == ["1 gets a", "refresh a"])
    }

    @Test mutating func `once the code is on its way the last caller that leaves does not end the sign-in`() throws {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        #expect(machine.handle(.codeReceived(epoch: 0), at: start).words == [])
        #expect(machine.state == .exchanging)
        #expect(machine.handle(.left(1), at: start).words == ["1 fails: cancelled_by_program"])
        #expect(machine.handle(.signInEnded(.success(try Self.stored("a")), epoch: 0), at: start).words == [])
        #expect(machine.held?.generation == 1)
    }

    @Test mutating func `a code that nobody waits for is not sent; one that somebody waits for again is`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.left(1), at: start)
        _ = machine.handle(.codeReceived(epoch: 0), at: start)
        #expect(machine.activity == .signingIn)
        _ = machine.handle(.wanted(2, .signIn), at: start)
        _ = machine.handle(.codeReceived(epoch: 0), at: start)
        #expect(machine.activity == .exchanging)
    }

    @Test mutating func `why nobody is signed in is told until the next sign-in begins`() throws {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.signInEnded(.failure(SessionError(.denied, "refused")), epoch: 0), at: start)
        _ = machine.handle(.wanted(2, .knowledge), at: start)
        _ = machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start)
        #expect(machine.state == .signedOut(SessionState.Problem(SessionError(.denied, "refused"))))
        _ = machine.handle(.wanted(3, .signIn), at: start)
        #expect(machine.problem == nil)
    }

    @Test mutating func `a refused refresh signs out and tells everyone; the next caller may sign in`() throws {
        try hold("a")
        _ = machine.handle(.wanted(1, .credential(refused: 1, mayInteract: false)), at: start)
        let refused = SessionError(.signInNeeded, "ended", serverError: ServerError(code: .invalidGrant))
        #expect(machine.handle(.refreshEnded(.signedOut(refused), epoch: 0), at: start).words == ["1 fails: sign_in_needed"])
        #expect(machine.state == .signedOut(SessionState.Problem(refused)))
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: start).words == ["read the store"])
        #expect(machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start).words == ["sign in"])
    }

    @Test mutating func `a sign-in that fails leaves those who need no person to the refresh`() throws {
        try hold("a")
        #expect(machine.handle(.wanted(1, .signIn), at: start).words == ["sign in"])
        let late = start.addingTimeInterval(3600)
        #expect(machine.handle(.wanted(2, .credential(mayInteract: false)), at: late).words == [])
        #expect(machine.handle(.wanted(3, .credential(mayInteract: true)), at: late).words == [])
        let closed = SessionError(.cancelledByUser, "closed")
        #expect(
            machine.handle(.signInEnded(.failure(closed), epoch: 0), at: late).words == ["1 fails: cancelled_by_user", "refresh a"])
    }

    @Test mutating func `who comes while a cancelled sign-in ends gets one of their own`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.left(1), at: start)
        #expect(machine.handle(.wanted(2, .signIn), at: start).words == [])
        let cancelled = SessionError(.cancelledByProgram, "cancelled")
        #expect(machine.handle(.signInEnded(.failure(cancelled), epoch: 0), at: start).words == ["sign in"])
        #expect(
            machine.handle(.signInEnded(.failure(cancelled), epoch: 0), at: start).words == ["2 fails: cancelled_by_program"])
    }

    @Test mutating func `nobody was signed in here, and someone signed in elsewhere: their credential is found`() throws {
        _ = machine.handle(.wanted(1, .credential(mayInteract: false)), at: start)
        _ = machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start)
        #expect(machine.state == .signedOut)
        #expect(machine.handle(.wanted(2, .credential(mayInteract: false)), at: start).words == ["read the store"])
        #expect(machine.handle(.storeAnswered(.success(try Self.stored("a")), epoch: 0), at: start).words == ["2 gets a"])
    }

    @Test mutating func `a lost network is not a refusal: what lives is used, and who was refused is told`() throws {
        try hold("a")
        let late = start.addingTimeInterval(3550)
        #expect(machine.handle(.wanted(1, .credential(mayInteract: true)), at: late).words == ["refresh a"])
        #expect(machine.handle(.wanted(2, .credential(refused: 1, mayInteract: false)), at: late).words == [])
        let lost = SessionError(.unreachable, "no network")
        #expect(machine.handle(.refreshEnded(.failed(lost), epoch: 0), at: late).words == ["1 gets a", "2 fails: unreachable"])
        #expect(machine.held?.generation == 1)
    }

    @Test mutating func `case 2: a late refusal of an older token starts nothing`() throws {
        try hold("a")
        _ = machine.handle(.wanted(1, .credential(refused: 1, mayInteract: false)), at: start)
        let (credential, version) = try Self.stored("b")
        _ = machine.handle(.refreshEnded(.renewed(credential, version), epoch: 0), at: start)
        #expect(machine.handle(.wanted(2, .credential(refused: 1, mayInteract: false)), at: start).words == ["2 gets b"])
    }

    @Test mutating func `an expired token without a refresh token asks the person again`() throws {
        try hold("a", refreshToken: nil)
        let late = start.addingTimeInterval(3600)
        #expect(machine.handle(.wanted(1, .credential(mayInteract: false)), at: late).words == ["1 fails: sign_in_needed"])
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: late).words == ["sign in"])
    }

    @Test mutating func `a token that lives and cannot be renewed is used to its end`() throws {
        try hold("a", refreshToken: nil)
        let late = start.addingTimeInterval(3590)
        #expect(machine.handle(.wanted(1, .credential(minimumLifetime: 600, mayInteract: true)), at: late).words == ["1 gets a"])
        #expect(
            machine.handle(.wanted(2, .credential(refused: 1, mayInteract: false)), at: late).words == ["2 fails: sign_in_needed"])
    }

    @Test mutating func `who wants a longer life than the token has gets a new one`() throws {
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

    @Test mutating func `a caller that leaves costs the others nothing, and the last one ends the sign-in`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.wanted(2, .signIn), at: start)
        #expect(machine.handle(.left(1), at: start).words == ["1 fails: cancelled_by_program"])
        #expect(machine.handle(.left(1), at: start).words == [])
        #expect(machine.handle(.left(2), at: start).words == ["2 fails: cancelled_by_program", "cancel the sign-in"])
    }

    @Test mutating func `AR65 the last caller that leaves is told of foreign responses, and whoever comes then gets a page without them`() {
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

    @Test mutating func `requests that another user's programs sent do not make a cancellation a security error`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        machine.notice = SessionState.Notice(explanation: "a request was rejected", hasForeignResponse: false)
        #expect(machine.handle(.left(1), at: start).words == ["1 fails: cancelled_by_program", "cancel the sign-in"])
    }

    @Test mutating func `a failed sign-in ends every wait with its own error, and the next may try again`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        let cancelled = SessionError(.cancelledByUser, "closed")
        #expect(machine.handle(.signInEnded(.failure(cancelled), epoch: 0), at: start).words == ["1 fails: cancelled_by_user"])
        #expect(machine.handle(.wanted(2, .signIn), at: start).words == ["sign in"])
    }

    @Test mutating func `a store that fails is told, and asked again next time`() {
        _ = machine.handle(.wanted(1, .credential(mayInteract: true)), at: start)
        let locked = SessionError(.storeFailed, "locked")
        #expect(machine.handle(.storeAnswered(.failure(locked), epoch: 0), at: start).words == ["1 fails: store_failed"])
        #expect(machine.state == .unknown)
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: start).words == ["read the store"])
    }

    @Test mutating func `a sign-out ends all waits, and what an earlier sign-in still brings is deleted`() throws {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        #expect(
            machine.handle(.signOutWanted, at: start).words
                == ["1 fails: cancelled_by_program", "cancel the sign-in", "sign out"])
        #expect(machine.handle(.wanted(2, .credential(mayInteract: true)), at: start).words == ["2 fails: cancelled_by_program"])
        // The sign-out deletes it, if that comes while it is under way.
        #expect(machine.handle(.signInEnded(.success(try Self.stored("late")), epoch: 0), at: start).words == [])
        #expect(machine.held == nil)
        #expect(machine.handle(.signOutEnded(nil), at: start).words == [])
        #expect(machine.handle(.signInEnded(.success(try Self.stored("late")), epoch: 0), at: start).words == ["discard late"])
        #expect(machine.state == .signedOut)
    }

    @Test mutating func `a refresh that ends after a sign-out changes nothing`() throws {
        try hold("a")
        _ = machine.handle(.wanted(1, .credential(refused: 1, mayInteract: false)), at: start)
        _ = machine.handle(.signOutWanted, at: start)
        _ = machine.handle(.signOutEnded(nil), at: start)
        let (credential, version) = try Self.stored("late")
        #expect(machine.handle(.refreshEnded(.renewed(credential, version), epoch: 0), at: start).words == [])
        #expect(machine.state == .signedOut)
    }

    @Test mutating func `a stored credential that could not be deleted is read again, never assumed gone`() throws {
        try hold("a")
        _ = machine.handle(.signOutWanted, at: start)
        _ = machine.handle(.signOutEnded(SessionError(.storeFailed, "read-only")), at: start)
        #expect(machine.state == .unknown)
    }

    @Test mutating func `asking what is stored opens nothing and renews nothing`() throws {
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
            case .refresh(let held): "refresh \(held.credential.accessToken.reveal())"
            case .signIn: "sign in"
            case .cancelSignIn: "cancel the sign-in"
            case .signOut: "sign out"
            case .answer(let id, .success(let held)): "\(id) gets \(held.credential.accessToken.reveal())"
            case .answer(let id, .failure(let error)): "\(id) fails: \(error.code)"
            case .lookAgain: "look again"
            case .discard(let credential, _): "discard \(credential.accessToken.reveal())"
            }
        }
    }
}
