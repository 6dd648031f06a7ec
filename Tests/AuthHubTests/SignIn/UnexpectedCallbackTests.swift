import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Platform
import Synchronization
import Testing

@testable import WebAuthentication

/// Responses that do not belong to the sign-in. If other programs can send responses, the sign-in keeps waiting and reports the response;
/// otherwise, it ends immediately.
@Suite(.timeLimit(.minutes(15)))
struct UnexpectedCallbackTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The text after the redirect URI; the argument is the sign-in's state.
        let rest: @Sendable (String) -> String
        /// Whether the response has the `state` of the sign-in. It is then checked, and always ends the sign-in.
        var isOwn = false
    }

    static let kinds = [
        Kind(testDescription: "AR03 a wrong state", rest: { "?code=c0de&state=x\($0)" }),
        Kind(testDescription: "AR02 no state", rest: { _ in "?code=c0de" }),
        Kind(testDescription: "AR28 the code in the fragment", rest: { "#code=c0de&state=\($0)" }),
        Kind(testDescription: "AR29 a token in the query", rest: { _ in "?access_token=c0de&token_type=Bearer&state=wrong" }),
        Kind(
            testDescription: "AR29 a token in the query, with the right state", rest: { "?access_token=c0de&state=\($0)" }, isOwn: true),
        Kind(testDescription: "AR14 an error with a wrong state", rest: { _ in "?error=access_denied&error_description=c0de&state=wrong" }),
        Kind(testDescription: "nothing at all", rest: { _ in "" }),
    ]

    static let ignored = "a response that does not belong to this sign-in arrived and was ignored"

    @Test(arguments: kinds, Receiver.allCases)
    func `AR65 reports a foreign response at once, and a sign-in that received one never just times out`(kind: Kind, at receiver: Receiver)
        async throws
    {
        try await Stage.using(receiver) { stage in
            let session = stage.session
            let (signIn, page) = try await stage.signIn()
            let callback = page.redirectURI + kind.rest(page.state)
            try await stage.deliver(callback)
            if !kind.isOwn, receiver != .ownBrowser {
                #expect(await notice(of: session) == Self.ignored)
                try await stage.deliver(callback)
                await stage.clock.untilAsleep()
                stage.clock.advance(by: .seconds(300))
            }
            let error = await #expect(throws: SessionError.self) { try await signIn.value }
            #expect(error?.code == .securityCheckFailed)
            #expect(error?.explanation.contains("c0de") == false)
            if !kind.isOwn, receiver != .ownBrowser {
                #expect(
                    error?.explanation.hasSuffix("; 2 responses that do not belong to this sign-in arrived and were ignored") == true,
                    "\(String(describing: error))")
            }
            #expect(stage.server.tokenRequests.isEmpty)
        }
    }

    @Test(arguments: [Receiver.loopback, .folder])
    func `AR65 accepts the sign-in's own callback after a foreign one`(receiver: Receiver) async throws {
        try await Stage.using(receiver) { stage in
            let session = stage.session
            let (signIn, page) = try await stage.signIn()
            try await stage.deliver(page.redirectURI + "?code=theirs&state=wrong")
            #expect(await notice(of: session) == Self.ignored)
            async let delivery: Void = stage.deliver(page.redirectURI + "?code=c0de&state=\(page.state)")
            try await signIn.value
            try await delivery
            guard case .signedIn = session.state else {
                Issue.record("\(session.state)")
                return
            }
        }
    }

    @Test func `AR65 a cancelled sign-in fails with a security error, and the next one starts without it`() async throws {
        try await Stage.using(.loopback) { stage in
            let session = stage.session
            try await session.restore()
            let (abandoned, page) = try await stage.signIn()
            try await stage.deliver(page.redirectURI + "?code=c&state=wrong")
            #expect(await notice(of: session) == Self.ignored)
            abandoned.cancel()
            let error = await #expect(throws: SessionError.self) { try await abandoned.value }
            #expect(error?.code == .securityCheckFailed)
            #expect(error?.explanation == "the sign-in was cancelled; \(Self.ignored)")
            for await case .signedOut(let problem?) in session.states {
                #expect(problem.code == .securityCheckFailed)
                break
            }

            let (next, second) = try await stage.signIn()
            #expect(session.state == .signingIn)
            async let delivery: Void = stage.deliver(second.redirectURI + "?code=c0de&state=\(second.state)")
            try await next.value
            try await delivery
        }
    }

    @Test func `AR65 a sign-in requested while an abandoned one ends does not report the foreign responses to that one`() async throws {
        try await Stage.using(.loopback) { stage in
            let session = stage.session
            let (abandoned, page) = try await stage.signIn()
            try await stage.deliver(page.redirectURI + "?code=c&state=wrong")
            #expect(await notice(of: session) == Self.ignored)
            abandoned.cancel()
            await #expect(throws: SessionError.self) { try await abandoned.value }
            let (next, second) = try await stage.signIn()
            async let delivery: Void = stage.deliver(second.redirectURI + "?code=c0de&state=\(second.state)")
            try await next.value
            try await delivery
        }
    }

    @Test func `AR66 shows the page again at another URL while it is waiting`() async throws {
        try await Stage.using(.loopback) { stage in
            let session = stage.session
            try await session.showSignInPageAgain()
            let (signIn, page) = try await stage.signIn()
            var opened = stage.opened.makeAsyncIterator()
            let first = try #require(await opened.next())
            try await session.showSignInPageAgain()
            let second = try #require(await opened.next())
            #expect(first != second)
            #expect(first.contains("/start/") && second.contains("/start/"))
            async let delivery: Void = stage.deliver(page.redirectURI + "?code=c0de&state=\(page.state)")
            try await signIn.value
            try await delivery
            try await session.showSignInPageAgain()
            stage.endOpening()
            #expect(await opened.next() == nil)
        }
    }

    private func notice(of session: OAuthSession) async -> String? {
        for await case .signingIn(let notice?) in session.states { return notice.explanation }
        return nil
    }
}

extension UnexpectedCallbackTests {
    enum Receiver: CaseIterable, Sendable {
        /// A port of 127.0.0.1.
        case loopback
        /// A separate browser process of the app, which delivers callbacks itself.
        case ownBrowser
        /// The folder in which handlers of a custom scheme find pending sign-ins.
        case folder
    }

    /// A session, and what its browser can do.
    struct Stage: Sendable {
        let clock = TestClock()
        let server = RotatingServer()
        let session: OAuthSession
        private let receiver: Receiver
        private let pages = Pages()
        private let opening = AsyncStream.makeStream(of: String.self)
        private let ownBrowser: OwnBrowser
        private let environment: [String: String]

        static func using(_ receiver: Receiver, _ body: (Stage) async throws -> Void) async throws {
            // Short, because the path of a socket has at most 107 bytes.
            let folder = FileManager.default.temporaryDirectory.appending(path: "authhub-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            try await body(try Stage(receiver, in: folder.path))
        }

        private init(_ receiver: Receiver, in folder: String) throws {
            self.receiver = receiver
            environment = ["HOME": folder, "XDG_RUNTIME_DIR": folder, "PATH": "/usr/bin:/bin"]
            ownBrowser = OwnBrowser(clock: clock)
            let scheme = "com.example.app"
            if receiver == .folder {
                try CustomSchemeHandler(scheme: scheme, environment: environment).register(command: ["/bin/true"], name: "Example")
            }
            let opener: any PageOpener = receiver == .ownBrowser ? ownBrowser : Opener(opened: opening.continuation)
            var configuration = OAuthSession.Configuration(
                server: SessionSetting.profile,
                client: OAuthClient(id: "client", redirectURI: receiver == .loopback ? .loopback : .customScheme(scheme)),
                grant: .authorizationCode(
                    BrowserAuthenticator(
                        opener: opener, environment: environment, clock: clock, onShow: { [pages] in pages.show($0) })),
                store: MemoryCredentialStore(), dependencies: Dependencies(transport: server) { start })
            configuration.prompting = .manual
            session = OAuthSession(configuration)
        }

        /// The URLs that the browser was opened with.
        var opened: AsyncStream<String> { opening.stream }

        func endOpening() { opening.continuation.finish() }

        /// Starts a sign-in, and waits for its page.
        ///
        /// - Throws: The error of the sign-in if it ends without a page.
        func signIn() async throws -> (task: Task<Void, any Error>, page: (redirectURI: String, state: String)) {
            let page = pages.next()
            let task = Task { [session] in
                defer { page.open(nil) }
                try await session.signIn()
            }
            guard let end = await page.wait(), let url = end else {
                task.cancel()
                try await task.value
                throw NoPage()
            }
            return (task, (parameter("redirect_uri", of: url), parameter("state", of: url)))
        }

        private struct NoPage: Error {}

        /// Delivers a response in the same way as a browser that was redirected to it.
        func deliver(_ callback: String) async throws {
            switch receiver {
            case .loopback:
                // Browsers do not send the fragment.
                let target = String(callback.prefix { $0 != "#" })
                _ = try await NetworkTransport.shared.send(.get(target)).body.collect(upTo: 1 << 20)
            case .ownBrowser: try ownBrowser.deliver(callback)
            case .folder: _ = try await CallbackDelivery(environment: environment).deliver(Secret(callback))
            }
        }
    }

    /// The page of the sign-in that was started last; nil if the sign-in ended without one.
    private final class Pages: Sendable {
        private let current = Mutex(Latch<String?>())

        func next() -> Latch<String?> {
            let page = Latch<String?>()
            current.withLock { $0 = page }
            return page
        }

        func show(_ url: String) { current.withLock { $0 }.open(url) }
    }

    private struct Opener: PageOpener {
        let opened: AsyncStream<String>.Continuation

        func open(_ url: String) async { opened.yield(url) }
    }

    private final class OwnBrowser: CapturingBrowser {
        private struct Tab: CallbackBearer {
            func answer(_ page: ResultPage) {}
        }

        private let clock: TestClock
        private let captured = Mutex<CapturedCallbacks?>(nil)

        init(clock: TestClock) {
            self.clock = clock
        }

        var capabilities: WebAuthenticationCapabilities { .init(callbacks: [.customScheme], knowsCancel: true, isEphemeral: true) }

        func capture(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> Capture {
            let callbacks = CapturedCallbacks(address: try CallbackAddress(callback), clock: clock)
            captured.withLock { $0 = callbacks }
            return Capture(receiver: callbacks, opener: self)
        }

        func open(_ url: String) async {}

        func deliver(_ url: String) throws {
            let callbacks = try #require(captured.withLock { $0 })
            callbacks.arrived(try #require(callbacks.address.callback(in: url)), from: Tab())
        }
    }
}
