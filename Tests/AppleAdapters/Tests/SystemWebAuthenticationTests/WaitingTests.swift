import AuthHubPrimitives
import AuthHubTesting
import AuthenticationServices
import Foundation
import SwiftUI
import Testing
import WebAuthentication

@testable import SystemWebAuthenticationOnLinux

@Suite(.timeLimit(.minutes(3)))
struct WaitingTests {
    private static let callback = URL(string: "com.example.app:/callback?state=s")

    @Test(arguments: Way.allCases)
    func `if the system never calls back, the sign-in times out`(way: Way) async throws {
        let program = await Program(way)
        let signIn = program.signIn()
        let window = try #require(await program.system.nextWindow())
        await program.clock.untilAsleep()
        program.clock.advance(by: .seconds(300))
        #expect(await signIn.value.error?.code == .timedOut)
        await window.untilCancelled()
        window.end(Self.callback, nil)
        #expect(await signIn.value.error?.code == .timedOut)
    }

    @Test func `accepts a timeout that exceeds the clock's range`() async throws {
        let (system, window) = (PretendSystem(), await AppWindow(.foregroundActive))
        let authenticator = SystemWebAuthenticator(asksForEphemeral: false, queue: WindowQueue(), clock: .continuous) {
            SessionWindow(isEphemeral: false) { window.window }
        }
        try await PretendSystem.$current.withValue(system) {
            let attempt = try await authenticator.prepare(.customScheme("com.example.app"))
            async let received = attempt.authenticate(.ofTest(timeout: .seconds(Int64.max)))
            try #require(await system.nextWindow()).end(Self.callback, nil)
            #expect(try await received.callback.url.reveal() == "com.example.app:/callback?state=s")
        }
    }

    @Test func `a timeout of zero ends at once`() async {
        let program = await Program(.session)
        let signIn = program.signIn(.customScheme("com.example.app"), .ofTest(timeout: .seconds(-1)))
        #expect(await signIn.value.error?.code == .timedOut)
    }

    @Test(arguments: Way.allCases)
    func `a task that is cancelled beforehand shows nothing`(way: Way) async {
        let program = await Program(way)
        let signIn = PretendSystem.$current.withValue(program.system) {
            Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await program.signInHere()
            }
        }
        #expect(await signIn.value.error?.code == .cancelledByProgram)
        #expect(await program.system.hasNoWindow())
    }

    @Test(arguments: Way.allCases)
    func `cancelling a task closes its window`(way: Way) async throws {
        let program = await Program(way)
        let signIn = program.signIn()
        let window = try #require(await program.system.nextWindow())
        signIn.cancel()
        #expect(await signIn.value.error?.code == .cancelledByProgram)
        await window.untilCancelled()
    }

    @Test(arguments: Way.allCases)
    func `a task that is cancelled after its callback keeps the callback`(way: Way) async throws {
        let program = await Program(way)
        let signIn = program.signIn()
        try #require(await program.system.nextWindow()).end(Self.callback, nil)
        let outcome = await signIn.value
        signIn.cancel()
        #expect(outcome.callback == "com.example.app:/callback?state=s")
        await (try outcome.get()).conclude(.signedIn)
    }

    @Test(arguments: Way.allCases, Way.allCases)
    func `a page waits until the one before is gone, whichever way it is shown`(first: Way, second: Way) async throws {
        let queue = WindowQueue()
        let (signingOut, signingIn) = await (Program(first, queue: queue), Program(second, queue: queue))
        let signOut = signingOut.signIn()
        let signOutWindow = try #require(await signingOut.system.nextWindow())
        let signIn = signingIn.signIn()
        await signingIn.clock.untilAsleep()
        #expect(await signingIn.system.hasNoWindow())

        signOutWindow.end(Self.callback, nil)
        #expect(await signOut.value.callback != nil)
        try #require(await signingIn.system.nextWindow()).end(Self.callback, nil)
        #expect(await signIn.value.callback != nil)
    }

    @Test(arguments: Way.allCases)
    func `shows pages in order of arrival`(way: Way) async throws {
        let program = await Program(way)
        var signIns: [Task<Program.Outcome, Never>] = []
        for number in 1...4 {
            signIns.append(program.signIn(.customScheme("com.example.app"), .ofTest("https://as.example/\(number)")))
            await program.clock.untilAsleep(number)
        }
        for number in 1...4 {
            let window = try #require(await program.system.nextWindow())
            #expect(window.url.absoluteString == "https://as.example/\(number)")
            window.end(Self.callback, nil)
        }
        for signIn in signIns { #expect(await signIn.value.callback != nil) }
    }

    @Test(arguments: [true, false], Way.allCases)
    func `a page that leaves the queue is never shown, and delays no other`(isCancelled: Bool, way: Way) async throws {
        let program = await Program(way)
        let first = program.signIn()
        let window = try #require(await program.system.nextWindow())
        let second = program.signIn(.customScheme("com.example.app"), .ofTest("https://as.example/second", timeout: .seconds(10)))
        await program.clock.untilAsleep(2)
        let third = program.signIn(.customScheme("com.example.app"), .ofTest("https://as.example/third"))
        await program.clock.untilAsleep(3)
        if isCancelled { second.cancel() } else { program.clock.advance(by: .seconds(10)) }
        #expect(await second.value.error?.code == (isCancelled ? .cancelledByProgram : .timedOut))

        window.end(nil, ASWebAuthenticationSessionError(.canceledLogin))
        #expect(await first.value.error?.code == .cancelledByUser)
        let last = try #require(await program.system.nextWindow())
        #expect(last.url.absoluteString == "https://as.example/third")
        last.end(Self.callback, nil)
        #expect(await third.value.callback != nil)
    }

    @Test(arguments: Way.allCases)
    func `after a window was told to close, the next page waits for it, but not forever`(way: Way) async throws {
        for tellsThatItIsGone in [true, false] {
            let program = await Program(way, heedsCancellation: false)
            let first = program.signIn()
            let window = try #require(await program.system.nextWindow())
            first.cancel()
            #expect(await first.value.error?.code == .cancelledByProgram)
            await window.untilCancelled()
            await program.clock.untilAsleep()
            let second = program.signIn()
            await program.clock.untilAsleep(2)
            #expect(await program.system.hasNoWindow())

            if tellsThatItIsGone {
                window.end(nil, ASWebAuthenticationSessionError(.canceledLogin))
            } else {
                program.clock.advance(by: .seconds(2))
            }
            try #require(await program.system.nextWindow()).end(Self.callback, nil)
            #expect(await second.value.callback != nil)
            window.end(nil, nil)
        }
    }

    @Test func `session and anchor exist as long as the window, and no longer`() async throws {
        let program = await Program(.session)
        let signIn = program.signIn()
        let window = try #require(await program.system.nextWindow())
        await program.clock.untilAsleep()
        #expect(window.anchor != nil)
        #expect(window.hasContext)
        window.end(Self.callback, nil)
        await window.untilFreed()
        #expect(!window.hasContext)
        #expect(await signIn.value.callback != nil)

        let cancelled = program.signIn()
        let second = try #require(await program.system.nextWindow())
        cancelled.cancel()
        #expect(await cancelled.value.error?.code == .cancelledByProgram)
        await second.untilCancelled()
        await program.clock.untilAsleep()
        program.clock.advance(by: .seconds(2))
        await second.untilFreed()
    }

    @Test func `all authenticators of a program share one queue`() async throws {
        let system = PretendSystem()
        let window = await AppWindow(.foregroundActive)
        let clock = TestClock()
        let signingOut = SystemWebAuthenticator(clock: clock) { window.window }
        let signingIn = await SystemWebAuthenticator(WebAuthenticationSession(system), clock: clock)
        try await PretendSystem.$current.withValue(system) {
            async let signOut = signingOut.prepare(.customScheme("com.example.app")).authenticate(.ofTest())
            let first = try #require(await system.nextWindow())
            async let signIn = signingIn.prepare(.customScheme("com.example.app")).authenticate(.ofTest("https://as.example/second"))
            await clock.untilAsleep(2)
            #expect(await system.hasNoWindow())
            first.end(Self.callback, nil)
            _ = try await signOut
            try #require(await system.nextWindow()).end(Self.callback, nil)
            _ = try await signIn
        }
    }
}
