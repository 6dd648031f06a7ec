import Testing

@testable import AuthHub

/// Explores every order of events up to a limit, with the session's real state machine and models of everything around it.
struct ExplorerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sessions: Int
        let isSignedIn: Bool
        let events: Int
        let faults: Int
        var callbacks = 0
        var tellsOfChanges = false
        var needsUser = true
        var stepsUp = false
        var reportsTokens = false
        var showsSignOutPage = false
        /// The minimum number of worlds. If there are fewer, the model has lost moves.
        let states: Int

        func world(_ fault: PlantedFault?, _ mint: CredentialMint) -> ModelWorld {
            var world =
                isSignedIn
                ? ModelWorld.signedIn(sessions: sessions, events: events, faults: faults, callbacks: callbacks, fault: fault, mint: mint)
                : ModelWorld(
                    sessions: sessions, events: events, faults: faults, callbacks: callbacks, fault: fault, needsUser: needsUser)
            world.tellsOfChanges = tellsOfChanges
            world.stepsUp = stepsUp
            world.reportsTokens = reportsTokens
            world.showsSignOutPage = showsSignOutPage
            return world
        }
    }

    @Test(arguments: [
        Row(testDescription: "one session, initial state", sessions: 1, isSignedIn: false, events: 3, faults: 1, states: 5000),
        Row(testDescription: "one session, signed in", sessions: 1, isSignedIn: true, events: 3, faults: 1, states: 15_000),
        Row(testDescription: "one session, two faults", sessions: 1, isSignedIn: true, events: 2, faults: 2, states: 2900),
        Row(testDescription: "one session, a callback", sessions: 1, isSignedIn: true, events: 3, faults: 0, callbacks: 1, states: 12_000),
        Row(testDescription: "two sessions, a callback", sessions: 2, isSignedIn: true, events: 2, faults: 1, callbacks: 1, states: 15_000),
        Row(testDescription: "two sessions, initial state", sessions: 2, isSignedIn: false, events: 2, faults: 1, states: 3500),
        Row(testDescription: "two sessions, signed in, a fault", sessions: 2, isSignedIn: true, events: 2, faults: 1, states: 9500),
        Row(testDescription: "two sessions, signed in", sessions: 2, isSignedIn: true, events: 3, faults: 0, states: 57_000),
        Row(
            testDescription: "one session that follows the store's changes", sessions: 1, isSignedIn: true, events: 2, faults: 0,
            callbacks: 1,
            tellsOfChanges: true, states: 2500),
        Row(
            testDescription: "two sessions that follow the store's changes", sessions: 2, isSignedIn: true, events: 2, faults: 0,
            callbacks: 1,
            tellsOfChanges: true, states: 40_000),
        Row(
            testDescription: "two sessions that follow the store's changes, a fault", sessions: 2, isSignedIn: true, events: 1, faults: 1,
            callbacks: 1, tellsOfChanges: true, states: 900),
        Row(
            testDescription: "one session without a user", sessions: 1, isSignedIn: false, events: 3, faults: 1, needsUser: false,
            states: 4300),
        Row(
            testDescription: "one session without a user, two faults", sessions: 1, isSignedIn: false, events: 3, faults: 2,
            needsUser: false, states: 7300),
        Row(
            testDescription: "one session that steps up", sessions: 1, isSignedIn: true, events: 3, faults: 0, stepsUp: true, states: 12_000
        ),
        Row(
            testDescription: "one session that steps up, nothing known", sessions: 1, isSignedIn: false, events: 3, faults: 0,
            stepsUp: true, states: 4900),
        Row(
            testDescription: "two sessions, programs report tokens", sessions: 2, isSignedIn: true, events: 2, faults: 1,
            reportsTokens: true, states: 9500),
        Row(
            testDescription: "one session, pages for signing out", sessions: 1, isSignedIn: true, events: 3, faults: 1,
            showsSignOutPage: true, states: 25_000),
    ])
    func `no order of events breaks a rule`(row: Row) throws {
        let clock = ContinuousClock()
        let begin = clock.now
        let report = try Explorer().explore { row.world(nil, $0) }
        let trace = report.trace.map { "\($0)" }.joined(separator: "\n")
        #expect(report.violation == nil, "\(report.violation ?? "")\n\(trace)")
        #expect(report.states >= row.states)
        #expect(report.paths.isFinite)
        print(
            "\(row.testDescription): \(report.states) states, \(report.moves) moves, \(report.paths) orders, at most \(report.depth) moves each,",
            clock.now - begin)
    }

    @Test(arguments: PlantedFault.allCases)
    func `detects a rule that the model leaves out`(fault: PlantedFault) throws {
        let report = try Explorer().explore { Self.row(for: fault).world(fault, $0) }
        #expect(report.violation != nil)
        print("\(fault): \(report.violation ?? "nothing found") after \(report.trace.count) moves, \(report.states) states")
    }

    /// The world in which the violation must be found.
    private static func row(for fault: PlantedFault) -> Row {
        switch fault {
        case .noCompareAndSet, .noEpochCheck, .handingOutBeforeStoring, .signingOutWhileStoring:
            Row(testDescription: "", sessions: 1, isSignedIn: true, events: 3, faults: 0, states: 0)
        case .noLease, .noReadingAgain:
            Row(testDescription: "", sessions: 2, isSignedIn: true, events: 3, faults: 0, states: 0)
        case .signingOutWhileACallbackIsStored:
            Row(testDescription: "", sessions: 1, isSignedIn: true, events: 3, faults: 0, callbacks: 1, states: 0)
        case .nothingHeard, .deafWhileBusy:
            Row(testDescription: "", sessions: 2, isSignedIn: true, events: 2, faults: 0, tellsOfChanges: true, states: 0)
        case .discardingOddAnswers, .givingUpOnWaking, .keepingWhatIsRejected, .forgettingTheOtherRefreshToken:
            Row(testDescription: "", sessions: 1, isSignedIn: true, events: 2, faults: 1, states: 0)
        case .forgettingWhatIsUnsaved, .revokingUnsavedAfterAFailedSignOut:
            Row(testDescription: "", sessions: 1, isSignedIn: true, events: 2, faults: 2, states: 0)
        case .forgettingPauses:
            Row(testDescription: "", sessions: 1, isSignedIn: false, events: 2, faults: 1, needsUser: false, states: 0)
        case .forgettingWhoDeclined, .servingEveryStepUp:
            Row(testDescription: "", sessions: 1, isSignedIn: true, events: 2, faults: 0, stepsUp: true, states: 0)
        case .missingThatNothingWasDeleted, .revokingBeforeRequestsEnd, .showingThePageBeforeRevoking:
            Row(testDescription: "", sessions: 1, isSignedIn: true, events: 1, faults: 1, showsSignOutPage: true, states: 0)
        }
    }
}
