@testable import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Testing

struct AccountSettingsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let settings: AccountSettings
    }

    static let rows: [Row] = [
        Row(
            testDescription: "a GitHub App",
            settings: AccountSettings(provider: .builtIn("github-app"), client: OAuthClient(id: "c", secret: Secret("s")))),
        Row(
            testDescription: "an OAuth app at a self-hosted GitHub",
            settings: AccountSettings(
                provider: .builtIn("github", place: "https://git.example.com", api: "https://api.git.example.com"),
                client: OAuthClient(id: "c"),
                scope: ["repo", "user"])),
        Row(
            testDescription: "an issuer with every setting",
            settings: {
                var settings = AccountSettings(
                    provider: .issuer("http://127.0.0.1:8000/realm"),
                    client: OAuthClient(
                        id: "c", secret: Secret("s"), redirectURI: .loopback(port: 7777, path: "/back"), authentication: .post),
                    scope: ["openid"],
                    allowsInsecureLoopback: true)
                settings.overrides = EndpointOverrides(
                    authorization: "http://127.0.0.1:1/a", deviceAuthorization: "http://127.0.0.1:1/d", base: "http://127.0.0.1:2/v1")
                return settings
            }()),
        Row(
            testDescription: "AniList at a development server, under a name",
            settings: AccountSettings(
                provider: .builtIn("anilist", place: "http://127.0.0.1:8000"), name: "My AniList", client: OAuthClient(id: "c"),
                allowsInsecureLoopback: true
            )
        ),
        Row(
            testDescription: "a built-in provider at an origin",
            settings: AccountSettings(provider: .builtIn("gitlab", place: "https://git.example.com"), client: OAuthClient(id: "c"))),
        Row(
            testDescription: "a built-in provider",
            settings: AccountSettings(provider: .builtIn("spotify", place: nil), client: OAuthClient(id: "c"))),
        Row(
            testDescription: "an added provider",
            settings: AccountSettings(
                provider: .described("own", ["name": "own", "token_endpoint": "https://as.example/t"]), client: OAuthClient(id: "c"))),
    ]

    @Test(arguments: rows)
    func `stores an account's settings as given, and they lead to its tokens`(row: Row) throws {
        let record = try row.settings.record(label: "work")
        #expect(try AccountSettings(record: record) == row.settings)
        #expect(try AccountSettings.tokenAccount(in: record, label: "work") == row.settings.account(label: "work"))
    }

    @Test(arguments: ["https://login.example.com", "http://login.example.com"])
    func `a provider with a single instance can be played only on this machine`(place: String) {
        var settings = AccountSettings(provider: .builtIn("spotify", place: place), client: OAuthClient(id: "c"))
        settings.allowsInsecureLoopback = true
        #expect(throws: SessionError.self) { try settings.profile() }
        settings.provider = .builtIn("spotify", place: "http://127.0.0.1:8000")
        #expect((try? settings.profile().endpoints?.token) == "http://127.0.0.1:8000/api/token")
        settings.allowsInsecureLoopback = false
        #expect(throws: SessionError.self) { try settings.profile() }
    }

    @Test(arguments: [
        (
            #""provider":"github-app","web":"https://github.com","api":"https://api.github.com""#,
            ProviderReference.builtIn("github-app")
        ),
        (
            #""provider":"github","web":"https://git.example","api":"https://git.example/api/v3""#,
            .builtIn("github", place: "https://git.example", api: "https://git.example/api/v3")
        ),
        (#""provider":"anilist","web":"https://anilist.co","api":"https://graphql.anilist.co""#, .builtIn("anilist")),
        (#""provider":"gitlab","place":"https://git.example""#, .builtIn("gitlab", place: "https://git.example")),
    ])
    func `reads the origin from a record of an earlier version`(members: String, provider: ProviderReference) throws {
        let record = #"{"format":1,"server":"s","client_id":"c",\#(members)}"#
        #expect(try AccountSettings(record: Secret(Array(record.utf8))).provider == provider)
    }

    @Test(arguments: ["", "{}", #"{"format":2,"client_id":"c","provider":"github","server":"s"}"#])
    func `rejects an unreadable record, and uses no tokens for it`(text: String) {
        let record = Secret(Array(text.utf8))
        #expect(throws: SessionError.self) { try AccountSettings(record: record) }
        #expect(AccountSettings.tokenAccount(in: record, label: "work") == nil)
    }
}
