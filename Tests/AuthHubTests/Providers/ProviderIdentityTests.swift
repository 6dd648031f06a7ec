import AuthHub
import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Testing

/// Verifies who signed in at every built-in provider that issues ID tokens. The development server imitates the provider.
struct ProviderIdentityTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The requested scope; nil for the profile's.
        let scope: Scope?
        /// Claims of the verified ID token; nil for those that the provider leaves out.
        let claims: [String: JSONValue?]

        init(_ name: String, scope: Scope? = nil, _ claims: [String: JSONValue?]) {
            self.name = name
            self.scope = scope
            self.claims = claims
        }

        var testDescription: String { name }
    }

    private static let octocat: [String: JSONValue?] = ["name": "The Octocat", "preferred_username": "octocat"]
    private static let email: [String: JSONValue?] = ["email": "octocat@example.com", "email_verified": true]
    private static func octocat(and others: [String: JSONValue?]) -> [String: JSONValue?] { octocat.merging(others) { $1 } }

    static let rows = [
        Row("apple", ["email": "octocat@example.com", "email_verified": "true", "name": nil, "nonce_supported": true]),
        Row("discord", ["name": nil, "email": nil]),
        Row("facebook", scope: ["openid", "public_profile", "email"], octocat(and: email)),
        Row("gitlab", octocat(and: email)),
        Row("google", octocat(and: email)),
        Row("line", octocat),
        Row("linkedin", octocat(and: email)),
        Row("microsoft", octocat(and: ["tid": "9122040d-6c67-4c5b-b112-36a304b66dad"])),
        Row("slack-openid", octocat(and: ["https://slack.com/team_id": "T0001", "https://slack.com/user_id": "583231"])),
        Row("twitch", ["preferred_username": "octocat", "email": "octocat@example.com", "name": nil]),
    ]

    @Test func `there is a row for every provider that issues ID tokens`() {
        let names = ProviderProfile.builtIn.filter { (try? $0.profile())?.endpoints?.jwks != nil }.map(\.name)
        #expect(Self.rows.map(\.name) == names)
    }

    @Test(arguments: rows)
    func `a sign-in verifies who signed in`(row: Row) async throws {
        try await ProviderSetting.using(row.name) { setting in
            let session = setting.session(of: setting.client(), scope: row.scope)
            try await session.signIn()
            let identity = try #require(try await session.identity)
            #expect(identity.subject == "583231")
            for (name, value) in row.claims { #expect(identity.claims[name] == value, "\(name)") }
        }
    }

    private static let wrongTokens: [(String, AnswerChange)] = [
        ("ID22: another issuer", .claim("iss", "https://elsewhere.example")),
        ("ID24: for another client", .claim("aud", "another-client")),
        ("ID36: from another sign-in", .claim("nonce", "another-nonce")),
        ("ID13: a forged signature", .signature(.flipped)),
    ]

    @Test(arguments: rows, wrongTokens)
    func `a sign-in with a wrong ID token fails`(row: Row, wrong: (description: String, change: AnswerChange)) async throws {
        try await ProviderSetting.using(row.name) { setting in
            setting.server.faults.always(at: .tokenEndpoint, .altered([wrong.change]))
            let session = setting.session(of: setting.client(), scope: row.scope)
            let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(failure?.code == .securityCheckFailed, "\(wrong.description)")
            let stored = try await setting.store.accounts()
            #expect(stored.isEmpty)
        }
    }

    @Test(arguments: [
        ("google", "accounts.google.com", true), ("google", "accounts.google.com.example", false), ("google", "google.com", false),
        ("gitlab", "accounts.google.com", false),
    ])
    func `ID22: only Google's ID tokens may leave out the scheme of the issuer`(name: String, issuer: String, isGood: Bool) async throws {
        try await ProviderSetting.using(name) { setting in
            setting.server.faults.always(at: .tokenEndpoint, .altered([.claim("iss", .string(issuer))]))
            try await Self.expect(isGood, setting.session(of: setting.client()))
        }
    }

    private static func expect(_ isGood: Bool, _ session: OAuthSession) async throws {
        let failure: SessionError?
        do throws(SessionError) {
            try await session.signIn()
            failure = nil
        } catch {
            failure = error
        }
        #expect(failure?.code == (isGood ? nil : .securityCheckFailed), "\(failure?.explanation ?? "accepted")")
        let identity = try await session.identity
        #expect((identity != nil) == isGood)
    }
}

// MARK: - Microsoft

extension ProviderIdentityTests {
    private static let tenant = "9122040d-6c67-4c5b-b112-36a304b66dad"
    private static let otherTenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"

    @Test(arguments: [
        ("ID23: a key for every tenant", "microsoft", "{issuer}/{tenantid}/v2.0", true),
        ("ID23: a key for this tenant", "microsoft", "{issuer}/\(tenant)/v2.0", true),
        ("ID23: a key for another tenant", "microsoft", "{issuer}/\(otherTenant)/v2.0", false),
        ("ID23: a key of another server", "microsoft", "https://elsewhere.example/{tenantid}/v2.0", false),
        ("ID23: a member that is ignored at other providers", "google", "https://elsewhere.example", true),
    ])
    func `a key is valid only for its issuer`(description: String, name: String, keyIssuer: String, isGood: Bool) async throws {
        try await ProviderSetting.using(name) { setting in
            setting.server.faults.always(at: .keySet, .altered([.keySet(.member("issuer", .string(keyIssuer)))]))
            try await Self.expect(isGood, setting.session(of: setting.client()))
        }
    }

    @Test(arguments: [
        ("ID23: the tenant", tenant, [], true),
        ("ID23: the tenant in upper case", tenant.uppercased(), [], true),
        ("ID23: a token of another tenant", otherTenant, [], false),
        ("ID23: another tid with the right issuer", tenant, [AnswerChange.claim("tid", .string(otherTenant))], false),
        ("ID23: no tid", tenant, [.claim("tid", nil)], false),
        ("ID23: a domain, which accepts every tenant ID", "contoso.example", [], true),
    ])
    func `an ID token must name the tenant's ID`(
        description: String, tenant: String, changes: [AnswerChange], isGood: Bool
    ) async throws {
        try await ProviderSetting.using("microsoft") { setting in
            let known = ProviderProfile.microsoft(tenant: tenant)
            var profile = setting.profile
            profile.issuer = known.issuer?.replacing("https://login.microsoftonline.com", with: setting.server.issuer)
            profile.quirks.identity = known.quirks.identity
            profile.quirks.identity.otherIssuers = known.quirks.identity.otherIssuers.map {
                $0.replacing("https://login.microsoftonline.com", with: setting.server.issuer)
            }
            setting.server.faults.always(at: .tokenEndpoint, .altered(changes))
            try await Self.expect(isGood, setting.session(of: setting.client(), at: profile))
        }
    }
}

// MARK: - Apple and Twitch

extension ProviderIdentityTests {
    @Test func `Apple names the user at the first sign-in only, and not in the ID token`() async throws {
        try await ProviderSetting.using("apple") { setting in
            let session = setting.session(of: setting.client())
            #expect(try await session.unverifiedUser == nil)
            try await session.signIn()
            let user = try #require(try await session.unverifiedUser)
            #expect(user["name"] == ["firstName": "The", "lastName": "Octocat"])
            try await session.refresh()
            #expect(try await session.unverifiedUser == user)
            await session.signOut()
            try await session.signIn()
            #expect(try await session.unverifiedUser == nil)
            #expect(try await session.identity?.subject == "583231")
        }
    }

    @Test(arguments: [SigningAlgorithm.rs256, .es256, .ps256])
    func `Apple may sign with RS256 or ES256`(algorithm: SigningAlgorithm) async throws {
        var persona = try #require(Persona.known("apple"))
        persona.openIDConnect.algorithm = algorithm
        try await ProviderSetting.using(persona) { setting in
            try await Self.expect(algorithm != .ps256, setting.session(of: setting.client()))
        }
    }

    @Test func `a client secret that the program replaces is used for the next request`() async throws {
        try await ProviderSetting.using("apple") { setting in
            let registered = setting.client()
            let secret = RenewableClientSecret(Secret("expired"))
            let session = setting.session(of: OAuthClient(id: registered.id, renewableSecret: secret))
            let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
            #expect(failure?.serverError?.code == .invalidClient)
            secret.value = try #require(registered.secret)
            try await session.signIn()
            #expect(try await session.identity != nil)
            secret.value = Secret("expired again")
            await #expect(throws: SessionError.self) { try await session.refresh() }
        }
    }

    @Test func `Twitch's ID tokens have only the claims that the request names`() async throws {
        try await ProviderSetting.using("twitch") { setting in
            var profile = setting.profile
            profile.authorizationParameters = [:]
            let session = setting.session(of: setting.client(), at: profile)
            try await session.signIn()
            #expect(try await session.identity?.claims["preferred_username"] == nil)
        }
    }
}
