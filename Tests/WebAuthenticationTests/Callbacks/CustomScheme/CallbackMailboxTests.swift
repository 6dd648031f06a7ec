import AuthHubPrimitives
import AuthHubTesting
import Platform
import Testing

@testable import WebAuthentication

struct CallbackMailboxTests {
    /// The folders of a desktop on which the scheme com.example.app opens a program of this test.
    struct Desktop {
        let folder: ScriptFolder
        let environment: [String: String]

        init() throws {
            folder = try ScriptFolder()
            try folder.addFolder("run")
            environment = [
                "HOME": folder.path, "XDG_RUNTIME_DIR": "\(folder.path)/run", "PATH": "/usr/bin:/bin",
            ]
            try CustomSchemeHandler(scheme: "com.example.app", environment: environment)
                .register(command: [folder.add("handler", "exit 0")], name: "Example")
        }

        func browser(clock: any Clock<Duration> = .continuous) -> BrowserAuthenticator {
            BrowserAuthenticator(opener: IdleOpener(), environment: environment, clock: clock)
        }

        func deliver(_ callback: String) async throws -> CallbackDelivery.Outcome {
            try await CallbackDelivery(environment: environment).deliver(Secret(callback))
        }

        /// Delivers a callback, and retries until a sign-in is waiting, because the handler may be faster than the page.
        func delivered(_ callback: String) async throws -> CallbackDelivery.Outcome {
            while true {
                let outcome = try await deliver(callback)
                if outcome != .nobodyWaits { return outcome }
                await Task.yield()
            }
        }

        var sockets: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/run/authhub") }
        }
    }

    private static let method = CallbackMethod.customScheme("com.example.app")

    private static func request(state: String, timeout: Duration = .seconds(300)) -> WebAuthenticationRequest {
        WebAuthenticationRequest(url: "https://as.example/authorize", timeout: timeout) { $0.url.reveal().hasSuffix("state=\(state)") }
    }

    @Test func `delivers a callback to the sign-in that waits, and its handler learns the outcome`() async throws {
        let desktop = try Desktop()
        let attempt = try await desktop.browser().prepare(Self.method)
        #expect(attempt.redirectURI == "com.example.app:/callback")
        async let received = attempt.authenticate(Self.request(state: "s"))
        async let outcome = desktop.delivered("com.example.app:/callback?code=c&state=s")
        let callback = try await received
        #expect(callback.callback.url.reveal() == "com.example.app:/callback?code=c&state=s")
        await callback.conclude(.failed("the server refused"))
        #expect(try await outcome == .concluded(.failed("the server refused")))
        #expect(try desktop.sockets == [])
    }

    @Test(arguments: [
        "com.example.app:/callback?code=c&state=wrong", "com.example.app:/callback2?code=c&state=s", "com.example.app2:/callback?state=s",
        "com.example.app://callback?code=c&state=s", "https://as.example/callback?state=s", "", "com.example.app:/callback?state=s\nx",
    ])
    func `AR01, AR48 a URL that is not the callback reaches no sign-in, which goes on waiting`(_ stray: String) async throws {
        let desktop = try Desktop()
        let attempt = try await desktop.browser().prepare(Self.method)
        async let received = attempt.authenticate(Self.request(state: "s"))
        #expect(try await desktop.deliver(stray) == .nobodyWaits)
        async let outcome = desktop.delivered("com.example.app:/callback?code=c&state=s")
        await (try received).conclude(.signedIn)
        #expect(try await outcome == .concluded(.signedIn))
    }

    @Test func `two concurrent sign-ins each get their own callback, in either order`() async throws {
        let desktop = try Desktop()
        let browser = desktop.browser()
        let first = try await browser.prepare(Self.method)
        let second = try await browser.prepare(Self.method)
        async let one = first.authenticate(Self.request(state: "1"))
        async let two = second.authenticate(Self.request(state: "2"))
        async let outcomeOfTwo = desktop.delivered("com.example.app:/callback?code=b&state=2")
        async let outcomeOfOne = desktop.delivered("com.example.app:/callback?code=a&state=1")
        let (callbackOne, callbackTwo) = try await (one, two)
        #expect(callbackOne.callback.url.reveal().contains("code=a"))
        #expect(callbackTwo.callback.url.reveal().contains("code=b"))
        await callbackOne.conclude(.signedIn)
        await callbackTwo.conclude(.failed("no"))
        #expect(try await outcomeOfOne == .concluded(.signedIn))
        #expect(try await outcomeOfTwo == .concluded(.failed("no")))
    }

    @Test func `AR65 waiting sign-ins report a response that none accepts, and not one that another accepts`() async throws {
        let desktop = try Desktop()
        let shown = AsyncStream.makeStream(of: Void.self)
        let browser = BrowserAuthenticator(
            opener: IdleOpener(), environment: desktop.environment, onShow: { _ in shown.continuation.yield() })
        let told = AsyncStream.makeStream(of: Int.self)
        var request = Self.request(state: "1")
        request.onIgnored = { told.continuation.yield($0.foreignResponses) }
        let first = try await browser.prepare(Self.method)
        let second = try await browser.prepare(Self.method)
        async let one = first.authenticate(request)
        async let two = second.authenticate(Self.request(state: "2"))
        var pages = shown.stream.makeAsyncIterator()
        for _ in 0..<2 { await pages.next() }
        async let outcomeOfTwo = desktop.deliver("com.example.app:/callback?code=b&state=2")
        await (try two).conclude(.signedIn)
        #expect(try await outcomeOfTwo == .concluded(.signedIn))
        for stray in ["com.example.app:/callback?code=b&state=3", "com.example.app:/other?state=1"] {
            #expect(try await desktop.deliver(stray) == .nobodyWaits)
        }
        async let outcomeOfOne = desktop.deliver("com.example.app:/callback?code=a&state=1")
        await (try one).conclude(.signedIn)
        #expect(try await outcomeOfOne == .concluded(.signedIn))
        told.continuation.finish()
        #expect(await told.stream.reduce(into: []) { $0.append($1) } == [1])
    }

    @Test func `AR49: a callback that no sign-in waits for reaches none, and the remains of a killed process are removed`() async throws {
        let desktop = try Desktop()
        let attempt = try await desktop.browser().prepare(Self.method)
        await attempt.close()
        #expect(try desktop.sockets == [])
        try "".write(toFile: "\(desktop.folder.path)/run/authhub/1-x.callback", atomically: false, encoding: .utf8)
        #expect(try await desktop.deliver("com.example.app:/callback?code=c&state=s") == .nobodyWaits)
        #expect(try desktop.sockets == [])
    }

    @Test func `a cancelled or finished sign-in leaves no socket`() async throws {
        let desktop = try Desktop()
        let clock = TestClock()
        let attempt = try await desktop.browser(clock: clock).prepare(Self.method)
        let waiting = Task { try await attempt.authenticate(Self.request(state: "s", timeout: .seconds(60))) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(61))
        #expect(await waiting.result.webAuthenticationCode == .timedOut)
        #expect(try desktop.sockets == [])
    }

    /// Creates a socket that accepts connections but never responds, like that of a stopped process.
    private func stoppedSignIn(in desktop: Desktop, name: String) throws -> StoppedSignIn {
        _ = try CallbackFolder(environment: desktop.environment)
        return try StoppedSignIn("\(desktop.folder.path)/run/authhub/\(name).callback")
    }

    @Test(.timeLimit(.minutes(15))) func `a stopped sign-in does not keep a callback from another one`() async throws {
        let desktop = try Desktop()
        let stopped = try (0..<3).map { try stoppedSignIn(in: desktop, name: "0-\($0)") }
        let waits = AsyncStream.makeStream(of: Void.self)
        let browser = BrowserAuthenticator(
            opener: IdleOpener(), environment: desktop.environment, onShow: { _ in waits.continuation.finish() })
        let attempt = try await browser.prepare(Self.method)
        async let received = attempt.authenticate(Self.request(state: "s"))
        for await _ in waits.stream {}
        async let outcome = desktop.deliver("com.example.app:/callback?code=c&state=s")
        await (try received).conclude(.signedIn)
        #expect(try await outcome == .concluded(.signedIn))
        withExtendedLifetime(stopped) {}
    }

    @Test(.timeLimit(.minutes(15))) func `a cancelled handler does not wait for a response`() async throws {
        let desktop = try Desktop()
        let stopped = try stoppedSignIn(in: desktop, name: "0-0")
        let delivery = Task { try await desktop.deliver("com.example.app:/callback?code=c&state=s") }
        await stopped.untilAsked()
        delivery.cancel()
        #expect(try await delivery.value == .undecided)
    }

    @Test func `a callback whose outcome is never reported leaves no socket`() async throws {
        let desktop = try Desktop()
        let clock = TestClock()
        let attempt = try await desktop.browser(clock: clock).prepare(Self.method)
        async let received = attempt.authenticate(Self.request(state: "s"))
        async let outcome = desktop.delivered("com.example.app:/callback?code=c&state=s")
        let callback = try await received
        while try desktop.sockets != [] {
            clock.advance(by: CallbackMailbox.conclusionTime)
            await Task.yield()
        }
        #expect(try await outcome == .undecided)
        await callback.conclude(.signedIn)
    }

    @Test func `does not use a folder that others can enter`() async throws {
        let desktop = try Desktop()
        try FileManager.default.createDirectory(atPath: "\(desktop.folder.path)/run/authhub", withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(desktop.folder.path)/run/authhub")
        let error = await #expect(throws: WebAuthenticationError.self) { _ = try await desktop.browser().prepare(Self.method) }
        #expect(error?.code == .cannotReceive)
        #expect(error?.explanation?.hasSuffix("only you can access: run: chmod 700 \(desktop.folder.path)/run/authhub") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(desktop.folder.path)/run/authhub")
        await (try desktop.browser().prepare(Self.method)).close()
    }

    @Test func `does not use anything else in the folder's place, and the advice quotes its path for the shell`() throws {
        let desktop = try Desktop()
        let run = "\(desktop.folder.path)/it's run"
        try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
        try "".write(toFile: "\(run)/authhub", atomically: false, encoding: .utf8)
        let error = #expect(throws: WebAuthenticationError.self) { _ = try CallbackFolder(environment: ["XDG_RUNTIME_DIR": run]) }
        let path = "\(run)/authhub"
        #expect(
            error?.explanation?.hasSuffix("run: mv \(path.shellWord) \("\(path).old".shellWord)") == true, "\(String(describing: error))")
    }

    @Test func `AR60: does not use a folder whose owner may be another user`() throws {
        let desktop = try Desktop()
        var information = stat()
        try #require(lstat(desktop.folder.path, &information) == 0)
        let ambiguous = UserNamespace(map: "\(geteuid()) 1000 1", overflowID: "\(geteuid())")
        #expect(CallbackFolder.problem(of: "/folder", information, in: ambiguous)?.contains("represents every user") == true)
    }

    @Test func `rejects a scheme that does not lead here before anything is shown`() async throws {
        let desktop = try Desktop()
        let error = await #expect(throws: WebAuthenticationError.self) {
            _ = try await desktop.browser().prepare(.customScheme("com.example.other"))
        }
        #expect(error?.code == .cannotReceive)
        #expect(error?.explanation?.contains("no program is registered for the scheme") == true)
    }
}

extension Result where Failure == any Error {
    var webAuthenticationCode: WebAuthenticationError.Code? {
        if case .failure(let error as WebAuthenticationError) = self { error.code } else { nil }
    }
}
