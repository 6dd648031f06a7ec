import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Platform
import Synchronization
import Testing

@testable import AuthHub

/// Sign-ins that a web server keeps in the user's own cookie.
struct PendingSignInTests {
    private static let redirectURI = RedirectURI.https(host: "app.example", path: "/callback")
    private static let callback = "https://app.example/callback"
    private static let client = OAuthClient(id: "client", secret: Secret("the-secret-of-the-web-app"))

    private let provider: OpenIDProvider
    private let server: AuthorizationServer

    init() throws {
        provider = try OpenIDProvider()
        server = AuthorizationServer(OpenIDProvider.profile, dependencies: provider.dependencies)
    }

    /// Begins a sign-in, and returns it as a cookie would, with the query of its callback.
    private func begin(
        scope: Scope = ["openid"], target: AccessTarget = AccessTarget(), lifetime: Duration = .seconds(600)
    ) async throws -> (pending: PendingSignIn, query: String) {
        let (url, pending) = try await server.beginSignIn(
            as: Self.client, scope: scope, redirectURI: Self.redirectURI, target: target, lifetime: lifetime)
        provider.change { $0.nonce = parameter("nonce", of: url) }
        return (try Self.copy(of: pending), "code=c0de&state=\(parameter("state", of: url))")
    }

    private static func copy(of pending: PendingSignIn) throws -> PendingSignIn {
        try JSONDecoder().decode(PendingSignIn.self, from: JSONEncoder().encode(pending))
    }

    private func finish(_ pending: inout PendingSignIn, _ callback: String) async -> Result<SignInResult, SessionError> {
        do throws(SessionError) {
            return .success(try await server.finishSignIn(&pending, as: Self.client, callback: callback))
        } catch {
            return .failure(error)
        }
    }

    @Test func `a callback brings tokens and the verified user, and a session keeps them fresh`() async throws {
        var (pending, query) = try await begin()
        let result = try await finish(&pending, "\(Self.callback)?\(query)").get()
        #expect(result.idToken?.subject == "jane")
        #expect(result.tokens.accessToken == Secret("access-1") && result.tokens.scope == ["openid"])
        var configuration = OAuthSession.Configuration(
            server: OpenIDProvider.profile, client: Self.client, scope: ["openid"], grant: .refreshToken, store: MemoryCredentialStore(),
            dependencies: provider.dependencies)
        configuration.prompting = .manual
        let session = OAuthSession(configuration, label: "jane")
        try await session.adopt(result)
        #expect(try await session.accessToken().value == Secret("access-1"))
        #expect(try await session.identity?.subject == "jane")
        provider.advance(by: 3600)
        #expect(try await session.accessToken().value == Secret("access-2"))
    }

    @Test func `the request has PKCE, a state, a nonce and the options`() async throws {
        let options = SignInOptions(loginHint: "jane@example.com", prompt: "login", maximumAge: 60)
        let resource = try #require(ResourceIndicator("https://api.example"))
        let (url, pending) = try await server.beginSignIn(
            as: Self.client, scope: ["openid", "email"], redirectURI: Self.redirectURI, target: AccessTarget(resources: [resource]),
            options: options)
        for name in ["state", "nonce", "code_challenge"] { #expect(parameter(name, of: url).count == 43, "\(name)") }
        #expect(parameter("code_challenge_method", of: url) == "S256" && parameter("redirect_uri", of: url) == Self.callback)
        #expect(parameter("login_hint", of: url) == "jane@example.com" && parameter("prompt", of: url) == "login")
        #expect(parameter("max_age", of: url) == "60" && parameter("resource", of: url) == "https://api.example")
        #expect(try Self.copy(of: pending).resources == [resource])
        #expect(pending.expiresAt == start.addingTimeInterval(600))
        #expect(provider.state.withLock(\.log).isEmpty, "no request was needed")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The callback, in which QUERY stands for the expected query.
        let callback: String
        var code = SessionError.Code.securityCheckFailed
        /// Whether the pending sign-in can still be finished.
        var isKept = true
    }

    @Test(arguments: [
        Row(testDescription: "WS01, AR03: the state of another browser's sign-in", callback: "?code=c0de&state=another"),
        Row(testDescription: "WS01, AR02: no state", callback: "?code=c0de"),
        Row(testDescription: "WS01: an error without a state", callback: "?error=access_denied"),
        Row(testDescription: "WS07, AR01: another path", callback: "2?QUERY"),
        Row(testDescription: "WS07: a path below", callback: "/other?QUERY"),
        Row(testDescription: "WS07: the response in the fragment", callback: "#QUERY"),
        Row(testDescription: "WS07: another response in the fragment", callback: "?QUERY#code=other"),
        Row(testDescription: "WS07, AR07: two codes", callback: "?QUERY&code=other"),
        Row(testDescription: "WS07: another issuer", callback: "?QUERY&iss=https://other.example", isKept: false),
        Row(testDescription: "WS07: a token next to the code", callback: "?QUERY&access_token=other", isKept: false),
        Row(testDescription: "the user denied access", callback: "?error=access_denied&STATE", code: .denied, isKept: false),
        Row(
            testDescription: "the server wants the user to sign in", callback: "?error=login_required&STATE", code: .serverRejected,
            isKept: false),
    ])
    func `rejects a callback without a request to the server`(row: Row) async throws {
        var (pending, query) = try await begin()
        let state = String(query.drop { $0 != "&" }.dropFirst())
        let callback = Self.callback + row.callback.replacing("QUERY", with: query).replacing("STATE", with: state)
        let error = await finish(&pending, callback).error
        #expect(error?.code == row.code, "\(String(describing: error))")
        #expect(provider.count(of: "/token") == 0)
        #expect(await finish(&pending, "\(Self.callback)?\(query)").error == nil || !row.isKept)
        #expect(provider.count(of: "/token") == (row.isKept ? 1 : 0))
    }

    @Test func `WS02: a pending sign-in is used once, and cannot be encoded afterwards`() async throws {
        var (pending, query) = try await begin()
        _ = try await finish(&pending, "\(Self.callback)?\(query)").get()
        #expect(await finish(&pending, "\(Self.callback)?\(query)").error?.code == .securityCheckFailed)
        #expect(provider.count(of: "/token") == 1)
        #expect(throws: (any Error).self) { try JSONEncoder().encode(pending) }
    }

    @Test func `WS03: a callback after the expiry is rejected`() async throws {
        var (pending, query) = try await begin(lifetime: .seconds(60))
        #expect(pending.expiresAt == start.addingTimeInterval(60))
        provider.advance(by: 60)
        #expect(await finish(&pending, "\(Self.callback)?\(query)").error?.code == .timedOut)
        #expect(provider.count(of: "/token") == 0)
    }

    @Test func `WS04: a sign-in of another server or client is rejected, and nothing is sent`() async throws {
        var (pending, query) = try await begin()
        var profile = OpenIDProvider.profile
        profile.issuer = "https://other.example"
        let other = AuthorizationServer(profile, dependencies: provider.dependencies)
        for (server, client) in [(other, Self.client), (server, OAuthClient(id: "another client"))] {
            let error = await #expect(throws: SessionError.self) {
                try await server.finishSignIn(&pending, as: client, callback: "\(Self.callback)?\(query)")
            }
            #expect(error?.code == .misconfigured)
        }
        #expect(provider.state.withLock(\.log).isEmpty)
        #expect(await finish(&pending, "\(Self.callback)?\(query)").error == nil, "it is not used up")
    }

    @Test(arguments: [("WS05: a token", ResponseType.token), ("WS05: a code and an ID token", .codeIDToken)])
    func `does not begin a sign-in whose response is in the fragment`(description: String, type: ResponseType) async throws {
        var profile = OpenIDProvider.profile
        profile.quirks.authorizationResponses.responseType = type
        try await rejectsBeginning(at: profile)
    }

    @Test func `WS05: does not begin a sign-in whose response has no state`() async throws {
        var profile = OpenIDProvider.profile
        profile.quirks.authorizationResponses.acceptsResponsesWithoutStateBecauseTheProviderEchoesNone = true
        try await rejectsBeginning(at: profile)
    }

    private func rejectsBeginning(at profile: ProviderProfile) async throws {
        let server = AuthorizationServer(profile, dependencies: provider.dependencies)
        let error = await #expect(throws: SessionError.self) {
            try await server.beginSignIn(as: Self.client, scope: ["openid"], redirectURI: Self.redirectURI)
        }
        #expect(error?.code == .misconfigured)
    }

    @Test func `finishes a sign-in whose response is a form`() async throws {
        var profile = OpenIDProvider.profile
        profile.quirks.authorizationResponses.responseMode = .formPost
        let server = AuthorizationServer(profile, dependencies: provider.dependencies)
        var (url, pending) = try await server.beginSignIn(as: Self.client, scope: ["openid"], redirectURI: Self.redirectURI)
        provider.change { $0.nonce = parameter("nonce", of: url) }
        let form = "code=c0de&state=\(parameter("state", of: url))"
        let error = await #expect(throws: SessionError.self) {
            try await server.finishSignIn(&pending, as: Self.client, callback: "\(Self.callback)?\(form)")
        }
        #expect(error?.code == .securityCheckFailed)
        let result = try await server.finishSignIn(&pending, as: Self.client, form: form, postedTo: Self.callback)
        #expect(result.idToken?.subject == "jane")
    }

    @Test func `WS06: damaged values are rejected, and secrets appear in no description`() async throws {
        let (pending, _) = try await begin()
        let text = String(decoding: try JSONEncoder().encode(pending), as: UTF8.self)
        let damages = [
            (#"\"format\":1"#, #"\"format\":2"#), (#"\"nonce\":\""#, #"\"nonce\":1,\"x\":\""#), (#"\"state\""#, #"\"stat\""#),
            (#""server""#, #""serve""#), (#""resources":[]"#, ##""resources":["#"]"##),
        ]
        for (old, new) in damages {
            let damaged = text.replacing(old, with: new)
            #expect(damaged != text, "\(old)")
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(PendingSignIn.self, from: Data(damaged.utf8)) }
        }
        var dumped = ""
        dump(pending, to: &dumped)
        for shown in [dumped, "\(pending)", String(reflecting: pending), "\([pending])"] { #expect(!shown.contains("client"), "\(shown)") }
    }

    @Test func `WS08: tokens with an invalid ID token are revoked`() async throws {
        var (pending, query) = try await begin()
        provider.change { $0.nonce = "another" }
        #expect(await finish(&pending, "\(Self.callback)?\(query)").error?.code == .securityCheckFailed)
        #expect(provider.revoked.sorted() == ["access-1", "refresh-1"])
    }

    @Test func `WS09: a session for another client, server or API does not take the tokens over`() async throws {
        var (pending, query) = try await begin()
        let result = try await finish(&pending, "\(Self.callback)?\(query)").get()
        var profile = OpenIDProvider.profile
        profile.issuer = "https://other.example"
        let api = [try #require(ResourceIndicator("https://api.example"))]
        let own = OpenIDProvider.profile
        for (profile, id, resources) in [(profile, "client", []), (own, "another client", []), (own, "client", api)] {
            let store = MemoryCredentialStore()
            var configuration = OAuthSession.Configuration(
                server: profile, client: OAuthClient(id: id), scope: ["openid"], grant: .refreshToken, store: store,
                dependencies: provider.dependencies)
            configuration.target.resources = resources
            let session = OAuthSession(configuration)
            let error = await #expect(throws: SessionError.self) { try await session.adopt(result) }
            #expect(error?.code == .misconfigured)
            #expect(try await store.read(session.account) == nil)
        }
    }

    @Test func `a server that cannot be reached does not use the sign-in up`() async throws {
        let profile = ProviderProfile(name: "as", displayName: "AS", issuer: OpenIDProvider.issuer)
        let offline = AuthorizationServer(profile, dependencies: Dependencies(transport: Offline()) { start })
        var (pending, query) = try await begin()
        let error = await #expect(throws: SessionError.self) {
            try await offline.finishSignIn(&pending, as: Self.client, callback: "\(Self.callback)?\(query)")
        }
        #expect(error?.code == .unreachable)
        #expect(await finish(&pending, "\(Self.callback)?\(query)").error == nil)
    }
}

private struct Offline: Transport {
    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse { throw LoadError(.cannotConnect, for: request) }
}
