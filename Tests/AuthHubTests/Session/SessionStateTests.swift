import AuthHub
import AuthHubTesting
import HTTPLoading
import Testing

/// Checks that the state that users see is correct.
struct SessionStateTests {
    @Test func `cancelling while the code is sent ends nothing: the tokens are stored`() async throws {
        let setting = SessionSetting()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let session = setting.session()
        let task = Task { try await session.signIn() }
        await gate.untilReached()
        #expect(session.state == .exchanging)
        task.cancel()
        let failure = await #expect(throws: SessionError.self) { try await task.value }
        #expect(failure?.code == .cancelledByProgram)
        gate.open()
        await session.finish()
        guard case .signedIn(let facts) = session.state else {
            Issue.record("the state is \(session.state)")
            return
        }
        #expect(facts.generation == 1 && !facts.isRefreshing && facts.problem == nil && facts.nextAttempt == nil)
        #expect(try await setting.store.accounts().count == 1)
    }

    @Test func `each subscriber receives the current state first, and a refresh is visible`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        var first = session.states.makeAsyncIterator()
        #expect(await first.next() == session.state)
        let task = Task { try await session.refresh() }
        await gate.untilReached()
        var second = session.states.makeAsyncIterator()
        for state in [await first.next(), await second.next()] {
            guard case .signedIn(let facts)? = state else {
                Issue.record("\(String(describing: state))")
                continue
            }
            #expect(facts.isRefreshing && facts.generation == 1)
        }
        gate.open()
        try await task.value
        for state in [await first.next(), await second.next()] {
            guard case .signedIn(let facts)? = state else {
                Issue.record("\(String(describing: state))")
                continue
            }
            #expect(!facts.isRefreshing && facts.generation == 2)
        }
    }

    @Test(.timeLimit(.minutes(15))) func `the states end with the session`() async throws {
        var session: OAuthSession? = try await SessionSetting().signedIn()
        let states = try #require(session?.states)
        session = nil
        var count = 0
        for await _ in states { count += 1 }
        #expect(count == 1)
    }

    @Test func `a sign-out waits for a sign-in that is storing tokens, then deletes and revokes them`() async throws {
        let store = SlowStore()
        let setting = SessionSetting(store: store)
        let session = setting.session()
        let signIn = Task { try await session.signIn() }
        await store.writing.untilReached()
        let signOut = Task { await session.signOut() }
        await #expect(throws: SessionError.self) { try await signIn.value }
        #expect(session.state == .signingOut)
        store.writing.open()
        #expect(await signOut.value.isSignedOut)
        await session.finish()
        #expect(try await store.accounts().isEmpty)
        #expect(session.state == .signedOut)
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
    }
}

extension SessionStateTests {
    @Test func `a question of a sign-in from before the last sign-out does not make the next sign-out forget that one is storing`()
        async throws
    {
        let store = SlowStore()
        let setting = SessionSetting(store: store)
        let session = setting.session()
        let late = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await late.pass() } }
        let first = Task { try await session.signIn() }
        await late.untilReached()
        setting.server.configure { $0.afterToken = nil }
        await session.signOut()
        await #expect(throws: SessionError.self) { try await first.value }
        let second = Task { try await session.signIn() }
        await store.writing.untilReached()
        // The tokens of the first sign-in arrive now, but are no longer wanted.
        late.open()
        while !setting.server.revoked.contains("access-1") { await Task.yield() }
        let signOut = Task { await session.signOut() }
        await #expect(throws: SessionError.self) { try await second.value }
        for _ in 0..<5_000 { await Task.yield() }
        #expect(session.state == .signingOut)
        store.writing.open()
        #expect(await signOut.value.isSignedOut)
        await session.finish()
        #expect(try await store.accounts().isEmpty)
        #expect(setting.server.revoked == ["refresh-1", "access-1", "refresh-2", "access-2"])
    }
}
