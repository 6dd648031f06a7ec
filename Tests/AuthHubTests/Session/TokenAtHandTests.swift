import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import Testing

@testable import AuthHub

/// Callers get the current access token without waiting, unless an operation in progress may result in a different token.
struct TokenAtHandTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let begin: @Sendable (OAuthSession, SessionSetting) async throws -> Void
    }

    @Test(arguments: [
        Row(testDescription: "a sign-in whose code was sent") { session, _ in try await session.signIn() },
        Row(testDescription: "a refresh requested by the program") { session, _ in try await session.refresh() },
        Row(testDescription: "a refresh because the token was rejected") { session, setting in
            setting.server.endAccessTokens()
            _ = try await session.load(.get("https://api.example/"))
        },
    ])
    func `a caller gets the new token if one is on its way`(row: Row) async throws {
        let gate = Gate()
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let bringing = Task { try await row.begin(session, setting) }
        await gate.untilReached()
        let events = NotedEvents()
        let asking = Task {
            defer { events.add("answered") }
            return try await session.accessToken().value
        }
        while await session.engine.machine.waiters.count < 2, events.all.isEmpty { await Task.yield() }
        gate.open()
        #expect(try await asking.value == Secret("access-2"))
        try await bringing.value
        #expect(try await session.accessToken().value == Secret("access-2"))
    }

    @Test func `returns no token during a sign-out`() async throws {
        let gate = Gate()
        let store = HookedStore()
        let session = try await SessionSetting(store: store).signedIn(.manual)
        store.configure { $0.afterRead = { await gate.pass() } }
        let signingOut = Task { await session.signOut() }
        await gate.untilReached()
        #expect(session.state == .signingOut)
        let failure = await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(failure?.code == .cancelledByProgram)
        gate.open()
        #expect(await signingOut.value.isSignedOut)
        await #expect(throws: SessionError.self) { try await session.accessToken() }
    }

    @Test func `refreshes a token first if it expires earlier than the caller needs`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        #expect(try await session.accessToken(minimumLifetime: .seconds(3000)).value == Secret("access-1"))
        setting.advance(by: 1800)
        #expect(try await session.accessToken().value == Secret("access-1"))
        #expect(try await session.accessToken(minimumLifetime: .seconds(3000)).value == Secret("access-2"))
    }

    @Test func `a request has one Authorization field, whatever it had before`() async throws {
        let session = try await SessionSetting().signedIn()
        let held = try #require(session.engine.snapshot.held)
        var head = try LoadRequest.get("https://api.example/").head
        for _ in 0..<2 { try SessionAuthorizer(engine: session.engine).apply(held, to: &head) }
        #expect(head.headerFields[values: .authorization] == ["Bearer access-1"])
    }

    @Test(arguments: [SessionMachine.Activity.none, .reading, .refreshing, .signingIn, .exchanging, .signingOut])
    func `a credential is settled only while nothing is in progress`(activity: SessionMachine.Activity) throws {
        let held = HeldCredential(credential: try .making("a"), version: CredentialVersion(bytes: [1]), generation: 1)
        let situation = SessionSituation(knowledge: .signedIn(held), activity: activity)
        #expect((situation.settled != nil) == (activity == .none))
    }
}
