import AsyncHTTPClientTransport
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import Synchronization
import Testing
import WebAuthentication

@testable import AuthHubApp

/// The content of the first screen while it waits for a page that the user may close without the app noticing.
@MainActor @Suite(.timeLimit(.minutes(15)))
struct WaitingTests {
    private let clock = TestClock()
    private let shown = AsyncStream.makeStream(of: String.self)

    /// The user's own browser, which does not report the state of its windows.
    private final class Opener: PageOpener {
        let opened = Mutex(0)
        let fails = Mutex(false)

        func open(_ url: String) async throws(WebAuthenticationError) {
            if fails.withLock({ $0 }) { throw WebAuthenticationError(.cannotShow, "no browser is installed") }
            opened.withLock { $0 += 1 }
        }
    }

    private func waiting(_ opener: Opener) async throws -> (AppModel, page: String) {
        var bench = Bench()
        bench.clock = LoadClock(clock)
        let browser = BrowserAuthenticator(opener: opener, onShow: { [shown] in shown.continuation.yield($0) })
        let app = try bench.app(shared: browser)
        await app.restore()
        app.signIn.signIn()
        for await page in shown.stream {
            await until { app.signIn.canOpenAgain }
            return (app, page)
        }
        throw CancellationError()
    }

    @Test func `AR66 says that the app cannot see a closed page, and once more after a minute`() async throws {
        let (app, _) = try await waiting(Opener())
        #expect(app.signIn.hint == "The app cannot detect whether you closed the page. If you did, open it again or cancel.")
        #expect(app.signIn.canCancel && app.signIn.notice == nil)
        await clock.untilAsleep()
        clock.advance(by: .seconds(60))
        await until { app.signIn.hint == "Still waiting. If you closed the page, open it again or cancel." }
        app.signIn.cancel()
        await until { app.signIn.activity == nil }
        #expect(app.signIn.hint == nil && app.signIn.problem == nil && !app.signIn.canOpenAgain)
    }

    @Test func `the URL of the page can be copied while the page is shown`() async throws {
        let (app, page) = try await waiting(Opener())
        #expect(app.signIn.pageURL == page)
        app.signIn.cancel()
        await until { app.signIn.activity == nil }
        #expect(app.signIn.pageURL == nil)
    }

    @Test func `AR66 a button opens the page again, and shows why if it cannot`() async throws {
        let opener = Opener()
        let (app, _) = try await waiting(opener)
        await app.signIn.openAgain()
        // The first attempt to open the page may still be in progress.
        while opener.opened.withLock({ $0 }) < 2 { await Task.yield() }
        opener.fails.withLock { $0 = true }
        await app.signIn.openAgain()
        #expect(app.signIn.notice == "No browser is installed.")
        #expect(app.signIn.activity == .waitingForPerson)
        opener.fails.withLock { $0 = false }
        await app.signIn.openAgain()
        #expect(app.signIn.notice == nil)
        app.signIn.cancel()
        await until { app.signIn.activity == nil }
    }

    @Test func `AR65 shows a foreign response while the page is open, and as the reason when the sign-in ends`() async throws {
        let (app, page) = try await waiting(Opener())
        let parameters = try FormParameters(decoding: try #require(page.split(separator: "?", maxSplits: 1).last))
        let redirectURI = try #require(parameters["redirect_uri"])
        _ = try await NetworkTransport.shared.send(.get("\(redirectURI)?code=c&state=wrong")).body.collect(upTo: 1 << 20)
        await until { app.signIn.notice == "A response that does not belong to this sign-in arrived and was ignored." }
        #expect(app.signIn.activity == .waitingForPerson)
        app.signIn.cancel()
        await until { app.signIn.activity == nil }
        #expect(app.signIn.problem?.text == "The response did not belong to this sign-in at GitHub and was not used.")
        #expect(app.signIn.notice == nil && app.signIn.canSignIn)
    }

    @Test func `a browser that notices closed windows needs no advice`() async throws {
        let door = Door()
        let app = try await Bench().signingIn(at: door)
        #expect(app.signIn.activity == .waitingForPerson)
        #expect(app.signIn.hint == nil && !app.signIn.canOpenAgain)
        door.open()
        _ = try await untilListed(app)
    }
}
