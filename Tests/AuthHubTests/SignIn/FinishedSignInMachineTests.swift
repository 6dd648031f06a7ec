import AuthHubPrimitives
import CredentialStorage
import Testing

@testable import AuthHub

/// The effect on operations in progress when a sign-in is finished by its callback.
struct FinishedSignInMachineTests {
    private var machine = SessionMachine()
    private let finished: Credential
    private let version = CredentialVersion(bytes: [1])

    init() throws {
        finished = try .making("finished")
    }

    private mutating func finish(epoch: UInt64 = 0) -> [String] {
        machine.handle(.signInFinished(finished, version, epoch: epoch), at: start).map(word)
    }

    private func word(_ action: SessionMachine.Action) -> String {
        switch action {
        case .answer(let id, .success(let held)): "\(id) gets \(held.credential.accessToken.reveal())"
        case .answer(let id, .failure(let error)): "\(id) fails: \(error.code)"
        case .cancelSignIn: "end the page"
        case .signIn: "sign in"
        case .refresh: "refresh"
        case .discard: "discard"
        default: "another action"
        }
    }

    @Test mutating func `nothing in progress: the machine adopts the credential`() {
        #expect(finish() == [])
        #expect(machine.held?.version == version)
    }

    @Test mutating func `while the store is read: waiting callers get the credential, and the late result of the read is ignored`() {
        _ = machine.handle(.wanted(1, .credential(mayInteract: true)), at: start)
        #expect(finish() == ["1 gets finished"])
        #expect(machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start).isEmpty)
        #expect(machine.held?.version == version)
    }

    @Test mutating func `while the store is read: starts nothing else before the result, which could otherwise be taken for a later one`() {
        _ = machine.handle(.wanted(1, .credential(mayInteract: true)), at: start)
        _ = finish()
        #expect(machine.handle(.wanted(2, .signIn), at: start).isEmpty)
        #expect(machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start).map(word) == ["sign in"])
        #expect(machine.held?.version == version)
    }

    @Test mutating func `while a page is shown: callers that requested a token get it, and the page closes if no caller is left`() {
        _ = machine.handle(.wanted(1, .signIn), at: start)
        _ = machine.handle(.wanted(2, .credential(mayInteract: true)), at: start)
        #expect(finish() == ["2 gets finished"])
        _ = machine.handle(.left(1), at: start)
        _ = machine.handle(.signInEnded(.failure(SessionError(.cancelledByProgram, "")), epoch: 0), at: start)
        #expect(machine.held?.version == version)
    }

    @Test mutating func `while a page is shown for no other caller: the page closes`() {
        _ = machine.handle(.wanted(1, .credential(mayInteract: true)), at: start)
        _ = machine.handle(.storeAnswered(.success(nil), epoch: 0), at: start)
        #expect(finish() == ["1 gets finished", "end the page"])
    }

    @Test mutating func `while a token is refreshed: the refresh finds the credential in the store`() throws {
        _ = machine.handle(.wanted(1, .knowledge), at: start)
        _ = machine.handle(.storeAnswered(.success((try .making("old"), CredentialVersion(bytes: [0]))), epoch: 0), at: start)
        _ = machine.handle(.wanted(2, .credential(refused: 1, mayInteract: false)), at: start)
        #expect(finish() == [])
        #expect(machine.handle(.refreshEnded(.renewed(finished, version), epoch: 0), at: start).map(word) == ["2 gets finished"])
    }

    @Test mutating func `if a credential is rejected before the refresh reports it, the caller gets another credential`() throws {
        _ = machine.handle(.wanted(1, .knowledge), at: start)
        _ = machine.handle(.storeAnswered(.success((try .making("old"), CredentialVersion(bytes: [0]))), epoch: 0), at: start)
        _ = machine.handle(.wanted(2, .renewal), at: start)
        #expect(finish() == [])
        let generation = try #require(machine.held?.generation ?? 2)
        _ = machine.handle(.wanted(3, .credential(refused: generation, mayInteract: false)), at: start)
        #expect(
            machine.handle(.refreshEnded(.adopted(finished, version), epoch: 0), at: start).map(word) == ["2 gets finished", "refresh"])
        let renewed = RefreshOutcome.renewed(try .making("renewed"), CredentialVersion(bytes: [2]))
        #expect(machine.handle(.refreshEnded(renewed, epoch: 0), at: start).map(word) == ["3 gets renewed"])
    }

    @Test mutating func `a sign-out has waited for it and deletes it; after the sign-out it is discarded`() {
        _ = machine.handle(.signOutWanted, at: start)
        #expect(finish() == [])
        _ = machine.completeSignOut()
        #expect(finish() == ["discard"])
        #expect(machine.state == .signedOut)
    }
}
