import AuthHubPrimitives
import AuthHubTesting
import Testing
import WebAuthentication

struct ScriptedBrowserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let visit: ScriptedBrowser.Visit
        let code: WebAuthenticationError.Code?
    }

    @Test(arguments: [
        Row(testDescription: "the callback", visit: .callback("http://127.0.0.1:49152/callback?code=c&state=right"), code: nil),
        Row(
            testDescription: "a callback of another sign-in", visit: .callback("http://127.0.0.1:49152/callback?code=c"),
            code: .unexpectedCallback),
        Row(testDescription: "a closed window", visit: .cancelled, code: .cancelledByUser),
        Row(testDescription: "an error", visit: .failure(.init(.cannotShow)), code: .cannotShow),
    ])
    func `a scripted visit ends as its script says`(row: Row) async throws {
        let browser = ScriptedBrowser { _ in row.visit }
        let attempt = try await browser.prepare(.loopback())
        #expect(attempt.redirectURI == "http://127.0.0.1:49152/callback")
        var code: WebAuthenticationError.Code?
        do throws(WebAuthenticationError) {
            try await attempt.authenticate(.expectingRightState).conclude(.signedIn)
        } catch {
            code = error.code
        }
        #expect(code == row.code)
        #expect(browser.visitedURLs == [WebAuthenticationRequest.expectingRightState.url])
        #expect(browser.pages == (row.code == nil ? [.signedIn] : []))
    }
}

struct TestClockTests {
    @Test func `sleepers wake when their time has come, and not before`() async throws {
        let clock = TestClock()
        let short = Task { try await clock.sleep(for: .seconds(1)) }
        let long = Task { try await clock.sleep(for: .seconds(3)) }
        await clock.untilAsleep(2)
        clock.advance(by: .seconds(2))
        try await short.value
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        try await long.value
        #expect(clock.now.offset == .seconds(3))
    }

    @Test func `a cancelled sleeper wakes with an error`() async throws {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.untilAsleep()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a deadline that has passed does not sleep`() async throws {
        let clock = TestClock()
        try await clock.sleep(for: .zero)
        #expect(clock.sleeperCount == 0)
    }
}
