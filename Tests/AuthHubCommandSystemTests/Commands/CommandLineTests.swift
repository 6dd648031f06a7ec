@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

struct CommandLineTests {
    /// A command that is typed while no one is signed in, and its result.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let status: Int32
        var output = ""
        var says = ""

        init(_ testDescription: String, _ words: String, _ status: Int32, output: String = "", says: String = "") {
            self.testDescription = testDescription
            self.words = words
            self.status = status
            self.output = output
            self.says = says
        }
    }

    static let rows: [Row] = [
        Row("version", "--version", 0, output: "0."),
        Row("no command: help", "", 0, output: "SUBCOMMANDS"),
        Row("help of a command", "help login", 0, output: "--client-secret-file"),
        Row("unknown command", "frobnicate", 64, says: "authhub: there is no command “frobnicate”\n  next: authhub help\n"),
        Row("command with a typo", "logni", 64, says: "no command “logni”\n  next: did you mean login? authhub help lists"),
        Row("command with a typo, and its options", "logni github --client-id c", 64, says: "did you mean login?"),
        Row("unknown command of a command", "store nosuch", 64, says: "no command “nosuch”\n  next: authhub help store\n"),
        Row("command of a command with a typo", "provider sho github", 64, says: "did you mean show? authhub help provider"),
        Row("label as an argument", "logout work", 64, says: "next: to name an account: authhub logout --as work\n"),
        Row("label with a quote as an argument", "status a'b", 64, says: "next: to name an account: authhub status --as NAME\n"),
        Row("two arguments", "status a b", 64, says: "unexpected arguments"),
        Row("help of an unknown command", "help nosuch", 64, says: "no command “nosuch”"),
        Row("help of an unknown command of a command", "help store nosuch", 64, says: "no command “nosuch”"),
        Row("help of a command of a command", "help store export", 0, output: "--passphrase-file"),
        Row("help of help", "help help", 0, output: "help"),
        Row("help of a helper", "help helper git", 0, output: "authhub.account"),
        Row("a helper without an operation", "helper git", 64, says: "<operation>"),
        Row("a helper with another word", "helper git get x", 64, says: "x"),
        Row("what the helper can do", "helper git capability", 0, output: "capability authtype"),
        Row("help of a setup", "help setup git", 0, output: "--undo"),
        Row("write and undo", "setup git --write --undo", 64, says: "together"),
        Row("undo for one server", "setup git --undo --host git.example", 64, says: "--host"),
        Row("setup without an account", "setup git", 4, says: "authhub login github"),
        Row("setup for a server", "setup git --host Git.Example:443", 0, output: "credential.https://git.example.helper"),
        Row("setup for http", "setup git --host http://git.example", 64, says: "unencrypted"),
        Row("setup for a URL with a path", "setup git --host https://git.example/a", 64, says: "--host"),
        Row("setup for a host with a path", "setup git --host git.example/a", 64, says: "--host"),
        Row("undo without a change", "setup git --undo", 0, says: "Nothing to undo"),
        Row("unknown option", "status --frobnicate", 64, says: "--frobnicate"),
        Row("unknown format", "status -o yaml", 64, says: "yaml"),
        Row("label with a quote", "status --as a'b", 64, says: "--as"),
        Row("status", "status", 4, output: "signed in  no", says: "authhub login"),
        Row("status in JSON", "status -o json", 4, output: "\"signed_in\":false", says: "\"code\":\"sign_in_needed\""),
        Row("accounts", "accounts", 0, says: "No accounts. Next: authhub login"),
        Row("accounts in JSON", "accounts list -o json", 0, output: "[]"),
        Row("help of a command of accounts", "accounts rename --help", 0, output: "<old> <new>"),
        Row("help of the choice of accounts", "help accounts", 0, output: "AUTHHUB_ACCOUNT"),
        Row("help of a binding", "help accounts bind", 0, output: "authhub.account"),
        Row("use an unknown account", "accounts use a", 1, says: "authhub accounts list"),
        Row("use the usual account", "accounts use default", 0, says: "“default” is the current account"),
        Row("bind to nothing", "accounts bind a", 64, says: "--host or --folder"),
        Row("bind to two things", "accounts bind a --host h --folder f", 64, says: "--host or --folder"),
        Row("bind a path without a server", "accounts bind a --folder f --path /p", 64, says: "--path needs --host"),
        Row("bind a path with a query", "accounts bind a --host h --path /p?q", 64, says: "no query"),
        Row("bind an unknown account", "accounts bind a --host h.example", 1, says: "there is no account “a”"),
        Row("unbind a server", "accounts unbind --host h.example", 0, says: "https://h.example was not bound to an account"),
        Row("unbind an http server", "accounts unbind --host http://h.example", 64, says: "unencrypted"),
        Row("unbind a missing folder", "accounts unbind --folder nosuch", 0, says: "was not bound to an account"),
        Row("prune nothing", "accounts prune", 0, says: "Nothing to remove"),
        Row("sign out of all accounts, and there are none", "logout --all", 0, says: "No accounts"),
        Row("sign out of all accounts and one", "logout --all --as a", 64, says: "--all and --as"),
        Row("end all server sessions", "logout --all --end-session", 64, says: "--all and --end-session"),
        Row("remove an unknown provider", "provider remove nosuch", 64, says: "authhub provider list"),
        Row("remove a built-in provider", "provider remove github", 64, says: "built in"),
        Row("rename to nothing", "accounts rename a", 64, says: "<new>"),
        Row("rename to the same", "accounts rename a a", 64, says: "already"),
        Row("rename to a label with a quote", "accounts rename a b'c", 64, says: "quotes"),
        Row("rename an unknown account", "accounts rename a b", 1, says: "authhub accounts list"),
        Row("remove nothing", "accounts remove", 64, says: "authhub accounts remove NAME"),
        Row("remove an unknown account", "accounts remove a", 1, says: "authhub accounts list"),
        Row("remove an account and damaged records", "accounts remove a --damaged", 64, says: "--damaged"),
        Row("remove damaged records only locally", "accounts remove --damaged --local", 64, says: "together"),
        Row("remove damaged records, and there are none", "accounts remove --damaged", 0, says: "No damaged records"),
        Row("token", "token", 4, says: "authhub login"),
        Row("token of a label", "token --as work", 4, says: "--as work"),
        Row("negative lifetime", "token --min-ttl=-1", 64, says: "--min-ttl"),
        Row("token without a scope", "token --scope ,", 64, says: "--scope"),
        Row("token for no API", "token --resource api", 64, says: "--resource must be an absolute URI"),
        Row("ID token with less access", "token --id --audience a", 64, says: "cannot be used with --id"),
        Row("whoami", "whoami", 4, says: "authhub login"),
        Row("help of the doctor", "doctor --help", 0, output: "loopback"),
        Row("trace into a folder", "jwks https://as.example --trace /tmp", 64, says: "name a new file"),
        Row("repos", "repos", 4, says: "authhub login"),
        Row("too many for each page", "repos --per-page 101", 64, says: "--per-page"),
        Row("refresh", "refresh", 4, says: "authhub login"),
        Row("request", "request GET https://api.example.com/", 4, says: "authhub login"),
        Row("request", "request", 64, says: "<url>"),
        Row("help of request", "request --help", 0, output: "authhub request [<method>] <url> [<options>]"),
        Row("request for a path", "request /user", 4, says: "authhub login"),
        Row("base URL over http", "login https://as.example --client-id c --base-url http://a.example", 64, says: "--base-url"),
        Row("base URL with a query", "login https://as.example --client-id c --base-url https://a.example/?b", 64, says: "has a query"),
        Row("request without a scheme", "request GET api.example.com", 64, says: "absolute"),
        Row("request with no method", "request G(ET https://api.example.com/", 64, says: "method"),
        Row("request with no header field", "request GET https://api.example.com/ -H broken", 64, says: "NAME: VALUE"),
        Row("request with a missing file", "request POST https://api.example.com/ -d @/nowhere", 64, says: "/nowhere"),
        Row("token to an http origin", "request GET https://a.example/ --send-token-to http://b.example", 64, says: "https origin"),
        Row("logout: already signed out", "logout", 0, says: "No one"),
        Row("login without a provider", "login", 64, says: "authhub login PROVIDER"),
        Row("login at a host", "login login.example.com/a --client-id c", 64, says: "type the whole URL: https://login.example.com/a"),
        Row(
            "login at a host on this machine", "login localhost:8080 --client-id c", 64,
            says: "http://localhost:8080 --allow-insecure-loopback"),
        Row("login at an unknown provider", "login nothing --client-id c", 64, says: "authhub provider list"),
        Row(
            "login to an account that is not stored", "login --as work", 64,
            says: "there is no account “work”; to create it, name a provider"),
        Row(
            "port without a redirect URI", "login gitlab --client-id c --flow device --port 1", 64,
            says: "--port cannot be used with --flow device"),
        Row(
            "callback without a redirect URI", "login gitlab --client-id c --flow device --callback pin", 64,
            says: "--callback cannot be used"),
        Row("device flow without a client ID", "login gitlab --flow device", 64, says: "next: add --client-id ID\n"),
        Row("help without a doubled default", "help status", 0, output: "help accounts\")."),
        Row("web URL over http", "login gitlab --client-id c --web http://h.example", 64, says: "--web must be an https URL without"),
        Row("login at a provider with a typo", "login gitlub --client-id c", 64, says: "next: did you mean github or gitlab?"),
        Row("provider with a typo", "provider show gihub", 64, says: "did you mean github? authhub provider list"),
        Row("login without a client ID", "login github", 64, says: "--client-id"),
        Row("http issuer", "login http://login.example.com --client-id c", 64, says: "https"),
        Row("http issuer on loopback, not allowed", "login http://127.0.0.1:1 --client-id c", 64, says: "--allow-insecure-loopback"),
        Row(
            "http issuer elsewhere, allowed", "login http://login.example.com --client-id c --allow-insecure-loopback", 64, says: "https"),
        Row(
            "endpoint over http", "login https://login.example.com --client-id c --token-endpoint http://a.example/t", 64,
            says: "--token-endpoint"),
        Row("API of an issuer", "login https://login.example.com --client-id c --api https://a.example", 64, says: "--api"),
        Row("missing secret file", "login github --client-id c --client-secret-file /nowhere", 64, says: "/nowhere"),
        Row("secret as an argument", "login github --client-id c --client-secret s3cret", 64, says: "--client-secret-file FILE"),
        Row("secret in an argument", "login github --client-id c --client-secret=s3cret", 64, says: "--client-secret-file FILE"),
        Row("client ID with a letter that is not ASCII", "login github --client-id с --browser none", 64, says: "printable ASCII"),
        Row("client ID from a prompt, the same", "introspect --client-id с", 64, says: "printable ASCII"),
        Row(
            "device flow at AniList", "login anilist --client-id c --flow device --timeout 1", 1, says: "--device-endpoint URL"),
        Row("resource over http", "discover --resource http://a.example", 64, says: "next: authhub discover --resource https://HOST/PATH"),
        Row(
            "discovery without metadata", "discover http://127.0.0.1:1/x?y --allow-insecure-loopback", 64, says: "query"),
        Row(
            "parameter of the request itself", "login github --client-id c --param state=x", 64, says: "The parameter state cannot be added"
        ),
        Row("parameter twice", "login github --client-id c --param a=1 --param a=2", 64, says: "The parameter a is given twice"),
        Row("hint twice", "login github --client-id c --login-hint a --param login_hint=b", 64, says: "login_hint is given twice"),
        Row("age as a parameter", "login github --client-id c --param max_age=5", 64, says: "The parameter max_age cannot be added"),
        Row("parameter without a value", "login github --client-id c --param state", 64, says: "--param"),
        Row("none next to another prompt", "login github --client-id c --prompt none,login", 64, says: "The prompt value none"),
        Row("prompt without a value", "login github --client-id c --prompt ,", 64, says: "--prompt"),
        Row("negative age", "login github --client-id c --max-age=-1", 64, says: "The maximum age is negative"),
        Row("class with a letter that is not ASCII", "login github --client-id c --acr é", 64, says: "visible ASCII"),
        Row(
            "options for a page without one", "login github-app --client-id c --flow device --prompt login --acr a", 64,
            says: "--prompt and --acr cannot be used with --flow device"),
        Row("scope without a name", "login github --client-id c --scope \"", 64, says: "--scope"),
        Row("redirect path without a slash", "login github --client-id c --redirect-path callback", 64, says: "slash"),
        Row("headless at a remote server", "login github --client-id c --headless --user octocat", 64, says: "this machine"),
        Row("headless with a browser", "login github --client-id c --headless --browser x", 64, says: "cannot be used with"),
        Row("user without headless", "login github --client-id c --user octocat", 64, says: "--headless"),
        Row("no browser, and no user", "login github --client-id c", 1, says: "--browser"),
        Row("browser that does not exist", "login gitlab --client-id c --port 0 --browser /nowhere/browser", 1, says: "does not exist"),
        Row(
            "server that is down", "login http://127.0.0.1:1 --client-id c --allow-insecure-loopback --browser none", 6,
            says: "cannot connect"),
        Row("sign-in that times out", "login gitlab --client-id c --port 0 --browser none --timeout 1", 5, says: "timed out"),
        Row(
            "DD11 no secret if one is required", "login github --client-id c --browser none --timeout 1", 1,
            says: "requires a client secret"),
        Row("serve for an unknown persona", "serve --persona gitlub", 64, says: "persona"),
        Row("serve on an invalid port", "serve --port 65536", 64, says: "port"),
        Row("serve with a missing list of users", "serve --users /nowhere", 64, says: "/nowhere"),
        Row("serve with users that are not JSON", "serve --users -", 64, says: "authhub: standard input is not JSON"),
        Row("serve with a fault of which a beginning is typed", "serve --fault AR02", 64, says: "use one of AR02-no-state"),
        Row(
            "serve with a fault that the persona cannot have", "serve --persona github-app --fault oidcc-client-test-invalid-aud", 64,
            says: "needs an OpenID provider; github-app issues no ID tokens\n  next: leave out --persona, or use --persona oidc"),
        Row("unknown command in JSON", "logni -o json", 64, says: "\"code\":\"usage\""),
        Row("error in JSON", "token --frobnicate -o json", 64, says: "\"code\":\"usage\""),
    ]

    @Test(arguments: rows)
    func `the typed arguments determine status, data and advice`(row: Row) async throws {
        try await Tool.using { tool in
            let output = try await tool.run(row.words.split(separator: " ").map(String.init))
            #expect(output.status == row.status, "\(output.errorText)")
            #expect(output.text.contains(row.output), "\(output.text)")
            #expect(output.errorText.contains(row.says), "\(output.errorText)")
            if row.output.isEmpty { #expect(output.text == "") }
            #expect(!output.errorText.contains("s3cret"))
        }
    }

    /// A release adds the commit that it was built from.
    @Test func `the version is that of the library`() async throws {
        try await Tool.using { tool in
            let version = try await tool.run("--version").text
            let commit = try Regex(#" \([0-9a-f]{7,40}(, modified)?\)"#)
            #expect(version.replacing(commit, with: "") == "\(AuthHubVersion.current)\n")
        }
    }

    @Test func `the help lists every exit status once`() async throws {
        try await Tool.using { tool in
            let help = try await tool.run("--help").text
            let lines = help.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
            for status in ExitStatus.allCases {
                #expect(lines.count { $0.first == String(status.rawValue) && $0.last?.hasSuffix(status.meaning) == true } == 1, "\(status)")
            }
            for variable in HelpList.variables { #expect(lines.count { $0.first == variable.name } == 1, "\(variable)") }
        }
    }

    @Test func `the only account is used, whatever its label is`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords(as: "work")).status == 0)
            let token = try tool.storedCredential("work")["access_token"]?.string ?? ""
            for words in [["token"], ["token", "--format", "raw"]] { #expect(try await tool.run(words).text == "\(token)\n") }
            let status = try await tool.run("status", "-o", "json").json()
            #expect(status["account"] == "work" && status["chosen_by"] == "only")
            // A request to another server is no reason to use it.
            let output = try await tool.run("request", "https://other.example/")
            #expect(output.status == 4 && output.errorText.contains("no account has a token for"), "\(output.errorText)")
            #expect(try await tool.run("logout").errorText.contains("Signed out “work”"))
        }
    }

    @Test func `the hint names another label that is signed in`() async throws {
        try await Tool.using { tool in
            for label in ["work", "private"] { #expect(try await tool.run(tool.loginWords(as: label)).status == 0) }
            for command in ["whoami", "status", "introspect", "revoke"] {
                let output = try await tool.run(command)
                #expect(output.errorText.contains("add --as NAME: private, work; or"), "\(command): \(output.errorText)")
            }
            let logout = try await tool.run("logout")
            #expect(logout.status == 0)
            #expect(logout.errorText == "No one was signed in as “default”\n  next: authhub accounts\n")
        }
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let output = try await tool.run("status", "--as", "deny")
            #expect(output.errorText.contains("next: leave out --as; or authhub login"), "\(output.errorText)")
        }
    }

    @Test(arguments: [["logout"], ["accounts", "remove", "work"]])
    func `a sign-out names the command that signs the same account in again`(words: [String]) async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords(as: "work")).status == 0)
            let output = try await tool.run(words == ["logout"] ? words + ["--as", "work"] : words)
            let line = try #require(output.errorText.split(separator: "\n").first { $0.hasPrefix("To sign in again: ") })
            let again = line.dropFirst("To sign in again: authhub ".count).split(separator: " ").map(String.init)
            #expect(again.starts(with: ["login", "github-app", "--client-id"]))
            let secret = "\(tool.folder.path)/client-secret"
            let login = try await tool.run(again.map { $0 == "FILE" ? secret : $0 } + ["--headless", "--user", Tool.user])
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try await tool.run("whoami", "--as", "work").status == 0)
            let unknown = try await tool.run("whoami", "--as", "other")
            #expect(!unknown.errorText.contains("login github"))
        }
    }

    struct Word: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let typed: String
    }

    @Test(arguments: [
        Word(testDescription: "plain", text: "https://a.example:8443/x", typed: "https://a.example:8443/x"),
        Word(testDescription: "empty", text: "", typed: "''"),
        Word(testDescription: "a space and characters that a shell runs", text: "a b;$(x)`y`", typed: "'a b;$(x)`y`'"),
        Word(testDescription: "a quote", text: "it's", typed: #"'it'\''s'"#),
        Word(testDescription: "a quote with a combining character", text: "'\u{301};id", typed: "''\\''\u{301};id'"),
    ])
    func `a word in a hint is one word for a shell`(word: Word) {
        #expect(word.text.shellWord == word.typed)
    }

    @Test func `an error names the next command to type, in text and in JSON`() async throws {
        try await Tool.using { tool in
            let text = try await tool.run("whoami")
            #expect(text.errorText.contains("\n  next: authhub login"))
            let json = try await tool.run("whoami", "-o", "json").errorJSON()
            #expect(json["code"] == "sign_in_needed")
            #expect(json["exit"] == 4)
            #expect(json["hint"]?.string?.hasPrefix("authhub login") == true)
            #expect(json["message"]?.string?.isEmpty == false)
        }
    }

    @Test func `colour is used in terminals, and if requested`() async throws {
        try await Tool.using { tool in
            let plain = try await tool.run("status")
            #expect(!plain.text.contains("\u{1B}"))
            let colored = try await tool.run("status", "--color", "always")
            #expect(colored.text.contains("\u{1B}["))
        }
    }

    @Test func `a secret can be read from standard input`() async throws {
        try await Tool.using { tool in
            let words = try tool.loginWords().map { $0.hasSuffix("/client-secret") ? "-" : $0 }
            let secret = try tool.app().secret?.reveal() ?? ""
            #expect(try await tool.run(words, input: secret + "\n").status == 0)
            #expect(try await tool.run("whoami").status == 0)
        }
    }
}
