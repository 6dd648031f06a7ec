import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import HeadlessBrowsing
import OAuthProtocol
import Testing
import WebAuthentication

/// The options of one sign-in: what the authorization request has, which page a caller may join, and what the ID token must contain.
struct SignInOptionsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let options: SignInOptions
        /// The values in the URL; empty for a parameter that is not sent.
        let sent: [String: String]

        init(_ testDescription: String, _ options: SignInOptions, _ sent: [String: String]) {
            self.testDescription = testDescription
            self.options = options
            self.sent = sent
        }
    }

    @Test(arguments: [
        Row("nothing", SignInOptions(), [:]),
        Row("a hint", SignInOptions(loginHint: "mona@example.com"), ["login_hint": "mona@example.com"]),
        Row("a prompt", SignInOptions(prompt: "select_account consent"), ["prompt": "select_account consent"]),
        Row("an age", SignInOptions(maximumAge: 0), ["max_age": "0"]),
        Row("classes", SignInOptions(acrValues: ["gold", "silver"]), ["acr_values": "gold silver"]),
        Row("an additional parameter", SignInOptions(parameters: ["ui_locales": "de"]), ["ui_locales": "de"]),
        Row(
            "everything", SignInOptions(loginHint: "m", prompt: "login", maximumAge: 5, acrValues: ["a"], parameters: ["ui_locales": "de"]),
            ["login_hint": "m", "prompt": "login", "max_age": "5", "acr_values": "a", "ui_locales": "de"]),
    ])
    func `one sign-in requests them, with the session's own scope, and the next does not`(row: Row) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        try await session.signIn(row.options)
        try await session.signIn()
        let pages = setting.browser.visitedURLs
        try #require(pages.count == 3)
        for name in ["login_hint", "prompt", "max_age", "acr_values", "ui_locales"] {
            #expect(pages.map { parameter(name, of: $0) } == ["", row.sent[name] ?? "", ""], "\(name)")
        }
        #expect(pages.allSatisfy { parameter("scope", of: $0) == "read" })
    }

    @Test func `a sign-in does not request the scope that a step-up added, and a step-up does`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        try await session.stepUp(StepUpRequirement(scope: ["write"]))
        try await session.stepUp(StepUpRequirement(maximumAge: 9))
        try await session.signIn(SignInOptions(maximumAge: 9))
        #expect(setting.browser.visitedURLs.map { parameter("scope", of: $0) } == ["read", "read write", "read write", "read"])
    }

    @Test(arguments: [
        (SignInOptions(parameters: ["state": "mine"]), "state"), (SignInOptions(parameters: ["max_age": "5"]), "max_age"),
        (SignInOptions(loginHint: "a", parameters: ["login_hint": "b"]), "login_hint"), (SignInOptions(prompt: "none login"), "none"),
        (SignInOptions(maximumAge: -1), "maximum age"), (SignInOptions(acrValues: ["a b"]), "class"),
    ])
    func `options that cannot be sent fail before a page is shown, and say why`(options: SignInOptions, name: String) async throws {
        let setting = SessionSetting()
        let failure = await #expect(throws: SessionError.self) { try await setting.session().signIn(options) }
        #expect(failure?.code == .misconfigured)
        #expect((failure?.underlying as? OAuthError)?.code == .misuse)
        #expect(failure?.explanation.contains(name) == true, "\(failure?.explanation ?? "")")
        #expect(setting.browser.visitedURLs.isEmpty)
    }

    @Test(arguments: [
        Row("login_hint", SignInOptions(loginHint: "m"), [:]), Row("prompt", SignInOptions(prompt: "login"), [:]),
        Row("max_age", SignInOptions(maximumAge: 0), [:]), Row("acr_values", SignInOptions(acrValues: ["a"]), [:]),
        Row("ui_locales", SignInOptions(parameters: ["ui_locales": "de"]), [:]),
    ])
    func `grants without an authorization request name what they cannot send, and send nothing`(row: Row) async throws {
        let device = DeviceSetting([], device: nil)
        let clientItself = SessionSetting()
        var configuration = clientItself.configuration()
        configuration.grant = .clientCredentials
        configuration.client = OAuthClient(id: "client", secret: Secret("secret"))
        for session in [device.session(), OAuthSession(configuration)] {
            let failure = await #expect(throws: SessionError.self) { try await session.signIn(row.options) }
            #expect(failure?.code == .cannotSignInHere)
            #expect(failure?.explanation.contains("cannot send \(row.testDescription);") == true, "\(failure?.explanation ?? "")")
        }
        #expect(device.transport.requests.isEmpty && clientItself.server.tokenRequests.isEmpty)
    }
}

// MARK: - Pages of others

extension SignInOptionsTests {
    struct PageRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let options: SignInOptions
        /// The number of pages that the session shows.
        let pages: Int

        init(_ testDescription: String, _ options: SignInOptions, pages: Int) {
            self.testDescription = testDescription
            self.options = options
            self.pages = pages
        }
    }

    @Test(arguments: [
        PageRow("the same options", SignInOptions(prompt: "login"), pages: 1),
        PageRow("only a hint", SignInOptions(loginHint: "m"), pages: 1),
        PageRow("another prompt", SignInOptions(prompt: "consent"), pages: 2),
        PageRow("an age", SignInOptions(maximumAge: 5), pages: 2),
        PageRow("a parameter", SignInOptions(parameters: ["ui_locales": "de"]), pages: 2),
    ])
    func `joins a page of the same session only if it requests the same`(row: PageRow) async throws {
        let gate = Gate()
        let setting = SessionSetting { url in
            await gate.pass()
            return await consenting(url)
        }
        let session = setting.session()
        let first = Task { try await session.signIn(SignInOptions(prompt: "login")) }
        await gate.untilReached()
        let second = startedTask {
            try await session.signIn(row.options)
            return 0
        }
        gate.open()
        try await first.value
        _ = try await second.value
        #expect(setting.browser.visitedURLs.count == row.pages)
    }

    @Test(arguments: [
        PageRow("nothing", SignInOptions(), pages: 0), PageRow("only a hint", SignInOptions(loginHint: "m"), pages: 0),
        PageRow("a prompt", SignInOptions(prompt: "select_account"), pages: 1),
        PageRow("an age", SignInOptions(maximumAge: 60), pages: 1), PageRow("a class", SignInOptions(acrValues: ["a"]), pages: 1),
        PageRow("a parameter", SignInOptions(parameters: ["ui_locales": "de"]), pages: 1),
    ])
    func `accepts the sign-in of another session only if nothing depends on the page`(row: PageRow) async throws {
        let store = MemoryCredentialStore()
        let gate = Gate()
        let others = SessionSetting(store: store) { url in
            await gate.pass()
            return await consenting(url)
        }
        let own = SessionSetting(store: store)
        let first = Task { [session = others.session()] in try await session.signIn() }
        await gate.untilReached()
        let second = startedTask { [session = own.session()] in
            try await session.signIn(row.options)
            return 0
        }
        gate.open()
        try await first.value
        _ = try await second.value
        #expect(own.browser.visitedURLs.count == row.pages)
    }
}

// MARK: - The ID token

extension SignInOptionsTests {
    private func session(at server: DevelopmentAuthorizationServer, pushes: Bool = false) throws -> OAuthSession {
        var profile = ProviderProfile.issuer(try Issuer(server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment))
        if pushes { profile.pushedAuthorization = .always }
        let browser = BrowserAuthenticator(
            opener: HeadlessBrowser(
                filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared))
        return OAuthSession(
            server: profile, client: OAuthClient(id: "native-app"), scope: ["openid", "profile"], browser: browser,
            store: MemoryCredentialStore())
    }

    private static let silver = "urn:mace:incommon:iap:silver"

    @Test(arguments: [false, true])
    func `the server receives the options, in the URL or in a pushed request`(pushes: Bool) async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            let session = try session(at: server, pushes: pushes)
            try await session.signIn(
                SignInOptions(loginHint: "octocat", prompt: "login", maximumAge: 600, acrValues: ["gold", Self.silver]))
            let path = pushes ? "/par" : "/authorize"
            let entry = try #require(server.log.entries.first { $0.path == path })
            #expect(
                entry.signInOptions == [
                    "login_hint": "octocat", "prompt": "login", "max_age": "600", "acr_values": "gold \(Self.silver)",
                ])
            #expect(try await session.identity?.authenticationContextClass == Self.silver)
        }
    }

    struct FaultRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let options: SignInOptions
        let change: AnswerChange
    }

    @Test(arguments: [
        FaultRow(
            testDescription: "ID39: no auth_time", options: SignInOptions(maximumAge: 600), change: .claim("auth_time", nil)),
        FaultRow(
            testDescription: "ID39: an auth_time that is too old", options: SignInOptions(maximumAge: 600),
            change: .claimTime("auth_time", -86_400)),
        FaultRow(testDescription: "ID40: another class", options: SignInOptions(acrValues: [silver]), change: .claim("acr", "other")),
        FaultRow(testDescription: "ID40: no class", options: SignInOptions(acrValues: [silver]), change: .claim("acr", nil)),
    ])
    func `an ID token that does not meet the options ends the sign-in, and is harmless without them`(fault: FaultRow) async throws {
        try await withDevelopmentServer(.init(persona: .openID)) { server in
            server.faults.always(at: .tokenEndpoint, .altered([fault.change]))
            let session = try session(at: server)
            let failure = await #expect(throws: SessionError.self) { try await session.signIn(fault.options) }
            #expect(failure?.code == .securityCheckFailed, "\(failure.map { "\($0)" } ?? "")")
            #expect(try await session.restore().isSignedOut)
            try await session.signIn()
        }
    }
}
