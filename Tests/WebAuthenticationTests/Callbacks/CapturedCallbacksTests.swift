import AuthHubPrimitives
import AuthHubTesting
import Synchronization
import Testing

@testable import WebAuthentication

struct CapturedCallbacksTests {
    private final class Tab: CallbackBearer {
        let pages = Mutex<[ResultPage]>([])
        func answer(_ page: ResultPage) { pages.withLock { $0.append(page) } }
    }

    private static let callback = CallbackURL("https://app.example.com/callback?code=c&state=right")

    private static func callbacks(_ clock: TestClock = TestClock()) throws -> CapturedCallbacks {
        CapturedCallbacks(address: try CallbackAddress(.https(host: "app.example.com", path: "/callback")), clock: clock)
    }

    @Test func `accepts a callback once, and reports the outcome to everyone who delivered it`() async throws {
        let callbacks = try Self.callbacks()
        let taken = Mutex(0)
        callbacks.expect(by: .query) {
            $0.url == Self.callback.url
        } take: { _ in
            taken.withLock {
                $0 += 1; return true
            }
        } ignore: {
        }
        let tabs = (0..<40).map { _ in Tab() }
        for tab in tabs { callbacks.arrived(Self.callback, from: tab) }
        let stranger = Tab()
        callbacks.arrived(CallbackURL("https://app.example.com/callback?code=d"), from: stranger)
        await callbacks.conclude(.signedIn)
        await callbacks.conclude(.failed("late"))
        #expect(taken.withLock { $0 } == 1)
        let told = tabs.map { tab in tab.pages.withLock { $0 } }
        let waiting = CapturedCallbacks.maximumWaiting + 1
        #expect(told.prefix(waiting) == ArraySlice(repeating: [ResultPage(.signedIn)], count: waiting))
        #expect(told.suffix(from: waiting) == ArraySlice(repeating: [.ended], count: 40 - waiting))
        #expect(stranger.pages.withLock { $0 } == [.ended])
    }

    @Test func `there is no callback before the sign-in asks for it and after it has ended`() async throws {
        let callbacks = try Self.callbacks()
        let (early, late) = (Tab(), Tab())
        callbacks.arrived(Self.callback, from: early)
        callbacks.expect(by: .query) { _ in
            true
        } take: { _ in
            true
        } ignore: {
        }
        await callbacks.close()
        callbacks.arrived(Self.callback, from: late)
        #expect(early.pages.withLock { $0 } == [.notExpected])
        #expect(late.pages.withLock { $0 } == [.ended])
    }

    @Test func `if no conclusion follows, the page leaves the outcome open`() async throws {
        let clock = TestClock()
        let callbacks = try Self.callbacks(clock)
        callbacks.expect(by: .query) { _ in
            true
        } take: { _ in
            true
        } ignore: {
        }
        let told = AsyncStream.makeStream(of: ResultPage.self)
        struct Teller: CallbackBearer {
            let told: AsyncStream<ResultPage>.Continuation
            func answer(_ page: ResultPage) { told.yield(page) }
        }
        callbacks.arrived(Self.callback, from: Teller(told: told.continuation))
        await clock.untilAsleep()
        clock.advance(by: CapturedCallbacks.conclusionTime)
        for await page in told.stream {
            #expect(page == .undecided)
            break
        }
    }
}
