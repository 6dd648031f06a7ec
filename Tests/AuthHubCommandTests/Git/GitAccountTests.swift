import AuthHubPrimitives
import OAuthProtocol
import Testing

@testable import AuthHubCommand

struct GitAccountTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let url: String
        let account: GitAccount
        let isServed: Bool

        init(_ testDescription: String, _ url: String, _ profile: ProviderProfile, insecure: Bool = false, _ isServed: Bool) {
            self.testDescription = testDescription
            self.url = url
            account = GitAccount(label: "a", profile: profile, allowsInsecureLoopback: insecure)
            self.isServed = isServed
        }
    }

    private static let onLoopback = ProviderProfile.gitHubApp(
        web: "http://127.0.0.1:8080", api: "http://127.0.0.1:8080", transport: .insecureHTTPOnLoopbackForDevelopment)
    private static let abroad = ProviderProfile.gitHubApp(web: "http://git.example", api: "http://git.example")
    private static let issuer: ProviderProfile = {
        var profile = ProviderProfile(name: "https://id.example", displayName: "I", issuer: "https://id.example")
        profile.resourceOrigins = [Origin(scheme: "https", host: "id.example", port: 443)]
        return profile
    }()

    static let rows: [Row] = [
        Row("the web server of GitHub", "https://github.com", .gitHub, true),
        Row("the API of GitHub", "https://api.github.com", .gitHub, true),
        Row("GitHub's gists", "https://gist.github.com", .gitHub, true),
        Row("GitHub over http", "http://github.com", .gitHub, false),
        Row("another port", "https://github.com:8443", .gitHub, false),
        Row("a name that only begins like it", "https://github.com.evil.example", .gitHub, false),
        Row("a name with a trailing dot", "https://github.com.", .gitHub, false),
        Row("another GitHub", "https://git.example", .gitHub, false),
        Row("gists belong to github.com only", "https://gist.github.com", onLoopback, insecure: true, false),
        Row("GitHub Enterprise", "https://git.example", .gitHubEnterprise(web: "https://git.example"), true),
        Row("GitLab", "https://gitlab.com", .gitLab(), true),
        Row("a self-managed GitLab", "https://git.example", .gitLab(base: "https://git.example"), true),
        Row("Codeberg", "https://codeberg.org", .forgejo(), true),
        Row("Azure DevOps", "https://dev.azure.com", .azureDevOps(), true),
        Row("Azure DevOps does not get the tokens of Microsoft Graph", "https://dev.azure.com", .microsoft(), false),
        Row("an issuer", "https://id.example", issuer, true),
        Row("loopback, if the account allows it", "http://127.0.0.1:8080", onLoopback, insecure: true, true),
        Row("loopback, if it does not", "http://127.0.0.1:8080", onLoopback, false),
        Row("another port of loopback", "http://127.0.0.1:8081", onLoopback, insecure: true, false),
        Row("http outside this machine", "http://git.example", abroad, insecure: true, false),
    ]

    @Test(arguments: rows)
    func `an account serves only its own servers`(row: Row) throws {
        #expect(row.account.serves(try #require(Origin(url: row.url))) == row.isServed)
    }

    @Test(arguments: [
        (ProviderProfile.gitHub, ["https://gist.github.com", "https://github.com"]), (.gitLab(), ["https://gitlab.com"]),
        (.bitbucket, ["https://bitbucket.org"]), (.azureDevOps(), ["https://dev.azure.com"]), (.google, []),
    ])
    func `git is configured for the servers that host repositories`(profile: ProviderProfile, origins: [String]) {
        #expect(GitAccount(label: "a", profile: profile).repositories.map(\.description).sorted() == origins)
    }

    struct Choice: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let accounts: [String]
        let users: [String: Set<String>]
        let userName: String?
        let preferred: [String]
        let expected: GitAccountChoice

        init(
            _ testDescription: String, accounts: [String] = ["work", "private"], users: [String: Set<String>] = [:],
            userName: String? = nil, preferred: [String] = [], _ expected: GitAccountChoice
        ) {
            self.testDescription = testDescription
            self.accounts = accounts
            self.users = users
            self.userName = userName
            self.preferred = preferred
            self.expected = expected
        }
    }

    static let choices: [Choice] = [
        Choice("no account", accounts: [], userName: "work", .none),
        Choice("one account", accounts: ["work"], .account("work")),
        Choice("one account of an unknown user", accounts: ["work"], userName: "mona", .account("work")),
        Choice("one account of another user", accounts: ["work"], users: ["work": ["octocat"]], userName: "mona", .none),
        Choice(
            "one account, and a name that all users share", accounts: ["work"], users: ["work": ["octocat"]], userName: "oauth2",
            .account("work")),
        Choice("two accounts", .ambiguous(["work", "private"])),
        Choice("the label", userName: "Private", .account("private")),
        Choice("the user name", users: ["private": ["mona", "mona@example.com"]], userName: "mona", .account("private")),
        Choice("the e-mail address", users: ["private": ["mona", "mona@example.com"]], userName: "Mona@example.com", .account("private")),
        Choice("a name that fits neither", userName: "mona", .ambiguous(["work", "private"])),
        Choice("a name that the first user does not have", users: ["work": ["octocat"]], userName: "mona", .account("private")),
        Choice("a rule", preferred: ["private"], .account("private")),
        Choice("a rule names an account of another server", preferred: ["other"], .ambiguous(["work", "private"])),
        Choice("the first rule that fits decides", preferred: ["other", "private", "work"], .account("private")),
        Choice("the name in the URL comes first", userName: "work", preferred: ["private"], .account("work")),
        Choice("a rule does not override the only account", accounts: ["work"], preferred: ["private"], .account("work")),
    ]

    @Test(arguments: choices)
    func `chooses the account that is meant, or none`(row: Choice) async {
        let accounts = row.accounts.map { GitAccount(label: $0, profile: .gitHub, userNames: row.users[$0] ?? []) }
        let choice = await GitAccountChoice(among: accounts, userName: row.userName) { row.preferred }
        #expect(choice == row.expected)
    }
}
