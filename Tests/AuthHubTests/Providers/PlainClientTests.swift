import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

/// The personas require the same as the providers: they reject a client without the quirk in question.
struct PlainClientTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        /// Removes one quirk from the profile.
        let forget: @Sendable (inout ProviderProfile) -> Void

        init(_ name: String, _ description: String, _ forget: @escaping @Sendable (inout ProviderProfile) -> Void) {
            testDescription = "\(name): \(description)"
            self.name = name
            self.forget = forget
        }
    }

    @Test(arguments: [
        Row("github", "AR18 an issuer in the callback that is not expected") { $0.responseIssuer = nil },
        Row("github", "no secret at all") { $0.clientAuthentication = ClientAuthenticationMethod.none },
        Row("apple", "AR28 a response in the query") { $0.quirks.authorizationResponses.responseMode = nil },
        Row("atlassian", "a form instead of JSON") { $0.quirks.requests.encoding = .form },
        Row("atlassian", "no audience") { $0.authorizationParameters = ["prompt": "consent"] },
        Row("bitbucket", "the secret in the body") { $0.clientAuthentication = .post },
        Row("discord", "AR18 an issuer in the callback that is not expected") { $0.issuer = nil },
        Row("facebook", "TR25 a form that calls itself text") { $0.quirks.responses.encodings = [.json, .form] },
        Row("facebook", "TR06 no type of the token") { $0.defaultTokenType = nil },
        Row("linkedin", "a code verifier") { $0.quirks.authorization.codeChallenge = .s256 },
        Row("linkedin", "TR06 no type of the token") { $0.defaultTokenType = nil },
        Row("notion", "a form instead of JSON") { $0.quirks.requests.encoding = .form },
        Row("notion", "no version in the token request") { $0.quirks.requests.headers = [:] },
        Row("notion", "no owner") { $0.authorizationParameters = [:] },
        Row("reddit", "no User-Agent") { $0.quirks.requests.headers = [:] },
        Row("reddit", "the secret in the body") { $0.clientAuthentication = .post },
        Row("slack", "TR44 the token within another member") { $0.quirks.responses.envelope = nil },
        Row("slack", "TR07 a type of its own") { $0.quirks.responses.tokenTypes = [:] },
        Row("slack-bot", "TR07 a type of its own") { $0.quirks.responses.tokenTypes = [:] },
        Row("strava", "no approval prompt") { $0.authorizationParameters = [:] },
        Row("tiktok", "client_id for client_key") { $0.quirks.requests.names = [:] },
        Row("tiktok", "a challenge in base64url") { $0.quirks.authorization.codeChallenge = .s256 },
        Row("tiktok", "no challenge") {
            $0.quirks.authorization.codeChallenge = .withoutCodeChallengeBecauseTheProviderRejectsIt(reason: "a test")
        },
        Row("x", "no challenge") {
            $0.quirks.authorization.codeChallenge = .withoutCodeChallengeBecauseTheProviderRejectsIt(reason: "a test")
        },
        Row("zoom", "the secret in the body") { $0.clientAuthentication = .post },
    ])
    func `a client that lacks one quirk cannot sign in`(row: Row) async throws {
        try await ProviderSetting.using(row.name) { setting in
            var profile = setting.profile
            row.forget(&profile)
            let session = setting.session(of: setting.client(), at: profile)
            await #expect(throws: SessionError.self) { try await session.signIn() }
            let stored = try await setting.store.accounts()
            #expect(stored.isEmpty)
        }
    }

    @Test func `TR17 treats a list of scopes that the profile does not expect as the requested scope`() async throws {
        try await ProviderSetting.using("twitch") { setting in
            let scope = Scope(setting.server.persona.scopes)
            var profile = setting.profile
            profile.quirks.responses.scopeMayBeList = false
            let session = setting.session(of: setting.client(), at: profile, scope: scope)
            try await session.signIn()
            guard case .signedIn(let signedIn) = session.state else {
                Issue.record("no one is signed in")
                return
            }
            #expect(signedIn.scope == scope)
        }
    }

    @Test(arguments: ["slack", "slack-bot", "tiktok", "facebook", "strava"])
    func `two scopes separated by a space are one unknown scope if the provider wants commas`(name: String) async throws {
        try await ProviderSetting.using(name) { setting in
            let scopes = Scope(setting.server.persona.scopes.prefix(2))
            guard scopes.names.count == 2 else { return }
            let withCommas = try await Self.signsIn(setting, setting.profile, scopes)
            #expect(withCommas)
            var profile = setting.profile
            profile.scopeSeparator = " "
            let withSpaces = try await Self.signsIn(setting, profile, scopes)
            #expect(!withSpaces)
        }
    }

    @Test(arguments: [("twitch", "Client-Id"), ("notion", "Notion-Version"), ("reddit", "User-Agent")])
    func `the API rejects requests without the header field that the provider demands`(name: String, field: String) async throws {
        try await ProviderSetting.using(name) { setting in
            var profile = setting.profile
            profile.quirks.api.headers[field] = nil
            let session = setting.session(of: setting.client(), at: profile)
            try await session.signIn()
            #expect(try await session.load(.get(setting.account)).status == .badRequest)
        }
    }

    @Test(arguments: [
        ("google", "access_type"), ("dropbox", "token_access_type"), ("reddit", "duration"),
    ])
    func `the server issues no refresh token unless the client requests one`(name: String, parameter: String) async throws {
        try await ProviderSetting.using(name) { setting in
            var profile = setting.profile
            profile.authorizationParameters = FormParameters(profile.authorizationParameters.parameters.filter { $0.name != parameter })
            let session = setting.session(of: setting.client(), at: profile)
            try await session.signIn()
            guard case .signedIn(let signedIn) = session.state else {
                Issue.record("no one is signed in")
                return
            }
            #expect(!signedIn.isRenewable)
        }
    }

    private static func signsIn(_ setting: ProviderSetting, _ profile: ProviderProfile, _ scope: Scope) async throws -> Bool {
        let session = setting.session(of: setting.client(), at: profile, scope: scope)
        do {
            try await session.signIn()
            guard case .signedIn(let signedIn) = session.state else { return false }
            await session.signOut()
            return signedIn.scope.names.count == 2
        } catch {
            return false
        }
    }
}
