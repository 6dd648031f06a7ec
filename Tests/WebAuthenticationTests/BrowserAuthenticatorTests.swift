import AuthHubPrimitives
import AuthHubTesting
import Synchronization
import Testing

@testable import WebAuthentication

/// Each sign-in has exactly one outcome, after which the port is free.
struct BrowserAuthenticatorTests {
    @Test func `returns the callback byte for byte`() async throws {
        let signIn = try await SignIn()
        async let page = signIn.get("/callback?code=a%2Bb+c%3D&iss=https%3A%2F%2Fas.example&state=right")
        let received = try await signIn.outcome.get()
        #expect(received.callback.url.reveal() == "\(signIn.redirectURI)?code=a%2Bb+c%3D&iss=https%3A%2F%2Fas.example&state=right")
        await received.conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test func `AR47 the redirect URI names 127.0.0.1 and the bound port`() async throws {
        let attempt = try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback(path: "/sign-in/done"))
        #expect(attempt.redirectURI.hasPrefix("http://127.0.0.1:"))
        #expect(attempt.redirectURI.hasSuffix("/sign-in/done"))
        #expect(await isTaken(attempt.redirectURI))
        await attempt.close()
        let again = try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback(port: quietPort()))
        await again.close()
        #expect(await isFree(again.redirectURI))
    }

    @Test func `AR47 binds the port at 127.0.0.1 only, so not even this machine's other addresses reach it`() async throws {
        let attempt = try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback())
        let port = try #require(Int(attempt.redirectURI.split(separator: ":")[2].prefix { $0.isNumber }))
        for address in ["127.0.0.2", "127.1.2.3"] {
            await #expect(throws: (any Error).self, "\(address)") { try await LoopbackClient(port: port, at: address) }
        }
        try await LoopbackClient(port: port).close()
        await attempt.close()
    }

    @Test func `two concurrent sign-ins have separate ports`() async throws {
        let first = try await SignIn(method: .loopback())
        let second = try await SignIn(method: .loopback())
        #expect(first.redirectURI != second.redirectURI)
        async let firstPage = first.get("/callback?code=1&state=right")
        async let secondPage = second.get("/callback?code=2&state=right")
        let callbacks = try await [first.outcome.get(), second.outcome.get()]
        for received in callbacks { await received.conclude(.signedIn) }
        #expect(callbacks.map { $0.callback.url.reveal().contains("code=1") } == [true, false])
        #expect(try await [firstPage.status, secondPage.status] == [200, 200])
    }

    @Test func `AR52 the sign-in times out`() async throws {
        let signIn = try await SignIn()
        await signIn.clock.untilAsleep()
        signIn.clock.advance(by: .seconds(300))
        #expect(await signIn.outcome.code == .timedOut)
        #expect(await isFree(signIn.redirectURI))
    }

    @Test func `a timeout that is too large for a clock means no timeout`() async throws {
        let (shown, showing) = AsyncStream<String>.makeStream()
        let attempt = try await BrowserAuthenticator(opener: IdleOpener(), onShow: { showing.yield($0) }).prepare(.loopback())
        let request = WebAuthenticationRequest(url: "https://as.example/", timeout: .seconds(Int64.max)) { _ in true }
        async let outcome = attempt.authenticate(request)
        for await _ in shown { break }
        async let page = LoopbackClient.get("/callback?code=c", of: attempt.redirectURI)
        try await outcome.conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test func `one second before the timeout it still waits`() async throws {
        let signIn = try await SignIn()
        await signIn.clock.untilAsleep()
        signIn.clock.advance(by: .seconds(299))
        async let page = signIn.get("/callback?code=c&state=right")
        try await signIn.outcome.get().conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test func `cancelled while it waits for the user`() async throws {
        let signIn = try await SignIn()
        let halfSent = try await LoopbackClient(to: signIn.redirectURI)
        try await halfSent.send("GET /callback?")
        signIn.cancel()
        #expect(await signIn.outcome.code == .cancelledByProgram)
        #expect(try await halfSent.untilClosed() == "")
        #expect(await isFree(signIn.redirectURI))
    }

    @Test func `cancelled while an opener hangs that ignores cancellation`() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let signIn = try await SignIn(opener: ClosureOpener { _ in await Task { for await _ in gate.stream {} }.value })
        signIn.cancel()
        #expect(await signIn.outcome.code == .cancelledByProgram)
        #expect(await isFree(signIn.redirectURI))
        gate.continuation.finish()
    }

    @Test func `cancelled before it starts: nothing is shown`() async throws {
        let shown = Mutex(0)
        let attempt = try await BrowserAuthenticator(opener: IdleOpener(), onShow: { _ in shown.withLock { $0 += 1 } })
            .prepare(.loopback(port: quietPort()))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(WebAuthenticationError) {
                _ = try await attempt.authenticate(.expectingRightState)
                return nil as WebAuthenticationError.Code?
            } catch {
                return error.code
            }
        }
        #expect(await task.value == .cancelledByProgram)
        #expect(shown.withLock { $0 } == 0)
        #expect(await isFree(attempt.redirectURI))
    }

    @Test func `cancelled after the callback: the program concludes`() async throws {
        let signIn = try await SignIn()
        async let page = signIn.get("/callback?code=c&state=right")
        let received = try await signIn.outcome.get()
        signIn.cancel()
        await received.conclude(.failed("The program was stopped."))
        #expect(try await page.status == 400)
    }

    @Test func `a page that cannot be shown ends the sign-in, with the opener's own message`() async throws {
        let signIn = try await SignIn(
            opener: ClosureOpener { _ throws(WebAuthenticationError) in
                throw WebAuthenticationError(.cannotShow, "no browser here")
            })
        guard case .failure(let error) = await signIn.outcome else {
            Issue.record("it was shown")
            return
        }
        #expect(error.code == .cannotShow)
        #expect(error.explanation == "no browser here")
        #expect(await isFree(signIn.redirectURI))
    }

    @Test func `a page that cannot be shown may be opened by hand, and the reason is reported while the sign-in waits`() async throws {
        let reported = AsyncStream.makeStream(of: WebAuthenticationError.self)
        let opener = ClosureOpener { _ throws(WebAuthenticationError) in
            throw WebAuthenticationError(.cannotShow, "no browser here")
        }
        let signIn = try await SignIn(opener: opener, waitsWhenNotShown: true) { reported.continuation.yield($0) }
        for await error in reported.stream {
            #expect(error.explanation == "no browser here")
            break
        }
        async let page = signIn.get("/callback?code=c&state=right")
        try await signIn.outcome.get().conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test func `names a port that is in use`() async throws {
        let first = try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback())
        let port = try #require(UInt16(first.redirectURI.split(separator: ":")[2].prefix { $0.isNumber }))
        let error = await #expect(throws: WebAuthenticationError.self) {
            _ = try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback(port: port))
        }
        #expect(error?.code == .cannotReceive)
        #expect(error?.explanation?.contains("port \(port) of 127.0.0.1 is in use") == true)
        await first.close()
    }

    @Test(arguments: ["callback", "", "/call back", "/callback?x", "/callback#x", "/cäll"])
    func `rejects an invalid path before anything is bound`(path: String) async throws {
        let error = await #expect(throws: WebAuthenticationError.self) {
            _ = try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback(path: path))
        }
        #expect(error?.code == .cannotReceive)
        #expect(error?.explanation?.contains("must begin with “/”") == true)
    }

    @Test func `an attempt can be used once`() async throws {
        let attempt = try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback())
        await attempt.close()
        await attempt.close()
        let error = await #expect(throws: WebAuthenticationError.self) { _ = try await attempt.authenticate(.expectingRightState) }
        #expect(error?.code == .cannotReceive)
    }

    @Test func `the system's browser can be named if an authenticator is expected`() {
        let authenticators: [any WebAuthenticator] = [.system, .system(command: "firefox", waitsWhenNotShown: true)]
        #expect(authenticators.allSatisfy { $0.capabilities == .init(knowsCancel: false, isEphemeral: false) })
    }
}
