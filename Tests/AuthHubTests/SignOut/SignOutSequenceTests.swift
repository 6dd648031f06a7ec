import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

struct SignOutSequenceTests {
    private static let slow = "https://api.example/slow"
    private static let endless = "https://api.example/endless"

    @Test func `empties the store, then cancels requests, and only then sends revocations`() async throws {
        let setting = try await ObservedSetting().signedIn()
        let load = Task { try await setting.session.load(.get(Self.slow)) }
        await setting.transport.slow.untilReached()
        let report = await setting.session.signOut()
        #expect(setting.events.all == ["sent /slow", "deleted", "load cancelled", "sent /revoke", "sent /revoke"])
        #expect(report.cancelledLoads == 1)
        #expect(report.abandonedLoads == 0)
        let failure = await #expect(throws: LoadError.self) { try await load.value }
        #expect(failure?.code == .cancelled)
    }

    @Test func `cancels a body that is being read`() async throws {
        let setting = try await ObservedSetting().signedIn()
        let body = try await setting.session.load(.get(Self.endless)).body
        let report = await setting.session.signOut()
        #expect(report.cancelledLoads == 1)
        #expect(setting.events.all == ["sent /endless", "deleted", "body cut", "sent /revoke", "sent /revoke"])
        let failure = await #expect(throws: LoadError.self) { for try await _ in body {} }
        #expect(failure?.code == .cancelled)
    }

    @Test func `rejects requests that start while the session is signed out, or lets them wait if they want to`() async throws {
        let held = Gate()
        let setting = try await ObservedSetting(revocation: { await held.pass() }).signedIn()
        let signOut = Task { await setting.session.signOut() }
        await held.untilReached()
        #expect(setting.session.state == .signingOut)
        let refusal = await #expect(throws: LoadError.self) { try await setting.session.load(.get("https://api.example/user")) }
        #expect(refusal?.code == .resetInProgress)
        let tokenFailure = await #expect(throws: SessionError.self) { try await setting.session.accessToken() }
        #expect(tokenFailure?.code == .cancelledByProgram)
        var patient = try LoadRequest.get("https://api.example/user")
        patient.options[WhileResetting.self] = .wait
        let waiting = Task { [patient] in try await setting.session.load(patient).status.code }
        held.open()
        #expect(await signOut.value.isSignedOut)
        #expect(try await waiting.value == 200, "the person is asked again, and it is loaded with the new token")
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer access-2"])
    }

    @Test func `waits ten seconds for a server that does not respond`() async throws {
        let gate = Gate()
        let setting = try await ObservedSetting(revocation: { await gate.pass() }).signedIn()
        let signOut = Task { await setting.session.signOut() }
        await gate.untilReached()
        await setting.clock.untilAsleep()
        setting.clock.advance(by: .milliseconds(9_999))
        #expect(setting.session.state == .signingOut)
        setting.clock.advance(by: .milliseconds(1))
        let report = await signOut.value
        #expect(report.isSignedOut)
        guard case .failed(let error) = report.revocation else {
            Issue.record("\(report)")
            return
        }
        #expect(error.code == .unreachable)
        #expect(setting.session.state == .signedOut)
        gate.open()
    }

    @Test func `reports a credential that cannot be deleted, keeps it usable and does not revoke it`() async throws {
        let setting = try await ObservedSetting().signedIn()
        setting.store.refuseDeletions()
        let report = await setting.session.signOut()
        #expect(report.problem?.code == .storeFailed)
        #expect(!report.isSignedOut)
        #expect(setting.events.all.isEmpty)
        #expect(try await setting.session.accessToken().value == Secret("access-1"))
    }

    @Test func `a cancelled caller does not stop the sign-out`() async throws {
        let setting = try await ObservedSetting().signedIn()
        let signOut = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await setting.session.signOut()
        }
        let report = await signOut.value
        #expect(report.isSignedOut)
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
    }

    @Test func `case 37: concurrent sign-outs are one sign-out`() async throws {
        let setting = try await ObservedSetting().signedIn()
        let reports = await withTaskGroup(of: SignOutReport.self) { group in
            for _ in 0..<20 { group.addTask { await setting.session.signOut() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.count == 20)
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
        #expect(try await setting.store.accounts().isEmpty)
    }

    @Test func `a sign-out right after a sign-in is not mistaken for the sign-out before it`() async throws {
        let setting = ObservedSetting()
        for _ in 0..<50 {
            try await setting.session.signIn()
            let states = setting.session.states
            async let first = setting.session.signOut()
            for await state in states where state == .signedOut { break }
            try await setting.session.signIn()
            let second = await setting.session.signOut()
            #expect(second.isSignedOut)
            _ = await first
            #expect(try await setting.store.accounts().isEmpty)
        }
    }

    @Test func `a reset of another chain that uses the session's token keeps the user signed in`() async throws {
        let setting = try await ObservedSetting().signedIn()
        let chain = try Chain(transport: setting.transport) { AuthorizeLoader(setting.session.authorizer) }
        #expect(try await chain.load(.get("https://api.example/user")).status == .ok)
        let report = await chain.reset()
        #expect(report.failures.isEmpty)
        #expect(setting.events.all == ["sent /user"])
        #expect(try await setting.session.accessToken().value == Secret("access-1"))
        #expect(try await chain.load(.get("https://api.example/user")).status == .ok)
    }
}

/// The activity of a session at the moment when the user signs out.
enum ActivityAtSignOut: String, CaseIterable, CustomTestStringConvertible {
    case idle, readingTheStore, askingForARefresh, receivingARefresh, showingThePage, exchangingTheCode, receivingTheTokens

    var testDescription: String { rawValue }

    /// The tokens that the server has issued by the time all work has finished. All of them must be revoked.
    var revoked: [String] {
        switch self {
        case .showingThePage, .exchangingTheCode: []
        case .idle, .readingTheStore, .askingForARefresh, .receivingTheTokens: ["refresh-1", "access-1"]
        case .receivingARefresh: ["refresh-1", "access-1", "refresh-2", "access-2"]
        }
    }
}

extension SignOutSequenceTests {
    @Test(arguments: ActivityAtSignOut.allCases)
    func `case 16, case 37: whatever is in progress, all callers get a result, and nothing is left`(during activity: ActivityAtSignOut)
        async throws
    {
        let gate = Gate()
        let setting = ObservedSetting(person: { url in
            if activity == .showingThePage { await gate.pass() }
            return await consenting(url)
        })
        let caller = try await Self.begin(activity, of: setting, heldAt: gate)
        let report = await setting.session.signOut()
        #expect(report.isSignedOut)
        if let caller {
            let failure = await #expect(throws: SessionError.self) { try await caller.value }
            #expect(failure?.code == .cancelledByProgram)
        }
        #expect(setting.session.state == .signedOut)
        gate.open()
        await setting.session.finish()
        #expect(setting.session.state == .signedOut)
        #expect(try await setting.store.accounts().isEmpty)
        #expect(setting.server.revoked == activity.revoked)
    }

    /// - Returns: A task that is waiting for the session; nil if nothing is in progress.
    private static func begin(
        _ activity: ActivityAtSignOut, of setting: ObservedSetting, heldAt gate: Gate
    ) async throws -> Task<Void, any Error>? {
        let session = setting.session
        let call: @Sendable () async throws -> Void
        switch activity {
        case .idle:
            try await session.signIn()
            return nil
        case .readingTheStore:
            try await setting.otherSession().signIn()
            setting.store.holdNextRead(at: gate)
            call = { _ = try await session.accessToken() }
        case .askingForARefresh, .receivingARefresh:
            try await session.signIn()
            call = { try await session.refresh() }
        case .showingThePage, .exchangingTheCode, .receivingTheTokens:
            call = { try await session.signIn() }
        }
        setting.server.configure { faults in
            switch activity {
            case .askingForARefresh, .exchangingTheCode:
                faults.atToken = { request throws(LoadError) in
                    await gate.pass()
                    throw LoadError(.cannotConnect, for: request)
                }
            case .receivingARefresh, .receivingTheTokens: faults.afterToken = { () async throws(LoadError) in await gate.pass() }
            default: break
            }
        }
        let caller = Task { try await call() }
        await gate.untilReached()
        return caller
    }
}
