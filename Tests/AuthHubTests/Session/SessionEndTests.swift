import AuthHubTesting
import HTTPLoading
import Testing

@testable import AuthHub

/// A session that is no longer used leaves nothing behind.
struct SessionEndTests {
    @Test(.timeLimit(.minutes(15)))
    func `readers may be cancelled while the state changes`() async {
        let snapshot = SessionSnapshot()
        let signingIn = SessionSituation(activity: .signingIn)
        for round in 0..<2_000 {
            let reader = Task { [states = snapshot.states()] in
                // A program may read the state at any time.
                await withTaskCancellationHandler {
                    for await _ in states {}
                } onCancel: {
                    _ = snapshot.state
                }
            }
            async let change: Void = snapshot.update(round.isMultiple(of: 2) ? signingIn : SessionSituation())
            async let end: Void = reader.cancel()
            _ = await (change, end)
            await reader.value
        }
        #expect(snapshot.subscriberCount == 0)
    }

    @Test func `states end with the session`() async {
        var session: OAuthSession? = SessionSetting().session()
        let states = session?.states
        session = nil
        var heard: [SessionState] = []
        if let states { for await state in states { heard.append(state) } }
        #expect(heard == [.unknown])
    }

    @Test func `forgets subscribers that stop listening`() async {
        let snapshot = SessionSnapshot()
        for _ in 0..<100 { _ = snapshot.states() }
        for _ in 0..<100 {
            let task = Task { [states = snapshot.states()] in for await _ in states {} }
            task.cancel()
            await task.value
        }
        #expect(snapshot.subscriberCount == 0)
    }

    @Test func `neither tasks nor streams keep a session alive`() async throws {
        weak var engine: SessionEngine?
        let setting = SessionSetting()
        do {
            let session = try await setting.signedIn()
            engine = session.engine
            setting.server.endAccessTokens()
            _ = try await session.load(.get("https://api.example/"))
            let listener = Task { [states = session.states] in for await _ in states {} }
            await session.signOut(endingServerSession: true)
            await session.finish()
            listener.cancel()
        }
        // The last task may not have finished yet.
        while engine != nil { await Task.yield() }
    }
}
