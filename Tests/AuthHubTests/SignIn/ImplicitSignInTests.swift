import AniListAPI
import AsyncHTTPClientTransport
import AuthHubPrimitives
import AuthHubTesting
import HeadlessBrowsing
import CredentialStorage
import DevelopmentServer
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Testing
import WebAuthentication

@testable import AuthHub

/// Sign-ins whose callback contains the tokens.
struct ImplicitSignInTests {
    private static let redirectURI = "http://127.0.0.1:49152/callback"

    private static let profile: ProviderProfile = {
        var profile = SessionSetting.profile
        profile.quirks.authorizationResponses.responseType = .token
        return profile
    }()

    @Sendable private static func allowing(_ url: String) async -> ScriptedBrowser.Visit {
        .callback("\(redirectURI)#access_token=t1&token_type=Bearer&expires_in=3600&state=\(parameter("state", of: url))")
    }

    private static func session(
        _ profile: ProviderProfile = profile, redirectURI: RedirectURI = .loopback, store: any CredentialStore = MemoryCredentialStore(),
        at date: Date = start, prompting: SignInPrompting = .onDemand,
        person: @escaping @Sendable (String) async -> ScriptedBrowser.Visit
    ) -> (OAuthSession, ScriptedBrowser) {
        let browser = ScriptedBrowser(redirectURI: redirectURI == .loopback ? Self.redirectURI : redirectURI.description, visit: person)
        var configuration = OAuthSession.Configuration(
            server: profile, client: OAuthClient(id: "client", redirectURI: redirectURI), scope: ["read"],
            grant: .authorizationCode(browser), store: store, dependencies: Dependencies(transport: ScriptedTransport([])) { date })
        configuration.prompting = prompting
        let session = OAuthSession(configuration)
        return (session, browser)
    }

    @Test func `stores the token and its expiry, and sends no request for them`() async throws {
        let store = MemoryCredentialStore()
        let (session, browser) = Self.session(store: store, person: Self.allowing)
        #expect(try await session.accessToken().value.reveal() == "t1")
        let (credential, _) = try #require(try await store.credential(of: session.account))
        #expect(credential.expiresAt == start.addingTimeInterval(3600))
        #expect(credential.refreshToken == nil && credential.scope == ["read"])
        #expect(browser.pages == [.signedIn])
        #expect(try await store.read(session.account.signIns) == nil)

        let (later, page) = Self.session(store: store, at: start.addingTimeInterval(1800)) { _ in .cancelled }
        #expect(try await later.accessToken().value.reveal() == "t1")
        #expect(page.visitedURLs.isEmpty)
    }

    @Test func `the user signs in again when the token expires, because there is no refresh token`() async throws {
        let store = MemoryCredentialStore()
        try await Self.session(store: store, person: Self.allowing).0.signIn()
        let ended = start.addingTimeInterval(3601)
        let (silent, _) = Self.session(store: store, at: ended, prompting: .manual) { _ in .cancelled }
        let failure = await #expect(throws: SessionError.self) { try await silent.accessToken() }
        #expect(failure?.code == .signInNeeded)
        #expect(failure?.explanation.contains("the sign-in has expired") == true)

        let (session, browser) = Self.session(store: store, at: ended) { url in
            .callback("\(Self.redirectURI)#access_token=t2&token_type=Bearer&expires_in=3600&state=\(parameter("state", of: url))")
        }
        #expect(try await session.accessToken().value.reveal() == "t2")
        #expect(browser.visitedURLs.count == 1)
    }

    @Test func `accepts a callback with tokens in another process, too`() async throws {
        let store = MemoryCredentialStore()
        let gate = Gate()
        let (session, browser) = Self.session(store: store) { url in
            await gate.pass()
            return await Self.allowing(url)
        }
        let first = Task { try? await session.signIn() }
        await gate.untilReached()
        guard case .callback(let callback) = await Self.allowing(try #require(browser.visitedURLs.first)) else { return }
        let (other, page) = Self.session(store: store, prompting: .manual) { _ in .cancelled }
        try await other.finishSignIn(with: callback)
        #expect(try await other.accessToken().value.reveal() == "t1")
        #expect(page.visitedURLs.isEmpty)
        let again = await #expect(throws: SessionError.self) { try await other.finishSignIn(with: callback) }
        #expect(again?.code == .securityCheckFailed)
        gate.open()
        await first.value
    }

    @Test(arguments: [
        ("#access_token=t&token_type=Bearer&state=wrong", SessionError.Code.securityCheckFailed),
        ("?access_token=t&token_type=Bearer&state=STATE", .securityCheckFailed),
        ("#token_type=Bearer&state=STATE", .serverMisbehaved), ("#error=access_denied&state=STATE", .denied),
        ("#access_token=t&token_type=Bearer&code=c&state=STATE", .securityCheckFailed),
    ])
    func `a callback without a valid token fails the sign-in with its own error, and nothing is stored`(
        callback: String, code: SessionError.Code
    )
        async throws
    {
        let store = MemoryCredentialStore()
        let (session, _) = Self.session(store: store) { url in
            .callback(Self.redirectURI + callback.replacing("STATE", with: parameter("state", of: url)))
        }
        let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(failure?.code == code)
        #expect(try await store.accounts().isEmpty)
    }

    @Test func `checks a form that the browser posts like any other callback`() async throws {
        var profile = Self.profile
        profile.quirks.authorizationResponses.responseMode = .formPost
        let (session, browser) = Self.session(profile) { url in
            .form("access_token=t1&token_type=Bearer&state=\(parameter("state", of: url))")
        }
        #expect(try await session.accessToken().value.reveal() == "t1")
        #expect(browser.visitedURLs.first.map { parameter("response_mode", of: $0) } == "form_post")
    }

    @Test func `stores a token pasted from a PIN page without an expiry`() async throws {
        let page = try #require(RedirectURI(AniListPin.page))
        let store = MemoryCredentialStore()
        let (session, _) = Self.session(.aniList, redirectURI: page, store: store) { _ in .pin("eyJhbGciOiJSUzI1NiJ9.token") }
        #expect(try await session.accessToken().value.reveal() == "eyJhbGciOiJSUzI1NiJ9.token")
        #expect(try await store.credential(of: session.account)?.credential.expiresAt == nil)

        let (strict, _) = Self.session(.aniList) { _ in .pin("eyJhbGciOiJSUzI1NiJ9.token") }
        let failure = await #expect(throws: SessionError.self) { try await strict.signIn() }
        #expect(failure?.code == .securityCheckFailed)
    }

    private enum AniListPin { static let page = "https://anilist.co/api/v2/oauth/pin" }

    // MARK: Nothing played but the person

    @Test func `signs in at a server with AniList's quirks through the fragment of a loopback callback`() async throws {
        let port = try quietPort()
        let client = DevelopmentClient(id: "1001", name: "App", redirectURIs: ["http://127.0.0.1:\(port)/callback"])
        try await withDevelopmentServer(.init(persona: .aniList, clients: [client])) { server in
            let profile = ProviderProfile.aniList(
                web: server.issuer, graphQL: "\(server.issuer)/graphql", transport: .insecureHTTPOnLoopbackForDevelopment)
            let session = OAuthSession(
                server: profile, client: OAuthClient(id: "1001", redirectURI: .loopback(port: port)), browser: Self.person(),
                store: MemoryCredentialStore(), dependencies: .network)
            let aniList = AniList(session: session, endpoint: "\(server.issuer)/graphql")
            let viewer = try await aniList.viewer()
            #expect(viewer.name == "octocat")
            let other = try await aniList.load(.user(id: 92_997_159))
            #expect(other.name == "mona")
            let missing = await #expect(throws: AniListError.self) { try await aniList.load(.user(id: 1)) }
            #expect(missing?.code == .notFound)
            #expect(server.log.requests(path: "/api/v2/oauth/token") == 0)

            server.faults.expireAllAccessTokens()
            let ended = await #expect(throws: AniListError.self) { try await aniList.viewer() }
            #expect(ended?.code == .notSignedIn)
        }
    }

    @Test func `AR32 rejects a server that does not return the state, unless the profile says that it does not`() async throws {
        let port = try quietPort()
        let client = DevelopmentClient(id: "1001", name: "App", redirectURIs: ["http://127.0.0.1:\(port)/callback"])
        var persona = Persona.aniList
        persona.implicit?.echoesState = false
        try await withDevelopmentServer(.init(persona: persona, clients: [client])) { server in
            var profile = ProviderProfile.aniList(
                web: server.issuer, graphQL: "\(server.issuer)/graphql", transport: .insecureHTTPOnLoopbackForDevelopment)
            profile.quirks.authorizationResponses.acceptsResponsesWithoutStateBecauseTheProviderEchoesNone = true
            let session = OAuthSession(
                server: profile, client: OAuthClient(id: "1001", redirectURI: .loopback(port: port)), browser: Self.person(),
                store: MemoryCredentialStore(), dependencies: .network)
            let viewer = try await AniList(session: session, endpoint: "\(server.issuer)/graphql").viewer()
            #expect(viewer.name == "octocat")
        }
    }

    @Test(arguments: [ResponseMode.query, .fragment, .formPost])
    func `receives a code in every response mode that can be requested`(mode: ResponseMode) async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            var profile = ProviderProfile.issuer(try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment))
            profile.quirks.authorizationResponses.responseMode = mode
            let session = OAuthSession(
                server: profile, client: OAuthClient(id: server.clients[0].id), scope: ["openid"], browser: Self.person(),
                store: MemoryCredentialStore(), dependencies: .network)
            try await session.signIn()
            #expect(try await session.load(.get("\(server.issuer)/userinfo")).status == .ok)
        }
    }

    private static func person() -> BrowserAuthenticator {
        BrowserAuthenticator(
            opener: HeadlessBrowser(
                filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared))
    }
}
