import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

/// Passes many random sequences of events to the machine, and checks after each step the conditions that must always hold.
struct SessionMachineWalkTests {
    @Test(arguments: 0..<64 as Range<UInt64>)
    func `whatever the order of events, one activity runs at a time and every wait ends`(seed: UInt64) throws {
        var walk = try Walk(seed: seed)
        for _ in 0..<400 { try walk.step() }
        try walk.finish()
        #expect(walk.open.isEmpty, "waits that never ended: \(walk.open)")
    }
}

private struct Walk {
    enum Activity: Equatable {
        case reading, refreshing, signingIn, deleting, endingRequests, revoking, showingPage, looking
    }

    var machine = SessionMachine()
    var generator: SeededGenerator
    var now = start
    var nextID: UInt64 = 0
    var open: Set<UInt64> = []
    /// Activities outside the machine, with the epoch in which they started.
    var running: [(activity: Activity, epoch: UInt64)] = []
    var issued = 0

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
    }

    mutating func step() throws {
        now += Double.random(in: 0...900, using: &generator)
        switch Int.random(in: 0..<13, using: &generator) {
        case 0..<3: try want(.credential(mayInteract: Bool.random(using: &generator)))
        case 3 where Bool.random(using: &generator): try want(.renewal)
        case 3: try want(.credential(refused: machine.held?.generation, mayInteract: false))
        case 4 where Bool.random(using: &generator):
            try want(.replacement(of: machine.held?.credential.accessToken ?? Secret("a"), mayInteract: Bool.random(using: &generator)))
        case 4: try want(.credential(refused: UInt64.random(in: 0...9, using: &generator), mayInteract: false))
        case 5:
            try want(
                Bool.random(using: &generator) ? .signIn : .stepUp(StepUpRequirement(maximumAge: Int.random(in: 0...2, using: &generator))))
        case 6: try want(.knowledge)
        case 7: if let id = open.randomElement(using: &generator) { try feed(.left(id)) }
        case 8 where Int.random(in: 0..<4, using: &generator) == 0: try signOut()
        case 9: if let signIn = running.first(where: { $0.activity == .signingIn }) { try feed(.codeReceived(epoch: signIn.epoch)) }
        case 10: try feed(.hinted(hint()))
        default: try end(at: running.indices.randomElement(using: &generator))
        }
    }

    private mutating func signOut() throws {
        nextID += 1
        try feed(.signOutCalled(nextID, wantsPage: Bool.random(using: &generator)))
        try feed(.signOutWanted)
        if Bool.random(using: &generator) { try feed(.signOutLeft(nextID)) }
    }

    private mutating func hint() -> SessionMachine.Hint {
        let number = Int.random(in: max(0, issued - 3)...issued + 1, using: &generator)
        let written = SessionMachine.Hint.written(CredentialVersion(bytes: [UInt8(number & 0xFF), UInt8(number >> 8)]))
        return [written, .deleted, .missed][Int.random(in: 0..<3, using: &generator)]
    }

    /// Lets all running activities finish.
    mutating func finish() throws {
        while !running.isEmpty { try end(at: running.startIndex) }
    }

    private mutating func want(_ want: SessionMachine.Want) throws {
        nextID += 1
        open.insert(nextID)
        try feed(.wanted(nextID, want))
    }

    private mutating func end(at index: Int?) throws {
        guard let index else { return }
        let (activity, epoch) = running.remove(at: index)
        issued += 1
        let fresh = (
            try Credential.making(
                "token-\(issued)", lifetime: Bool.random(using: &generator) ? 1800 : nil,
                refreshToken: Bool.random(using: &generator) ? "r" : nil, issuedAt: now),
            CredentialVersion(bytes: [UInt8(issued & 0xFF), UInt8(issued >> 8)])
        )
        let failure = SessionError(.unreachable, "no network")
        let choice = Int.random(in: 0..<3, using: &generator)
        switch activity {
        case .reading:
            try feed(.storeAnswered([.success(fresh), .success(nil), .failure(failure)][choice], epoch: epoch))
        case .refreshing:
            let outcomes: [RefreshOutcome] = [.renewed(fresh.0, fresh.1), .signedOut(failure), .failed(failure)]
            try feed(.refreshEnded(outcomes[choice], epoch: epoch))
        case .signingIn:
            try feed(.signInEnded(choice == 0 ? .failure(failure) : .success(fresh), epoch: epoch))
        case .looking:
            try feed(.lookedAgain([.success(fresh), .success(nil), .failure(failure)][choice], epoch: epoch))
        case .deleting:
            try feed(.deletionEnded(choice == 0 ? failure : nil))
            running.append((.endingRequests, epoch))
        case .endingRequests: try feed(.requestsEnded)
        case .revoking: try feed(.revocationEnded)
        case .showingPage: try feed(.signOutPageEnded)
        }
    }

    private mutating func feed(_ event: SessionMachine.Event) throws {
        for action in machine.handle(event, at: now) {
            switch action {
            case .answer(let id, _): #expect(open.remove(id) != nil, "a caller was answered twice")
            case .readStore: try begin(.reading)
            case .refresh(let held, _):
                #expect(held.credential.refreshToken != nil)
                try begin(.refreshing)
            case .signIn: try begin(.signingIn)
            case .deleteStored: try begin(.deleting)
            case .giveUpDeletion: #expect(running.contains { $0.activity == .deleting })
            case .revokeDeleted: try begin(.revoking)
            case .showSignOutPage: try begin(.showingPage)
            case .closeSignOutPage: #expect(running.contains { $0.activity == .showingPage })
            case .endSignOut: #expect(!running.contains { $0.epoch == machine.epoch && $0.activity != .looking })
            case .cancelSignIn: #expect(running.contains { $0.activity == .signingIn })
            case .discard: break
            case .lookAgain:
                #expect(!running.contains { $0.activity == .looking }, "two looks at a time")
                running.append((.looking, machine.epoch))
            }
        }
        if case .signedOut = machine.state { #expect(machine.held == nil) }
        #expect(
            open.isEmpty || running.contains { $0.epoch == machine.epoch && $0.activity != .looking }, "someone waits, and nothing runs")
    }

    private mutating func begin(_ activity: Activity) throws {
        #expect(!running.contains { $0.epoch == machine.epoch && $0.activity != .looking }, "\(activity) begins beside another activity")
        running.append((activity, machine.epoch))
    }
}
