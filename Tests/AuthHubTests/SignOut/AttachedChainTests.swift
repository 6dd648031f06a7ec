import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

/// Loader chains of the app. Resetting them signs out, and signing out resets them.
@Suite(.timeLimit(.minutes(15)))
struct AttachedChainTests {
    private static let slow = "https://api.example/slow"

    private func chain(_ setting: ObservedSetting, onReset effect: OAuthSession.ResetEffect = .signOut) throws -> Chain {
        try Chain(transport: setting.transport) { AuthorizeLoader(setting.session.authorizer(onReset: effect)) }
    }

    @Test func `a reset of the chain deletes the credential, then cancels requests, then revokes tokens`() async throws {
        let setting = try await ObservedSetting().signedIn()
        let chain = try chain(setting)
        let load = Task { try await chain.load(.get(Self.slow)) }
        await setting.transport.slow.untilReached()
        let report = await chain.reset()
        #expect(setting.events.all == ["sent /slow", "deleted", "load cancelled", "sent /revoke", "sent /revoke"])
        #expect(report.cancelledLoads == 1 && report.failures.isEmpty)
        #expect(setting.session.state == .signedOut)
        let failure = await #expect(throws: LoadError.self) { try await load.value }
        #expect(failure?.code == .cancelled)
        #expect(try await chain.load(.get("https://api.example/user")).status == .ok, "the chain is as new")
        #expect(setting.server.apiRequests.last?.authorization == "Bearer access-2")
    }

    @Test func `by default a reset cancels the chain's requests, and the session stays signed in`() async throws {
        let setting = try await ObservedSetting().signedIn()
        let chain = try Chain(transport: setting.transport) { AuthorizeLoader(setting.session.authorizer) }
        let load = Task { try await chain.load(.get(Self.slow)) }
        await setting.transport.slow.untilReached()
        await chain.reset()
        #expect(setting.events.all == ["sent /slow", "load cancelled"])
        #expect(try await setting.session.accessToken().value == Secret("access-1"))
        await #expect(throws: LoadError.self) { try await load.value }
    }

    @Test func `by default a sign-out leaves the chain's requests alone`() async throws {
        let setting = try await ObservedSetting().signedIn()
        let chain = try chain(setting, onReset: .keepSignedIn)
        let load = Task { try await chain.load(.get(Self.slow)) }
        await setting.transport.slow.untilReached()
        #expect(await setting.session.signOut().cancelledLoads == 0)
        #expect(!setting.events.all.contains("load cancelled"))
        load.cancel()
        await #expect(throws: LoadError.self) { try await load.value }
    }

    @Test(arguments: [false, true])
    func `a sign-out cancels the chain's requests`(isRouted: Bool) async throws {
        let setting = try await ObservedSetting().signedIn()
        let authorizer = setting.session.authorizer(onReset: .signOut)
        let router = try AuthorizerRouter([.init("one", authorizer), .init("other", authorizer)])
        let loader: any Loader = isRouted ? AuthorizeLoader(router) : AuthorizeLoader(authorizer)
        let chain = try Chain(transport: setting.transport, [loader])
        let load = Task { try await chain.load(.get(Self.slow)) }
        await setting.transport.slow.untilReached()
        let report = await setting.session.signOut()
        #expect(report.isSignedOut && report.cancelledLoads == 1)
        let failure = await #expect(throws: LoadError.self) { try await load.value }
        #expect(failure?.code == .cancelled)
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
        try await setting.session.signIn()
        #expect(await chain.reset().failures.isEmpty)
        #expect(setting.session.state == .signedOut)
        #expect(setting.server.revoked == ["refresh-1", "access-1", "refresh-2", "access-2"])
    }

    @Test func `a reset of one chain cancels the requests of the others`() async throws {
        let setting = try await ObservedSetting().signedIn()
        let (one, other) = (try chain(setting), try chain(setting))
        let load = Task { try await other.load(.get(Self.slow)) }
        await setting.transport.slow.untilReached()
        await one.reset()
        let failure = await #expect(throws: LoadError.self) { try await load.value }
        #expect(failure?.code == .cancelled)
    }

    @Test func `a credential that cannot be deleted is in the reset's report, and the user stays signed in`() async throws {
        let setting = try await ObservedSetting().signedIn()
        setting.store.refuseDeletions()
        let report = await (try chain(setting)).reset()
        #expect(report.failures.contains { ($0.error as? SessionError)?.code == .storeFailed })
        #expect(try await setting.session.accessToken().value == Secret("access-1"))
    }

    @Test func `a revocation that the server rejects is in the reset's report, and the user is signed out`() async throws {
        let setting = SessionSetting()
        let refusing = RoutedTransport([(.post("https://as.example/revoke"), .json(["error": "invalid_client"], status: .unauthorized))])
        let transport = DividedTransport(revocation: refusing, rest: setting.server)
        let session = OAuthSession(
            server: SessionSetting.profile, client: OAuthClient(id: "client"), browser: setting.browser, store: setting.store,
            dependencies: Dependencies(transport: transport) { start })
        try await session.signIn()
        let chain = try Chain(transport: transport) { AuthorizeLoader(session.authorizer(onReset: .signOut)) }
        let report = await chain.reset()
        #expect(report.failures.map { ($0.error as? SessionError)?.code } == [.serverRejected])
        #expect(session.state == .signedOut)
    }

    @Test func `a chain that is gone is not waited for`() async throws {
        let setting = try await ObservedSetting().signedIn()
        weak var gone: Chain?
        do {
            let chain = try chain(setting)
            gone = chain
            #expect(try await chain.load(.get("https://api.example/user")).status == .ok)
        }
        #expect(gone == nil)
        #expect(await setting.session.signOut().isSignedOut)
    }

    @Test func `a loader of the chain may sign out in its own reset`() async throws {
        let setting = try await ObservedSetting().signedIn()
        let chain = try Chain(transport: setting.transport) {
            SigningOutLoader(session: setting.session)
            AuthorizeLoader(setting.session.authorizer(onReset: .signOut))
        }
        #expect(await setting.session.signOut().isSignedOut)
        try await setting.session.signIn()
        await chain.reset()
        #expect(setting.session.state == .signedOut)
        #expect(setting.server.revoked == ["refresh-1", "access-1", "refresh-2", "access-2"])
    }

    // MARK: Every order

    enum Step: CaseIterable, Sendable {
        case resetOne, resetOther, signOut
    }

    enum Moment: CaseIterable, Sendable {
        case reading, revoking
    }

    struct Order: Sendable, CustomTestStringConvertible {
        let first: Step
        let moment: Moment
        let second: Step
        var testDescription: String { "\(first), then \(second) while \(moment)" }
    }

    private static let orders = Step.allCases.flatMap { first in
        Moment.allCases.flatMap { moment in
            Step.allCases.map { Order(first: first, moment: moment, second: $0) }
        }
    }

    @Test(arguments: orders)
    func `concurrent resets and sign-outs become one sign-out, and none waits forever`(order: Order) async throws {
        let held = Gate()
        let setting = try await ObservedSetting(revocation: { if order.moment == .revoking { await held.pass() } }).signedIn()
        let (one, other) = (try chain(setting), try chain(setting))
        if order.moment == .reading { setting.store.holdNextRead(at: held) }
        let perform: @Sendable (Step) async -> Void = { step in
            switch step {
            case .resetOne: await one.reset()
            case .resetOther: await other.reset()
            case .signOut: await setting.session.signOut()
            }
        }
        let first = Task { await perform(order.first) }
        await held.untilReached()
        let second = Task { await perform(order.second) }
        held.open()
        await first.value
        await second.value
        #expect(setting.session.state == .signedOut)
        #expect(try await setting.store.accounts().isEmpty)
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
    }

    @Test func `stress: concurrent resets and sign-outs all finish, and no one is signed in`() async throws {
        let setting = ObservedSetting()
        let (one, other) = (try chain(setting), try chain(setting))
        for round in 1...50 {
            try await setting.session.signIn()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await one.reset() }
                group.addTask { await setting.session.signOut() }
                group.addTask { await other.reset() }
                group.addTask { await setting.session.signOut() }
            }
            #expect(setting.session.state == .signedOut)
            #expect(setting.server.revoked.count == 2 * round)
        }
    }
}

/// A loader that signs out when its chain is reset, as apps did before the session could do it.
private struct SigningOutLoader: Loader {
    let session: OAuthSession

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse { try await next(request) }

    func reset(_ context: ResetContext) async throws {
        if context.phase == .forget { await session.signOut() }
    }
}

/// Sends revocation requests through a separate transport.
private struct DividedTransport: Transport {
    let revocation: any Transport
    let rest: any Transport

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        try await (request.head.path == "/revoke" ? revocation : rest).send(request)
    }
}
