import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

struct AccountResponseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let profile: ProviderProfile
        let body: String
        /// The identifier and the name; nil if the response does not name a user.
        let expected: (String, String?)?

        init(_ testDescription: String, _ profile: ProviderProfile, _ body: String, _ expected: (String, String?)?) {
            self.testDescription = testDescription
            self.profile = profile
            self.body = body
            self.expected = expected
        }
    }

    private static let openID = ProviderProfile(name: "p", displayName: "P")

    /// The responses are as in the documentation of the providers.
    static let rows: [Row] = [
        Row("GitHub", .gitHub, #"{"login":"octocat","id":1,"name":"monalisa octocat"}"#, ("1", "octocat")),
        Row("AniList", .aniList, #"{"data":{"Viewer":{"id":7,"name":"Josh"}}}"#, ("7", "Josh")),
        Row("AniList without a viewer", .aniList, #"{"errors":[{"message":"Invalid token"}],"data":{"Viewer":null}}"#, nil),
        Row("X", .x, #"{"data":{"id":"2244994945","name":"X Dev","username":"XDevelopers"}}"#, ("2244994945", "XDevelopers")),
        Row("Slack", .slack, #"{"ok":true,"team":"T","user":"grace","team_id":"T1","user_id":"W1"}"#, ("W1", "grace")),
        Row("Slack with an error", .slack, #"{"ok":false,"error":"invalid_auth"}"#, nil),
        Row(
            "Notion", .notion,
            #"{"object":"user","id":"b","name":"Bot","bot":{"owner":{"type":"user","user":{"id":"u","name":"Avo"}}}}"#, ("u", "Avo")),
        Row("Notion for a workspace", .notion, #"{"object":"user","id":"b","bot":{"owner":{"type":"workspace"}}}"#, nil),
        Row("Twitch", .twitch, #"{"data":[{"id":"141981764","login":"twitchdev"}]}"#, ("141981764", "twitchdev")),
        Row("Twitch without a user", .twitch, #"{"data":[]}"#, nil),
        Row(
            "TikTok, whose successful responses have an error", .tikTok,
            #"{"data":{"user":{"open_id":"o","display_name":"D"}},"error":{"code":"ok","message":""}}"#, ("o", "D")),
        Row("Fitbit", .fitbit, #"{"user":{"encodedId":"ABC","displayName":"Jo"}}"#, ("ABC", "Jo")),
        Row("Strava without a user name", .strava, #"{"id":1234567890987654321,"username":null}"#, ("1234567890987654321", nil)),
        Row("Spotify", .spotify, #"{"id":"smedjan","display_name":"JM"}"#, ("smedjan", "JM")),
        Row("UserInfo", openID, #"{"sub":"248289761001","name":"Jane Doe","preferred_username":"j.doe"}"#, ("248289761001", "j.doe")),
        Row("UserInfo with only a subject", openID, #"{"sub":"s"}"#, ("s", nil)),
        Row("UserInfo with an error and the status 200", openID, #"{"sub":"s","error":"server_error"}"#, nil),
        Row("UserInfo in another format", openID, #"{"id":"s"}"#, nil),
        Row("an empty subject", openID, #"{"sub":""}"#, nil),
        Row("a subject that is not a string", openID, #"{"sub":{"a":1}}"#, nil),
        Row("a fraction", .gitHub, #"{"id":1.5}"#, nil),
        Row("a list", .gitHub, "[1]", nil),
        Row("not JSON", .gitHub, "<html>", nil),
    ]

    @Test(arguments: rows) func `reads the user in the provider's own format`(row: Row) {
        let response = AccountResponse(Array(row.body.utf8), from: row.profile)
        #expect(response?.id == row.expected?.0)
        #expect(response?.name == row.expected?.1)
    }

    @Test func `each built-in provider with an account endpoint says how to read it, or has UserInfo`() throws {
        for provider in ProviderProfile.builtIn {
            let place: String? = if case .url(nil) = provider.place { "https://h.example" } else { nil }
            let profile = try provider.profile(at: place)
            guard profile.accountEndpoint != profile.endpoints?.userInfo else { continue }
            #expect(profile.quirks.account.id != nil, "\(profile.name)")
        }
    }
}
