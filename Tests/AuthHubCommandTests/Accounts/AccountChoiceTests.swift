import AuthHubPrimitives
import OAuthProtocol
import Testing

@testable import AuthHubCommand

struct AccountChoiceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var option: String?
        var variable: String?
        var folder: String?
        var bindings: [(url: String, account: String)] = []
        var current: String?
        /// The only account; nil for all.
        var only: String?
        var url: String?
        /// The chosen label and the name of the rule; nil if there is no choice.
        let expected: (String, String)?
        /// Text in the failure.
        var says: [String] = []
    }

    private static let gitHub = Origin(scheme: "https", host: "api.github.com", port: 443)
    private static let gitLab = Origin(scheme: "https", host: "gitlab.com", port: 443)

    /// Two accounts at one server, one at another, and one that was signed in without a label.
    private static let accounts: [AccountSituation.Candidate] = [
        .init(label: "default"), .init(label: "lab", origins: [gitLab]), .init(label: "private", origins: [gitHub]),
        .init(label: "work", origins: [gitHub]),
        .init(label: "mcp", resource: ResourceIndicator("https://gitlab.com/mcp")),
        .init(label: "tools", resource: ResourceIndicator("https://gitlab.com/mcp/tools")),
    ]
    private static let user = "https://api.github.com/user"
    private static let organization = "https://api.github.com/orgs/example/repos?page=2"

    static let rows: [Row] = [
        Row(testDescription: "nothing names an account: the usual label", expected: ("default", "default")),
        Row(
            testDescription: "MC17 the account of the nearest resource wins over that of the server",
            url: "https://gitlab.com/mcp/tools/1", expected: ("tools", "origin")),
        Row(
            testDescription: "MC17 the account of a resource is not used for other paths", url: "https://gitlab.com/mcpx",
            expected: ("lab", "origin")),
        Row(testDescription: "the only account", only: "mcp", expected: ("mcp", "only")),
        Row(testDescription: "the only account has the usual label", only: "default", expected: ("default", "default")),
        Row(testDescription: "the only account is not for another server", only: "mcp", url: user, expected: ("default", "default")),
        Row(testDescription: "the current account wins over the only one", current: "gone", only: "mcp", expected: ("gone", "current")),
        Row(testDescription: "the current account", current: "work", expected: ("work", "current")),
        Row(
            testDescription: "--as wins over everything", option: "lab", variable: "work", folder: "private",
            bindings: [(Self.user, "private")], current: "work", url: user, expected: ("lab", "option")),
        Row(testDescription: "--as may name an unknown account, which the command reports", option: "new", expected: ("new", "option")),
        Row(
            testDescription: "the environment wins over the folder", variable: "work", folder: "private", current: "lab", url: user,
            expected: ("work", "variable")),
        Row(
            testDescription: "the folder wins over the address", folder: "private", bindings: [(user, "work")], current: "work", url: user,
            expected: ("private", "folder")),
        Row(
            testDescription: "the folder wins over the only account of a server", folder: "work", url: "https://gitlab.com/api",
            expected: ("work", "folder")),
        Row(
            testDescription: "a folder can only name an existing account", folder: "admin", current: "work", expected: nil,
            says: [
                "the binding of /f", "“admin”", "default, lab, private, work, mcp, tools", "authhub accounts unbind --folder /f;",
                "--as NAME",
            ]),
        Row(
            testDescription: "the only account of a server", current: "work", url: "https://gitlab.com/api/v4/user",
            expected: ("lab", "origin")),
        Row(testDescription: "another port is another server", url: "https://gitlab.com:8443/", expected: ("default", "default")),
        Row(testDescription: "http is another server", url: "http://gitlab.com/", expected: ("default", "default")),
        Row(
            testDescription: "two accounts at one server, and the current one is neither", url: user, expected: nil,
            says: ["private, work", "https://api.github.com", "authhub accounts bind NAME --host api.github.com"]),
        Row(
            testDescription: "two accounts at one server, and the current one is another", current: "lab", url: user, expected: nil,
            says: ["private, work"]),
        Row(
            testDescription: "two accounts at one server, and the current one is one of them", current: "private", url: user,
            expected: ("private", "current")),
        Row(
            testDescription: "two accounts at one server, and a binding", bindings: [("https://api.github.com", "work")],
            current: "private", url: user, expected: ("work", "binding")),
        Row(
            testDescription: "the longest path decides",
            bindings: [
                ("https://api.github.com/orgs/example", "work"), ("https://api.github.com", "private"),
                ("https://api.github.com/orgs", "lab"),
            ], url: organization, expected: ("work", "binding")),
        Row(
            testDescription: "a path is a whole part of the URL's", bindings: [("https://api.github.com/orgs/exam", "work")],
            current: "private", url: organization, expected: ("private", "current")),
        Row(
            testDescription: "a path does not match the query", bindings: [("https://api.github.com/user/x", "work")], current: "private",
            url: "https://api.github.com/user?/x", expected: ("private", "current")),
        Row(
            testDescription: "a binding wins over the only account of a server", bindings: [("https://gitlab.com", "work")],
            url: "https://gitlab.com/", expected: ("work", "binding")),
        Row(
            testDescription: "a binding to an account that was removed", bindings: [("https://gitlab.com/a", "gone")],
            url: "https://gitlab.com/a", expected: nil,
            says: ["https://gitlab.com/a", "“gone”", "authhub accounts unbind --host gitlab.com --path /a"]),
        Row(
            testDescription: "a binding of another server", bindings: [("https://gitlab.com", "work")], url: "https://other.example/",
            expected: ("default", "default")),
        Row(testDescription: "a server of no account", current: "work", url: "https://other.example/", expected: ("work", "current")),
        Row(testDescription: "a URL that cannot be read", current: "work", url: "ftp://x", expected: ("work", "current")),
    ]

    @Test(arguments: rows) func `the first rule that names an account decides`(row: Row) throws {
        var situation = AccountSituation(option: row.option, variable: row.variable)
        situation.folder = row.folder.map { FolderAccount(label: $0, place: .rules("/f")) }
        situation.rules.current = row.current
        for (url, account) in row.bindings {
            let target = try #require(RequestTarget(url))
            let path = target.path == "/" ? "" : target.path
            situation.rules.bind(.init(origin: try #require(Origin(url: url)), path: path, account: account))
        }
        situation.target = row.url.flatMap { RequestTarget($0) }
        situation.accounts = Self.accounts.filter { row.only == nil || $0.label == row.only }
        do {
            let choice = try situation.choice()
            let expected = try #require(row.expected, "“\(choice.label)” was chosen")
            #expect(choice.label == expected.0)
            #expect(choice.rule.name == expected.1)
        } catch let failure as Failure {
            #expect(row.expected == nil, "\(failure.message)")
            for text in row.says { #expect("\(failure.message)\n\(failure.hint)".contains(text), "\(failure.message)\n\(failure.hint)") }
        }
    }

    @Test func `stored rules are read as they were written`() throws {
        var rules = AccountRules(current: "work")
        rules.bind(.init(origin: Self.gitHub, path: "/orgs/a", account: "work"))
        rules.bind(.init(origin: Self.gitHub, path: "", account: "lab"))
        rules.bind(.init(origin: Self.gitHub, path: "", account: "private"))
        rules.folders = ["/f": "work", "/g/h": "gone"]
        #expect(rules.bindings.count == 2)
        #expect(AccountRules(json: rules.json.serialized()) == rules)
        rules.rename("private", to: "home")
        rules.rename("work", to: "job")
        #expect(rules.current == "job" && rules.bindings.map(\.account) == ["job", "home"])
        #expect(rules.folders == ["/f": "job", "/g/h": "gone"])
        rules.keep(only: ["home"])
        #expect(rules.current == nil && rules.bindings.map(\.account) == ["home"] && rules.folders.isEmpty)
        for damaged in [
            "", "[]", "{}", #"{"format":2,"bindings":[]}"#, #"{"format":1,"bindings":[{"origin":"x"}]}"#,
            #"{"format":1,"bindings":[],"folders":[{"path":"/f"}]}"#,
        ] {
            #expect(AccountRules(json: Array(damaged.utf8)) == nil, "\(damaged)")
        }
        #expect(AccountRules(json: Array(#"{"format":1,"bindings":[]}"#.utf8)) == AccountRules())
    }

    @Test func `commands name the usual account only if another one would be used`() {
        #expect(AccountOptions.suffix("default").isEmpty)
        #expect(AccountOptions.suffix("default", isExplicit: true) == " --as default")
        for surroundings in [
            AccountEnvironment(variable: "work"), AccountEnvironment(rules: AccountRules(current: "work")),
            AccountEnvironment(folder: FolderAccount(label: "work", place: .git("/"))),
            AccountEnvironment(problem: .usage("a", hint: "b")),
        ] {
            AccountEnvironment.$current.withValue(surroundings) { #expect(AccountOptions.suffix("default") == " --as default") }
        }
        AccountEnvironment.$current.withValue(AccountEnvironment(variable: "default", rules: AccountRules(current: "work"))) {
            #expect(AccountOptions.suffix("default").isEmpty)
        }
    }
}
