import AuthHub
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import InMemoryLogging
import Logging
import OAuthProtocol
import Testing
import WebAuthentication

/// Runs the code of the guide "Signing in and staying signed in" unchanged.
struct StayingSignedInTests {
    private let setting = SessionSetting()
    private let screen = Screen()

    @Test func `a session is made of five things, and has done nothing yet`() throws {
        // snippet: session-make
        let session = OAuthSession(
            server: .issuer(try Issuer("https://login.example")),
            client: OAuthClient(id: "notes"),
            scope: ["openid", "notes.read"],
            browser: .system(),
            store: try .platformDefault(service: "com.example.notes"))
        // end
        #expect(session.state == .unknown)
        #expect(session.account.label == "default")
    }

    @Test func `a request on demand signs in, and the next one has the token`() async throws {
        let session = setting.session()
        // snippet: session-load
        let response = try await session.load(.get("https://api.example/notes"))
        // end
        #expect(response.status == .ok)
        #expect(try await session.load(.get("https://api.example/notes")).status == .ok)
        #expect(setting.browser.visitedURLs.count == 1)
        #expect(setting.server.tokenRequests == ["authorization_code"])
    }

    @Test func `a sign-in with options`() async throws {
        let session = setting.session()
        // snippet: session-sign-in-options
        try await session.signIn(SignInOptions(loginHint: "mona@example.com", prompt: "login", maximumAge: 300))
        // end
        let page = try #require(setting.browser.visitedURLs.first)
        #expect(["login_hint", "prompt", "max_age"].map { parameter($0, of: page) } == ["mona@example.com", "login", "300"])
    }

    @Test func `a reset of a chain of one's own signs out where that is wanted`() async throws {
        let (session, transport) = (try await setting.signedIn(), setting.server)
        // snippet: session-chain-reset
        let chain = try Chain(transport: transport) {
            RedirectLoader()
            AuthorizeLoader(session.authorizer(onReset: .signOut))
        }
        _ = try await chain.load(.get("https://api.example/notes"))
        await chain.reset()  // This also signs out, and `session.signOut()` also resets the chain.
        // end
        #expect(session.state == .signedOut)
    }

    @Test func `requests to the authorization server are logged, and no secret is in the log`() async throws {
        let logs = InMemoryLogHandler()
        let (transport, logger) = (setting.server, Logger(label: "test") { _ in logs })
        // snippet: session-server-loaders
        var dependencies = Dependencies(transport: transport)
        dependencies.serverLoaders = [
            ModifyLoader(addingMissing: [.userAgent: "notes/1.0"]),
            TraceLoader(),
            LogLoader(logger),
        ]
        // end
        let session = OAuthSession(
            server: SessionSetting.profile, client: OAuthClient(id: "client"), browser: setting.browser, store: setting.store,
            dependencies: dependencies)
        try await session.signIn()
        let said = logs.entries.map { "\($0)" }.joined(separator: "\n")
        #expect(said.contains("as.example"))
        #expect(!["c0de", "access-1", "refresh-1"].contains { said.contains($0) })
    }

    @Test func `a manual session asks when the program says so`() async throws {
        let (server, client, browser, store) = (SessionSetting.profile, OAuthClient(id: "client"), setting.browser, setting.store)
        let dependencies = Dependencies(transport: setting.server) { start }
        // snippet: session-manual
        var configuration = OAuthSession.Configuration(
            server: server, client: client, grant: .authorizationCode(browser), store: store, dependencies: dependencies)
        configuration.prompting = .manual
        let session = OAuthSession(configuration)

        if try await session.restore().isSignedOut {
            screen.show("Sign in")
        }
        // end
        #expect(screen.texts == ["Sign in"])
        await #expect(throws: LoadError.self) { try await session.load(.get("https://api.example/notes")) }
        #expect(setting.browser.visitedURLs.isEmpty)
        try await session.signIn()
        #expect(try await session.load(.get("https://api.example/notes")).status == .ok)
        #expect(setting.browser.visitedURLs.count == 1)
    }

    @Test func `the states are what people are shown`() async throws {
        let session = setting.session(.manual)
        try await session.restore()
        let rendering = Task { [screen] in
            // snippet: session-states
            for await state in session.states {
                switch state {
                case .signedIn(let facts) where facts.problem?.whoHasToAct == .network:
                    screen.show("Your notes, as they were when you were online")
                case .signedIn(let facts):
                    screen.show(facts.scope.contains("write") ? "Your notes" : "Your notes, to read only")
                case .signedOut(let problem?):
                    screen.show("Sign in again: \(problem.explanation)")
                case .signedOut:
                    screen.show("Sign in")
                case .unknown, .loading, .signingIn, .exchanging, .signingOut:
                    screen.show("A moment …")
                }
            }
            // end
        }
        await screen.untilShown("Sign in")
        try await session.signIn()
        await screen.untilShown("Your notes, to read only")
        setting.server.configure { $0.atToken = { _ throws(LoadError) in throw LoadError(.cannotConnect) } }
        await #expect(throws: SessionError.self) { try await session.refresh() }
        await screen.untilShown("Your notes, as they were when you were online")
        #expect(!session.state.isSignedOut)
        await session.signOut()
        await screen.untilShown("Sign in", count: 2)
        #expect(session.state.isSignedOut)
        rendering.cancel()
        await rendering.value
    }

    @Test(arguments: [
        (ScriptedBrowser.Visit.cancelled, []),
        (.failure(WebAuthenticationError(.timedOut)), ["Please sign in"]),
        (.failure(WebAuthenticationError(.cannotShow, underlying: LoadError(.cannotConnect))), ["Try again when you are online"]),
        (.failure(WebAuthenticationError(.cannotShow, "there is no browser")), ["This cannot work: there is no browser"]),
    ])
    func `an error says who has to act`(visit: ScriptedBrowser.Visit, expected: [String]) async {
        let setting = SessionSetting { _ in visit }
        let session = setting.session()
        // snippet: session-errors
        do {
            try await session.signIn()
        } catch {
            switch error.whoHasToAct {
            case .user where error.code == .cancelledByUser: break  // The user knows.
            case .user: screen.show("Please sign in")
            case .network: screen.show("Try again when you are online")
            case .server: screen.show("The server refuses: \(error.explanation)")
            case .store: screen.show("Your sign-in cannot be kept: \(error.explanation)")
            case .program: screen.show("This cannot work: \(error.explanation)")
            }
        }
        // end
        #expect(screen.texts == expected)
    }

    @Test func `a load that needs the person says so`() async throws {
        let session = setting.session(.manual)
        // snippet: session-load-errors
        do {
            let response = try await session.load(.get("https://api.example/notes"))
            screen.show("\(response.status.code)")
        } catch {
            if let reason = error.underlying as? SessionError, reason.code == .signInNeeded {
                screen.show("Sign in")
            } else {
                screen.show("Try again: \(error)")
            }
        }
        // end
        #expect(screen.texts == ["Sign in"])
    }

    @Test func `what a token lacks is asked for when the person agrees`() async throws {
        let session = try await setting.signedIn()
        setting.server.configure {
            $0.apiAnswer = { authorization in
                guard authorization == "Bearer access-1" else { return nil }
                let challenge = #"Bearer error="insufficient_scope", scope="write""#
                return LoadResponse(HTTPResponse(status: .forbidden, headerFields: [.wwwAuthenticate: challenge]), body: .empty)
            }
        }
        // snippet: session-need
        var response = try await session.load(.get("https://api.example/drafts"))
        if let need = response.stepUpRequirement, screen.agrees(to: "write your notes, too") {
            try await session.stepUp(need)
            response = try await session.load(.get("https://api.example/drafts"))
        }
        // end
        #expect(response.status == .ok)
        #expect(screen.texts == ["write your notes, too"])
        #expect(parameter("scope", of: setting.browser.visitedURLs.last ?? "") == "read write")
    }

    @Test func `a session that is made after a restart finishes the sign-in`() async throws {
        let gate = Gate()
        let setting = SessionSetting { url in
            await gate.pass()
            return await consenting(url)
        }
        let first = setting.session()
        let signIn = Task { try await first.signIn() }
        await gate.untilReached()
        guard case .callback(let callback) = await consenting(try #require(setting.browser.visitedURLs.first)) else {
            Issue.record("the person did not consent")
            return
        }
        let session = setting.session()
        // snippet: session-finish
        try await session.finishSignIn(with: callback)
        // end
        #expect(try await session.accessToken().value.reveal() == "access-1")
        let failure = await #expect(throws: SessionError.self) { try await session.finishSignIn(with: callback) }
        #expect(failure?.code == .securityCheckFailed)
        signIn.cancel()
        gate.open()
        _ = await signIn.result
    }

    @Test func `programs that share a store share the sign-in and each refresh`() async throws {
        let (server, client, browser, store) = (SessionSetting.profile, OAuthClient(id: "client"), setting.browser, setting.store)
        let dependencies = Dependencies(transport: setting.server) { start }
        // snippet: session-shared
        let app = OAuthSession(server: server, client: client, browser: browser, store: store, dependencies: dependencies)
        try await app.signIn()

        // Another program, at another time, with the same server, client ID and label.
        var configuration = OAuthSession.Configuration(
            server: server, client: client, grant: .authorizationCode(browser), store: store, dependencies: dependencies)
        configuration.prompting = .manual
        let service = OAuthSession(configuration)
        let response = try await service.load(.get("https://api.example/notes"))
        // end
        #expect(response.status == .ok)
        #expect(setting.browser.visitedURLs.count == 1)
        try await app.refresh()
        try await service.refresh()
        #expect(!setting.server.familyIsRevoked)
        #expect(try await service.load(.get("https://api.example/notes")).status == .ok)
        await app.signOut()
        let failure = await #expect(throws: SessionError.self) { try await service.refresh() }
        #expect(failure?.code == .signInNeeded)
        #expect(service.state == .signedOut)
    }

    @Test func `labels are accounts of their own`() async throws {
        let (server, client, browser, store) = (SessionSetting.profile, OAuthClient(id: "client"), setting.browser, setting.store)
        let dependencies = Dependencies(transport: setting.server) { start }
        for label in ["work", "home"] {
            let session = OAuthSession(
                OAuthSession.Configuration(
                    server: server, client: client, grant: .authorizationCode(browser), store: store, dependencies: dependencies),
                label: label)
            try await session.signIn()
        }
        let labels = try await store.accounts().map(\.label)
        #expect(labels.sorted() == ["home", "work"])
        #expect(setting.browser.visitedURLs.count == 2)
    }

    @Test func `a chain of one's own takes the token along`() async throws {
        let session = try await setting.signedIn(.manual)
        let transport = setting.server
        setting.server.endAccessTokens()
        // snippet: session-chain
        let chain = try Chain(transport: transport) {
            DeadlineLoader(.seconds(30))
            RetryLoader()
            RedirectLoader()
            AuthorizeLoader(session.authorizer)
        }
        let response = try await chain.load(.get("https://api.example/notes"))
        // end
        #expect(response.status == .ok)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        _ = try await chain.load(.get("https://elsewhere.example/"))
        #expect(setting.server.apiRequests.last?.authorization == nil)
    }

    @Test func `a token is handed out to those who answer for it`() async throws {
        let session = try await setting.signedIn(.manual)
        setting.advance(by: 3300)
        // snippet: session-token
        let token = try await session.accessToken(minimumLifetime: .seconds(600))
        let field = "\(token.type.rawValue) \(token.value.reveal())"
        // end
        #expect(field == "Bearer access-2")
        #expect(!"\(token)".contains("access-2"))
    }

    @Test func `a sign-out reports what became of the tokens`() async throws {
        let session = try await setting.signedIn(.manual)
        // snippet: session-sign-out
        let report = await session.signOut()
        if let problem = report.problem {
            screen.show("You are still signed in: \(problem.explanation)")
        } else if case .failed(let error) = report.revocation {
            screen.show("You are signed out here. The server could not be told: \(error.explanation)")
        } else {
            screen.show("You are signed out")
        }
        // end
        #expect(screen.texts == ["You are signed out"])
        #expect(session.state == .signedOut)
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
    }

    @Test func `a sign-out ends the browser's session at the server where that is asked for`() async throws {
        var profile = SessionSetting.profile
        profile.endpoints?.endSession = "https://as.example/logout"
        let setting = ObservedSetting(
            person: { url in
                url.contains("/logout?") ? .failure(WebAuthenticationError(.timedOut, "nobody was there")) : await consenting(url)
            }, profile: profile)
        let session = setting.session
        try await session.signIn()
        // snippet: session-end-server
        let report = await session.signOut(endingServerSession: true)
        if case .failed(let error) = report.serverSession {
            screen.show("The browser may still be signed in: \(error.explanation)")
        }
        // end
        #expect(screen.texts == ["The browser may still be signed in: nobody was there"])
        #expect(report.isSignedOut)
    }

    @Test func `a program waits for what is under way before it exits`() async throws {
        let gate = Gate()
        let session = try await setting.signedIn(.manual)
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let refreshing = Task { try await session.refresh() }
        await gate.untilReached()
        refreshing.cancel()
        await #expect(throws: SessionError.self) { try await refreshing.value }
        gate.open()
        await session.finish()
        #expect(try await setting.session(.manual).accessToken().value.reveal() == "access-2")
    }

    /// Compiled but not run, because it would open a browser.
    private func overview(secret: Secret<String>) async throws {
        // snippet: session-overview
        let session = OAuthSession(
            server: .gitHubApp,
            client: .init(id: "Iv23…", secret: secret),
            browser: .system(),
            store: try .platformDefault(service: "com.example.app"))
        let repositories = try await session.load(.get("https://api.github.com/user/repos"))
        // end
        _ = repositories
    }
}
