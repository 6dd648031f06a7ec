import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import OAuthProtocol
import Synchronization
import Testing
import WebAuthentication

@testable import AuthHub

/// An idle session keeps no task: a finished task keeps the memory of its stack, 22 KB after a sign-in.
@Suite(.timeLimit(.minutes(15)))
struct RestingSessionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var visit: @Sendable (String) async -> ScriptedBrowser.Visit = consenting
        let act: @Sendable (OAuthSession, SessionSetting, TellingStore) async throws -> Void
    }

    @Test(arguments: [
        Row(testDescription: "a sign-in") { session, _, _ in try await session.signIn() },
        Row(testDescription: "a sign-in on demand") { session, _, _ in _ = try await session.load(.get("https://api.example/")) },
        Row(testDescription: "a sign-in that the user denies", visit: { _ in .cancelled }) { session, _, _ in
            await #expect(throws: SessionError.self) { try await session.signIn() }
        },
        Row(testDescription: "a sign-in whose exchange fails") { session, setting, _ in
            setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.connectionLost, for: request) } }
            await #expect(throws: SessionError.self) { try await session.signIn() }
        },
        Row(testDescription: "a sign-in whose caller leaves", visit: untilCancelled) { session, setting, _ in
            let signIn = Task { try await session.signIn() }
            await setting.browser.untilVisited()
            signIn.cancel()
            await #expect(throws: SessionError.self) { try await signIn.value }
        },
        Row(testDescription: "a sign-out during a sign-in", visit: untilCancelled) { session, setting, _ in
            let signIn = Task { try await session.signIn() }
            await setting.browser.untilVisited()
            await session.signOut()
            await #expect(throws: SessionError.self) { try await signIn.value }
        },
        Row(testDescription: "a callback passed to the session", visit: untilCancelled) { session, setting, _ in
            let signIn = Task { try await session.signIn() }
            await setting.browser.untilVisited()
            guard let url = setting.browser.visitedURLs.first, case .callback(let callback) = await consenting(url) else { return }
            try await session.finishSignIn(with: callback)
            signIn.cancel()
            _ = await signIn.result
        },
        Row(testDescription: "a refresh") { session, _, _ in
            try await session.signIn()
            try await session.refresh()
        },
        Row(testDescription: "a sign-out") { session, _, _ in
            try await session.signIn()
            await session.signOut()
        },
        Row(testDescription: "a read after the store reported a change") { session, setting, _ in
            try await session.signIn()
            try await setting.session(.manual).refresh()
            for await state in session.states {
                if case .signedIn(let facts) = state, facts.generation == 2 { break }
            }
        },
        Row(testDescription: "a read that fails") { session, setting, store in
            try await session.signIn()
            store.fail(with: .init(.locked, "Unlock it."))
            let reads = store.reads
            store.tell(.missedSome)
            await store.untilRead(reads + 1)
        },
    ])
    func `keeps no task after`(row: Row) async throws {
        let store = TellingStore()
        let setting = SessionSetting(store: store, person: row.visit)
        let session = setting.session()
        try await row.act(session, setting, store)
        await session.finish()
        #expect(tasks(in: session.engine) == [])
    }

    @Test func `does not forget the sign-in that follows an abandoned one`() async throws {
        let gate = Gate()
        let pages = Mutex(0)
        let setting = SessionSetting { url in
            let isFirst = pages.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return await untilCancelled(url) }
            await gate.pass()
            return .cancelled
        }
        let session = setting.session()
        let abandoned = Task { try await session.signIn() }
        await gate.untilReached()
        abandoned.cancel()
        await #expect(throws: SessionError.self) { try await abandoned.value }
        let following = startedTask {
            try await session.signIn()
            return 0
        }
        #expect(await session.engine.machine.waiters.count == 1)
        gate.open()
        await setting.browser.untilVisited(2)
        // The second page is closed when its caller is cancelled, and its caller needs the task of the second sign-in.
        following.cancel()
        let failure = await #expect(throws: SessionError.self) { try await following.value }
        #expect(failure?.code == .cancelledByProgram)
        await session.finish()
        #expect(!session.state.isSigningIn)
    }
}

/// Simulates a user who does nothing until the page is closed.
@Sendable private func untilCancelled(_ url: String) async -> ScriptedBrowser.Visit {
    let (never, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    withExtendedLifetime(continuation) {}
    return .cancelled
}

/// Returns the names of the properties that hold a task, including those in nested structures. Objects behind a reference have their own
/// lifetime.
private func tasks(in subject: Any) -> [String] {
    Mirror(reflecting: subject).children.flatMap { child -> [String] in
        let name = child.label ?? "an element"
        if "\(type(of: child.value))".hasPrefix("Task<") { return [name] }
        let style = Mirror(reflecting: child.value).displayStyle
        return style == .class || style == nil ? [] : tasks(in: child.value).map { "\(name).\($0)" }
    }
}
