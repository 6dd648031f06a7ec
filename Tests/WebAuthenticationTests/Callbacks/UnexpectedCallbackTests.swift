import AuthHubPrimitives
import AuthHubTesting
import Synchronization
import Testing

@testable import WebAuthentication

/// Tests what is reported while a sign-in waits, once for each kind.
@Suite(.timeLimit(.minutes(15)))
struct UnexpectedCallbackTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var responseMode = CallbackResponseMode.query
        let request: @Sendable (SignIn) async throws -> Answer
        let status: Int
        var counts = true
    }

    @Test(arguments: [
        Row(testDescription: "AR03 a wrong state", request: { try await $0.get("/callback?code=c&state=wrong") }, status: 400),
        Row(testDescription: "AR02 no state", request: { try await $0.get("/callback?code=c") }, status: 400),
        Row(
            testDescription: "AR41 a posted form although the query was requested", request: { try await $0.post("code=c&state=right") },
            status: 405),
        Row(
            testDescription: "AR41 a query although a posted form was requested", responseMode: .form,
            request: { try await $0.get("/callback?code=c&state=right") }, status: 405),
        Row(
            testDescription: "AR28 a query although the fragment was requested", responseMode: .fragment,
            request: { try await $0.get("/callback?code=c&state=wrong") }, status: 400),
        Row(
            testDescription: "AR45 only the redirect URI although a posted form was requested", responseMode: .form,
            request: { try await $0.get("/callback") }, status: 405, counts: false),
        Row(testDescription: "AR45 a favicon", request: { try await $0.get("/favicon.ico") }, status: 404, counts: false),
        Row(
            testDescription: "AR44 another host",
            request: { try await LoopbackClient.send("GET /callback?state=x HTTP/1.1\r\nHost: as.example\r\n\r\n", to: $0.redirectURI) },
            status: 400, counts: false),
    ])
    func `a rejected response turns the timeout into a security error, anything else does not`(row: Row) async throws {
        let signIn = try await SignIn(responseMode: row.responseMode)
        #expect(try await row.request(signIn).status == row.status)
        await signIn.clock.untilAsleep()
        signIn.clock.advance(by: .seconds(300))
        guard case .failure(let error) = await signIn.outcome else {
            Issue.record("it succeeded")
            return
        }
        #expect(error.code == (row.counts ? .unexpectedCallback : .timedOut))
        #expect((error.ignored != nil) == row.counts)
    }

    @Test func `AR65 thousands of foreign responses are one message, and a count at the end`() async throws {
        let told = Mutex<[String]>([])
        let counted = Mutex<[Int]>([])
        let shown = AsyncStream.makeStream(of: Void.self)
        let attempt = try await BrowserAuthenticator(
            opener: IdleOpener(), onShow: { _ in shown.continuation.finish() }, onIgnored: { text in told.withLock { $0.append(text) } }
        ).prepare(.loopback(port: quietPort()))
        var request = WebAuthenticationRequest.expectingRightState
        request.onIgnored = { ignored in counted.withLock { $0.append(ignored.foreignResponses) } }
        let waiting = Task { [request] in try await attempt.authenticate(request) }
        for await _ in shown.stream {}
        for _ in 0..<40 { #expect(try await LoopbackClient.get("/callback?state=wrong", of: attempt.redirectURI).status == 400) }
        let first = "a response that does not belong to this sign-in arrived and was ignored"
        #expect(told.withLock { $0 } == [first])
        #expect(counted.withLock { $0 } == [1])
        waiting.cancel()
        #expect(await waiting.result.webAuthenticationCode == .unexpectedCallback)
        #expect(told.withLock { $0 } == [first, "40 responses that do not belong to this sign-in arrived and were ignored"])
    }

    @Test func `AR65 reports a response that arrives before the page is shown with it`() async throws {
        let attempt = try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback(port: quietPort()))
        #expect(try await LoopbackClient.get("/callback?code=c&state=right", of: attempt.redirectURI).status == 400)
        let told = AsyncStream.makeStream(of: Int.self)
        var request = WebAuthenticationRequest.expectingRightState
        request.onIgnored = { told.continuation.yield($0.foreignResponses) }
        let waiting = Task { [request] in try await attempt.authenticate(request) }
        for await count in told.stream {
            #expect(count == 1)
            break
        }
        waiting.cancel()
        #expect(await waiting.result.webAuthenticationCode == .unexpectedCallback)
    }

    @Test(arguments: [
        (IgnoredCallbacks(), IgnoredCallbacks(foreignResponses: 1), true),
        (IgnoredCallbacks(foreignResponses: 1), IgnoredCallbacks(foreignResponses: 2), false),
        (IgnoredCallbacks(foreignResponses: 1), requests(1, after: 1), true),
        (requests(1), requests(2), false),
        (requests(1), requests(1, after: 1), true),
        (IgnoredCallbacks(), IgnoredCallbacks(), false),
    ])
    func `reports each kind once`(told: IgnoredCallbacks, now: IgnoredCallbacks, isNews: Bool) {
        #expect(now.holdsAnotherKind(than: told) == isNews)
    }

    private static func requests(_ count: Int, after responses: Int = 0) -> IgnoredCallbacks {
        var ignored = IgnoredCallbacks(foreignResponses: responses)
        for _ in 0..<count { ignored.rejected(.user(1001)) }
        return ignored
    }

    /// An opener that does or does not monitor its window.
    private struct Opener: PageOpener {
        let knowsCancel: Bool

        var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: knowsCancel, isEphemeral: false) }

        func open(_ url: String) async {}
    }

    @Test func `AR66 after a minute the program is notified once that the page may be closed`() async throws {
        let clock = TestClock()
        let told = AsyncStream.makeStream(of: TestClock.Instant.self)
        let attempt = try await BrowserAuthenticator(
            opener: Opener(knowsCancel: false), clock: clock, onWait: { told.continuation.yield(clock.now) }
        ).prepare(.loopback())
        let waiting = Task { try await attempt.authenticate(.expectingRightState) }
        await clock.untilAsleep(2)
        clock.advance(by: .seconds(59))
        clock.advance(by: .seconds(1))
        for await time in told.stream {
            #expect(time == TestClock.Instant(offset: .seconds(60)))
            break
        }
        clock.advance(by: .seconds(240))
        #expect(await waiting.result.webAuthenticationCode == .timedOut)
        told.continuation.finish()
        for await _ in told.stream { Issue.record("it was told again") }
    }

    @Test func `a browser that notices closed windows needs no such message`() async throws {
        let clock = TestClock()
        let attempt = try await BrowserAuthenticator(
            opener: Opener(knowsCancel: true), clock: clock, onWait: { Issue.record("it was told") }
        ).prepare(.loopback())
        let waiting = Task { try await attempt.authenticate(.expectingRightState) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(300))
        #expect(await waiting.result.webAuthenticationCode == .timedOut)
        #expect(clock.sleeperCount == 0)
    }
}
