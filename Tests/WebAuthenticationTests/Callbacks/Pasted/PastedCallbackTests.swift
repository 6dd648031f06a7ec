import AuthHubPrimitives
import AuthHubTesting
import Testing

@testable import WebAuthentication

struct PastedCallbackTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        /// The expected callback; nil if the text is rejected.
        let callback: String?

        init(_ description: String, _ text: String, is callback: String?) {
            (testDescription, self.text, self.callback) = (description, text, callback)
        }
    }

    static let rows = [
        Row("the whole URL", "http://127.0.0.1:4000/callback?code=c&state=s", is: "http://127.0.0.1:4000/callback?code=c&state=s"),
        Row(
            "broken into lines", " http://127.0.0.1:4000/call\n  back?code=c&\tstate=s\n",
            is: "http://127.0.0.1:4000/callback?code=c&state=s"),
        Row(
            "with a fragment", "http://127.0.0.1:4000/callback#access_token=t&state=s",
            is: "http://127.0.0.1:4000/callback#access_token=t&state=s"),
        Row("only the query", "?code=c&state=s", is: "http://127.0.0.1:4000/callback?code=c&state=s"),
        Row("only the parameters", "state=s&error=access_denied", is: "http://127.0.0.1:4000/callback?state=s&error=access_denied"),
        Row(
            "a URL among the parameters", "?code=c&state=s&iss=https://as.example",
            is: "http://127.0.0.1:4000/callback?code=c&state=s&iss=https://as.example"),
        Row("the end of the redirect URI, and the parameters", "back?code=c&state=s", is: nil),
        Row("the whole URL without its beginning", "://127.0.0.1:4000/callback?code=c&state=s", is: nil),
        Row("only the code: its sign-in is unknown", "4f6a2b", is: nil),
        Row("parameters without state", "code=c", is: nil),
        Row("the redirect URI without parameters", "http://127.0.0.1:4000/callback", is: nil),
        Row("the URL of the page, not where it led", "https://as.example/authorize?client_id=c&state=s", is: nil),
        Row("another port", "http://127.0.0.1:4001/callback?code=c&state=s", is: nil),
        Row("a longer path", "http://127.0.0.1:4000/callbacks?code=c&state=s", is: nil),
        Row("control characters", "http://127.0.0.1:4000/callback?code=c\u{1B}[2J&state=s", is: nil),
        Row("nothing", "", is: nil),
    ]

    @Test(arguments: rows) func `accepts the whole URL, or the part after the redirect URI`(_ row: Row) {
        let pasted = PastedCallback(redirectURI: "http://127.0.0.1:4000/callback")
        #expect((try? pasted.read(Secret(row.text)))?.url.reveal() == row.callback)
    }

    @Test(
        arguments: [
            ("eyJ0.abc-def_", CallbackURL.Content.pin(Secret("eyJ0.abc-def_")), "https://p.example/pin"),
            (" def5\n 0200 ", .pin(Secret("def50200")), "https://p.example/pin"),
            ("https://p.example/pin#access_token=t&expires_in=60", .inURL, "https://p.example/pin#access_token=t&expires_in=60"),
            ("#access_token=t", .inURL, "https://p.example/pin#access_token=t"), ("?code=c", .inURL, "https://p.example/pin?code=c"),
            ("https://p.example/pin", nil, ""), ("https://elsewhere.example/pin#access_token=t", nil, ""), ("", nil, ""),
            ("t\u{1B}[2J", nil, ""),
        ] as [(String, CallbackURL.Content?, String)])
    func `accepts only the code of a PIN page, or its URL`(text: String, content: CallbackURL.Content?, url: String) {
        let pasted = PastedCallback(redirectURI: "https://p.example/pin", responseMode: .fragment, isPinPage: true)
        let callback = try? pasted.read(Secret(text))
        #expect(callback?.content == content)
        #expect(callback.map { $0.url.reveal() } ?? "" == url)
    }

    @Test func `a PIN page needs only a prompt`() async throws {
        let page = CallbackMethod.pinPage("https://p.example/pin")
        let silent = try await BrowserAuthenticator(opener: IdleOpener()).prepare(page)
        let request = WebAuthenticationRequest(url: "https://p.example/authorize", responseMode: .fragment) {
            $0.content == .pin(Secret("right"))
        }
        let failure = await #expect(throws: WebAuthenticationError.self) { _ = try await silent.authenticate(request) }
        #expect(failure?.code == .cannotReceive)
        let attempt = try await BrowserAuthenticator(
            opener: IdleOpener(), pastePrompt: { problem in Secret(problem == nil ? "wrong" : "right") }
        ).prepare(page)
        #expect(attempt.redirectURI == "https://p.example/pin")
        let received = try await attempt.authenticate(request)
        #expect(received.callback.content == .pin(Secret("right")))
        await received.conclude(.signedIn)
    }

    @Test func `the prompt can cancel the sign-in`() async throws {
        for callback in [CallbackMethod.loopback(port: 0, path: "/callback"), .pinPage("https://p.example/pin")] {
            let browser = BrowserAuthenticator(
                opener: IdleOpener(),
                pastePrompt: { _ async throws(WebAuthenticationError) in throw WebAuthenticationError(.cancelledByUser) })
            let request = WebAuthenticationRequest(url: "https://p.example/authorize", responseMode: .fragment) { _ in false }
            let attempt = try await browser.prepare(callback)
            let failure = await #expect(throws: WebAuthenticationError.self) { _ = try await attempt.authenticate(request) }
            #expect(failure?.code == .cancelledByUser)
        }
    }

    @Test func `the code of a PIN page can be pasted after its window was closed`() async throws {
        let window = WindowOfHaste()
        let browser = BrowserAuthenticator(
            opener: window,
            pastePrompt: { _ in
                for await _ in window.ends.stream { break }
                // Gives other tasks time to react to the end.
                for _ in 0..<100 { await Task.yield() }
                return Secret("right")
            })
        let request = WebAuthenticationRequest(url: "https://p.example/authorize", responseMode: .fragment) {
            $0.content == .pin(Secret("right"))
        }
        let received = try await browser.prepare(.pinPage("https://p.example/pin")).authenticate(request)
        #expect(received.callback.content == .pin(Secret("right")))
        await received.conclude(.signedIn)
    }

    @Test(arguments: [nil, "wrong"]) func `stops waiting for a callback that must be pasted once there is no prompt left`(
        first: String?
    ) async throws {
        for callback in [CallbackMethod.loopback(port: 0, path: "/callback"), .pinPage("https://p.example/pin")] {
            let browser = BrowserAuthenticator(
                opener: IdleOpener(), waitsWhenNotPasted: false, pastePrompt: { $0 == nil ? first.map { Secret($0) } : nil })
            let request = WebAuthenticationRequest(url: "https://p.example/authorize", responseMode: .fragment) { _ in false }
            let attempt = try await browser.prepare(callback)
            let failure = await #expect(throws: WebAuthenticationError.self) { _ = try await attempt.authenticate(request) }
            #expect(failure?.code == .cannotReceive)
        }
    }

    @Test func `stops waiting for a PIN page once there is no prompt left`() async throws {
        for (first, closes) in [("wrong", false), (nil, false), (nil, true)] {
            let opener: any PageOpener = if closes { WindowOfHaste() } else { IdleOpener() }
            let browser = BrowserAuthenticator(opener: opener, pastePrompt: { $0 == nil ? first.map { Secret($0) } : nil })
            let request = WebAuthenticationRequest(url: "https://p.example/authorize", responseMode: .fragment) { _ in false }
            let attempt = try await browser.prepare(.pinPage("https://p.example/pin"))
            let failure = await #expect(throws: WebAuthenticationError.self) { _ = try await attempt.authenticate(request) }
            #expect(failure?.code == .cancelledByUser)
        }
    }

    @Test func `checks pasted text like a browser's callback, and it ends the sign-in`() async throws {
        let asked = AsyncStream.makeStream(of: String?.self)
        let texts = AsyncStream.makeStream(of: String.self)
        let browser = BrowserAuthenticator(
            opener: IdleOpener(),
            pastePrompt: { problem in
                asked.continuation.yield(problem)
                for await text in texts.stream { return Secret(text) }
                return nil
            })
        let attempt = try await browser.prepare(.loopback(port: quietPort()))
        async let received = attempt.authenticate(.expectingRightState)
        var problems = asked.stream.makeAsyncIterator()
        #expect(await problems.next() == .some(nil))
        texts.continuation.yield("4f6a2b")
        #expect(await problems.next()??.contains("paste the whole URL") == true)
        texts.continuation.yield("?code=c&state=wrong")
        #expect(await problems.next()??.contains("another sign-in") == true)
        texts.continuation.yield("?code=c&state=right")
        let callback = try await received
        #expect(callback.callback.url.reveal() == "\(attempt.redirectURI)?code=c&state=right")
        await callback.conclude(.signedIn)
        #expect(await isFree(attempt.redirectURI))
    }

    @Test func `cancels a prompt when the callback arrives by itself, and asks no more once the sign-in ends`() async throws {
        let ended = AsyncStream.makeStream(of: Void.self)
        let browser = BrowserAuthenticator(
            opener: IdleOpener(),
            pastePrompt: { _ in
                let never = AsyncStream.makeStream(of: Void.self)
                for await _ in never.stream {}
                ended.continuation.yield()
                return nil
            })
        let attempt = try await browser.prepare(.loopback())
        async let received = attempt.authenticate(.expectingRightState)
        async let page = LoopbackClient.get("/callback?code=c&state=right", of: attempt.redirectURI)
        let callback = try await received
        await callback.conclude(.signedIn)
        #expect(try await page.status == 200)
        for await _ in ended.stream { break }
    }
}

/// A window that the user closes as soon as it is shown.
private struct WindowOfHaste: PageOpener, BrowserWindow {
    let ends = AsyncStream.makeStream(of: Void.self)

    var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: true, isEphemeral: true) }

    func open(_ url: String) async throws(WebAuthenticationError) {}

    func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? { self }

    func closed() async -> WebAuthenticationError {
        defer { ends.continuation.yield() }
        return WebAuthenticationError(.cancelledByUser)
    }

    func close() async {}
}
