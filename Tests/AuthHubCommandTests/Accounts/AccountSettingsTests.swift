@testable import AuthHubCommand
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
            settings: AccountSettings(provider: .gitHubApp(.init()), clientID: "c", clientSecret: Secret("s"))),
        Row(
            testDescription: "an OAuth app at a GitHub of one's own",
            settings: AccountSettings(
                provider: .gitHub(.init(web: "https://git.example.com", api: "https://git.example.com/api/v3")), clientID: "c",
                scope: ["repo", "user"])),
        Row(
            testDescription: "an issuer with all there is to set",
            settings: AccountSettings(
                provider: .issuer("http://127.0.0.1:8000/realm"), clientID: "c", clientSecret: Secret("s"), clientAuthentication: .post,
                scope: ["openid"], redirectURI: .loopback(port: 7777, path: "/back"),
                overrides: EndpointOverrides(authorization: "http://127.0.0.1:1/a", deviceAuthorization: "http://127.0.0.1:1/d"),
                allowsInsecureLoopback: true)),
        Row(
            testDescription: "a known provider at a place",
            settings: AccountSettings(provider: .known("gitlab", place: "https://git.example.com"), clientID: "c")),
        Row(testDescription: "a known provider", settings: AccountSettings(provider: .known("spotify", place: nil), clientID: "c")),
        Row(
            testDescription: "a provider that was described",
            settings: AccountSettings(
                provider: .described("own", ["name": "own", "token_endpoint": "https://as.example/t"]), clientID: "c")),
    ]

    @Test(arguments: rows)
    func `what is remembered of an account is what was given, and leads to its tokens`(row: Row) throws {
        let record = try row.settings.record(label: "work")
        #expect(try AccountSettings(record: record) == row.settings)
        #expect(try AccountSettings.tokenAccount(in: record, label: "work") == row.settings.account(label: "work"))
    }

    @Test(arguments: ["", "{}", #"{"format":2,"client_id":"c","provider":"github","server":"s"}"#])
    func `a record that cannot be read is refused, and leads to no tokens`(text: String) {
        let record = Secret(Array(text.utf8))
        #expect(throws: Failure.self) { try AccountSettings(record: record) }
        #expect(AccountSettings.tokenAccount(in: record, label: "work") == nil)
    }
}
