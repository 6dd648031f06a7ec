import CredentialStorage
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

/// Pauses after failed sign-ins, step-up, and the sequence of a sign-out.
struct SessionMachineRulesTests {
    private var machine = SessionMachine()

    private static let lost = SessionError(.unreachable, "no network")
    private static let closed = SessionError(.cancelledByUser, "closed")
    private static let read = StepUpRequirement(scope: ["read"])
    private static let write = StepUpRequirement(scope: ["write"])

    private mutating func feed(_ event: SessionMachine.Event, at seconds: Double = 0) -> [String] {
        machine.handle(event, at: start.addingTimeInterval(seconds)).words
    }

    private static func stored(_ token: String) throws -> (Credential, CredentialVersion) {
        (try .making(token), CredentialVersion(bytes: Array(token.utf8)))
    }

    private mutating func hold(_ token: String) throws {
        _ = feed(.wanted(0, .knowledge))
        _ = feed(.storeAnswered(.success(try Self.stored(token)), epoch: 0))
    }

    // MARK: Sign-ins without a user

    @Test mutating func `without a user, a failed sign-in is not repeated during its pause, unless the program asks`() {
        machine = SessionMachine(needsUser: false)
        _ = feed(.wanted(1, .credential(mayInteract: true)))
        #expect(feed(.storeAnswered(.success(nil), epoch: 0)) == ["sign in"])
        #expect(feed(.signInEnded(.failure(Self.lost), epoch: 0)) == ["1 fails: unreachable"])
        #expect(feed(.wanted(2, .credential(mayInteract: true)), at: 0.9) == ["read the store"])
        #expect(feed(.storeAnswered(.success(nil), epoch: 0), at: 0.9) == ["2 fails: unreachable"])
        #expect(machine.state == .signedOut(SessionState.Problem(Self.lost)))
        #expect(feed(.wanted(3, .signIn), at: 0.9) == ["sign in"])
        #expect(feed(.signInEnded(.failure(Self.lost), epoch: 0), at: 0.9) == ["3 fails: unreachable"])
        _ = feed(.wanted(4, .credential(mayInteract: true)), at: 2)
        #expect(feed(.storeAnswered(.success(nil), epoch: 0), at: 2) == ["4 fails: unreachable"], "the second pause takes 2 seconds")
        _ = feed(.wanted(5, .credential(mayInteract: true)), at: 3)
        #expect(feed(.storeAnswered(.success(nil), epoch: 0), at: 3) == ["sign in"])
    }

    @Test mutating func `a sign-out does not end the pause, and a success does`() throws {
        machine = SessionMachine(needsUser: false)
        _ = feed(.wanted(1, .signIn))
        _ = feed(.signInEnded(.failure(Self.lost), epoch: 0))
        _ = feed(.signOutWanted)
        _ = machine.completeSignOut()
        _ = feed(.wanted(2, .credential(mayInteract: true)))
        #expect(feed(.storeAnswered(.success(nil), epoch: 1)) == ["2 fails: unreachable"])
        _ = feed(.wanted(3, .signIn))
        _ = feed(.signInEnded(.success(try Self.stored("a")), epoch: 1))
        _ = feed(.signOutWanted)
        _ = machine.completeSignOut()
        _ = feed(.wanted(4, .credential(mayInteract: true)))
        #expect(feed(.storeAnswered(.success(nil), epoch: 2)) == ["sign in"])
    }

    @Test mutating func `a sign-in that the program cancels causes no pause, and with a user there is none`() {
        for needsUser in [false, true] {
            machine = SessionMachine(needsUser: needsUser)
            _ = feed(.wanted(1, .signIn))
            let error = needsUser ? Self.lost : SessionError(.cancelledByProgram, "cancelled")
            _ = feed(.signInEnded(.failure(error), epoch: 0))
            _ = feed(.wanted(2, .credential(mayInteract: true)))
            #expect(feed(.storeAnswered(.success(nil), epoch: 0)) == ["sign in"])
        }
    }

    // MARK: Step-ups

    @Test mutating func `a step-up joins a page that asks for enough, and waits for the end of one that asks for less`() throws {
        try hold("a")
        #expect(feed(.wanted(1, .stepUp(Self.write))) == ["sign in for write"])
        #expect(feed(.wanted(2, .stepUp(Self.write))) == [])
        #expect(feed(.wanted(3, .stepUp(Self.read))) == [])
        #expect(feed(.wanted(4, .stepUp(StepUpRequirement(maximumAge: 0)))) == [])
        let ended = feed(.signInEnded(.success(try Self.stored("b")), epoch: 0))
        #expect(ended == ["1 gets b", "2 gets b", "sign in for read"], "one page for both, with the least age")
        #expect(machine.needs.asked.requirement == StepUpRequirement(scope: ["read"], maximumAge: 0))
        #expect(feed(.signInEnded(.success(try Self.stored("c")), epoch: 0)) == ["3 gets c", "4 gets c"])
    }

    @Test mutating func `needs that no page can satisfy together share one page all the same`() throws {
        try hold("a")
        _ = feed(.wanted(1, .signIn))
        _ = feed(.wanted(2, .stepUp(StepUpRequirement(acrValues: ["gold"]))))
        _ = feed(.wanted(3, .stepUp(StepUpRequirement(acrValues: ["silver"]))))
        #expect(feed(.signInEnded(.success(try Self.stored("b")), epoch: 0)) == ["1 gets b", "sign in"])
        #expect(feed(.signInEnded(.success(try Self.stored("c")), epoch: 0)) == ["2 gets c", "3 gets c"])
    }

    @Test mutating func `sign-ins with other prompts or parameters get a page each, and what can share one does`() throws {
        let login = SignInNeed(SignInOptions(prompt: "login"))
        let consent = SignInNeed(SignInOptions(loginHint: "m", prompt: "consent"))
        let german = SignInNeed(SignInOptions(parameters: ["ui_locales": "de"]))
        #expect(feed(.wanted(1, .signInWith(login))) == ["sign in"])
        #expect(feed(.wanted(2, .signInWith(consent))) == [])
        #expect(feed(.wanted(3, .signInWith(login))) == [])
        #expect(feed(.wanted(4, .signInWith(german))) == [])
        #expect(feed(.wanted(5, .stepUp(Self.write))) == [])
        #expect(feed(.wanted(6, .signInWith(SignInNeed(SignInOptions(prompt: "none"))))) == [])
        #expect(feed(.wanted(7, .signIn)) == [])
        #expect(
            feed(.signInEnded(.success(try Self.stored("a")), epoch: 0)) == ["1 gets a", "3 gets a", "7 gets a", "sign in for write"])
        #expect(machine.needs.asked.prompt == "consent" && machine.needs.asked.loginHint == "m")
        #expect(machine.needs.asked.parameters == ["ui_locales": "de"])
        #expect(
            feed(.signInEnded(.success(try Self.stored("b")), epoch: 0)) == ["2 gets b", "4 gets b", "5 gets b", "sign in"])
        #expect(machine.needs.asked == SignInNeed(SignInOptions(prompt: "none")))
        #expect(feed(.signInEnded(.success(try Self.stored("c")), epoch: 0)) == ["6 gets c"])
    }

    @Test mutating func `a sign-in that must not ask the user anything fails for its caller only`() throws {
        let silent = SessionMachine.Want.signInWith(SignInNeed(SignInOptions(prompt: "none")))
        #expect(feed(.wanted(1, silent)) == ["sign in"])
        #expect(feed(.wanted(2, .signIn)) == [])
        #expect(feed(.wanted(3, .stepUp(Self.write))) == [])
        #expect(feed(.wanted(4, silent)) == [])
        let refused = SessionError(.signInNeeded, "login_required")
        #expect(
            feed(.signInEnded(.failure(refused), epoch: 0))
                == ["1 fails: sign_in_needed", "4 fails: sign_in_needed", "sign in for write"])
        #expect(!machine.needs.asked.isSilent)
        #expect(feed(.wanted(5, silent)) == [])
        #expect(feed(.signInEnded(.success(try Self.stored("a")), epoch: 0)) == ["2 gets a", "3 gets a", "sign in"])
        #expect(machine.needs.asked.isSilent)
        #expect(feed(.signInEnded(.success(try Self.stored("b")), epoch: 0)) == ["5 gets b"])
    }

    @Test mutating func `callers that came first get their page, even if others must not ask the user anything`() throws {
        _ = feed(.wanted(1, .signIn))
        _ = feed(.wanted(2, .signInWith(SignInNeed(SignInOptions(prompt: "none")))))
        #expect(!machine.needs.asked.isSilent)
        #expect(feed(.signInEnded(.failure(Self.closed), epoch: 0)) == ["1 fails: cancelled_by_user", "2 fails: cancelled_by_user"])
    }

    @Test mutating func `a user who closes the page that asks for less is asked for nothing else`() throws {
        try hold("a")
        _ = feed(.wanted(1, .signIn))
        _ = feed(.wanted(2, .stepUp(Self.write)))
        #expect(
            feed(.signInEnded(.failure(Self.closed), epoch: 0)) == ["1 fails: cancelled_by_user", "2 fails: cancelled_by_user"])
    }

    @Test mutating func `an abandoned page that asks for less sends no code, and the page for the step-up follows`() throws {
        try hold("a")
        _ = feed(.wanted(1, .signIn))
        #expect(feed(.left(1)).last == "cancel the sign-in")
        #expect(feed(.wanted(2, .stepUp(Self.write))) == [])
        _ = feed(.codeReceived(epoch: 0))
        #expect(machine.activity == .signingIn)
        let cancelled = SessionError(.cancelledByProgram, "no one waits")
        #expect(feed(.signInEnded(.failure(cancelled), epoch: 0)) == ["sign in for write"])
    }

    @Test mutating func `a user who declined is not asked about the same token again, and is about the next`() throws {
        try hold("a")
        #expect(feed(.signInAgainWanted(1, refused: 1)) == ["sign in"])
        #expect(feed(.signInAgainWanted(2, refused: 1)) == [])
        #expect(
            feed(.signInEnded(.failure(Self.closed), epoch: 0)) == ["1 fails: cancelled_by_user", "2 fails: cancelled_by_user"])
        #expect(feed(.signInAgainWanted(3, refused: 1)) == ["3 fails: sign_in_needed"])
        #expect(feed(.wanted(4, .signIn)) == ["sign in"], "the program asks")
        _ = feed(.signInEnded(.success(try Self.stored("b")), epoch: 0))
        #expect(feed(.signInAgainWanted(5, refused: 1)) == ["5 gets b"])
        #expect(feed(.signInAgainWanted(6, refused: 2)) == ["sign in"])
    }

    // MARK: Sign-outs

    @Test mutating func `a sign-out deletes, waits for the requests, revokes, and shows the page, if it is wanted`() throws {
        try hold("a")
        _ = feed(.signOutCalled(1, wantsPage: true))
        #expect(feed(.signOutWanted) == ["delete what is stored"])
        #expect(feed(.deletionEnded(nil)) == [])
        #expect(feed(.revocationEnded) == [], "nothing is revoked yet")
        #expect(feed(.requestsEnded) == ["revoke what was deleted"])
        #expect(feed(.requestsEnded) == [])
        #expect(feed(.revocationEnded) == ["show the page"])
        #expect(machine.state == .signingOut)
        #expect(feed(.signOutPageEnded) == ["end the sign-out"])
        #expect(machine.state == .signedOut)
        #expect(feed(.signOutPageEnded) == [])
        _ = feed(.signOutWanted)
        #expect(machine.completeSignOut().words == ["revoke what was deleted", "end the sign-out"], "the next one shows no page")
    }

    @Test mutating func `what was not deleted is not revoked, and no page is shown`() throws {
        try hold("a")
        _ = feed(.signOutCalled(1, wantsPage: true))
        _ = feed(.signOutWanted)
        #expect(machine.completeSignOut(SessionError(.storeFailed, "read-only")).words == ["end the sign-out"])
        #expect(machine.state == .unknown)
    }

    @Test mutating func `the last caller that leaves ends the wait for another process, and nothing else`() throws {
        _ = feed(.signOutCalled(1, wantsPage: false))
        _ = feed(.signOutCalled(2, wantsPage: false))
        _ = feed(.signOutWanted)
        #expect(feed(.signOutLeft(1)) == [])
        #expect(feed(.signOutLeft(1)) == [])
        #expect(feed(.signOutLeft(2)) == ["give up the deletion"])
        _ = feed(.signOutCalled(nil, wantsPage: true))
        #expect(machine.completeSignOut().words == ["revoke what was deleted", "end the sign-out without the page"])
    }

    @Test mutating func `the page closes with the last caller that wants it`() throws {
        for caller in 1...3 as ClosedRange<UInt64> { _ = feed(.signOutCalled(caller, wantsPage: caller != 3)) }
        _ = feed(.signOutWanted)
        _ = machine.completeSignOut()
        #expect(machine.signOut.stage == .showingPage)
        #expect(feed(.signOutLeft(1)) == [])
        #expect(feed(.signOutLeft(3)) == [])
        #expect(feed(.signOutLeft(2)) == ["close the page"])
        #expect(feed(.signOutPageEnded) == ["end the sign-out"])
    }
}
