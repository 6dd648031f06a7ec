import ArgumentParser
import AuthHub
@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Testing

struct SettingsFileTests {
    @Test(arguments: ProviderProfile.builtIn.map(\.name))
    func `each command finds the account that a settings file signed in`(provider: String) async throws {
        try await Tool.using(provider: provider) { tool in
            let file = try tool.settingsFile(for: provider, more: #", "name": "My Service""#)
            let login = try await tool.runInTurn(["login", "--settings", file, "--headless", "--user", Tool.user, "-o", "json"])
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try login.json()["signed_in"] == true)

            let status = try await tool.runInTurn(["status", "-o", "json"])
            #expect(status.status == 0, "\(status.errorText)")
            #expect(try status.json()["provider"]?.string == provider)
            #expect(try status.json()["name"] == "My Service")
            #expect(try await tool.runInTurn(["status"]).text.contains("My Service (\(provider)) at \(tool.server.issuer)"))

            let token = try await tool.runInTurn(["token"])
            #expect(token.status == 0 && !token.text.isEmpty, "\(token.errorText)")
            let person = try await tool.runInTurn(["whoami", "-o", "json"])
            if person.status == 0 {
                let claims = try person.json()
                #expect(claims["login"] == "octocat" || claims["id"] == "583231")
            } else {
                #expect(!provider.hasPrefix("github") && !provider.hasPrefix("anilist"))
                #expect(try person.errorJSON()["code"] == "not_offered", "\(person.errorText)")
            }

            let again = try await tool.runInTurn(["login", "--headless", "--user", Tool.user])
            #expect(again.status == 0, "\(again.errorText)")
            _ = try await tool.next(after: again)
            var logout = try await tool.runInTurn(["logout"])
            // A busy machine may miss the limit of ten seconds. The tool then says that the command can be repeated.
            for _ in 0..<5 where logout.status == 6 { logout = try await tool.runInTurn(["logout"]) }
            #expect(logout.status == 0, "\(logout.errorText)")
            #expect(try await tool.runInTurn(["status"]).status == 4)
            #expect(try await tool.records().isEmpty)
        }
    }

    @Test func `an AniList client that has a secret signs in with a code, by options and by a file`() async throws {
        try await Tool.using(provider: "anilist-with-secret") { tool in
            let file = try tool.settingsFile(for: "anilist-with-secret")
            let text = try tool.folder.read("settings.json").replacing("anilist-with-secret", with: "anilist")
            _ = try tool.folder.write(text, to: "settings.json")
            #expect(try await tool.run("login", "--settings", file, "--headless", "--user", Tool.user).status == 0)
            #expect(tool.server.log.requests(path: "/api/v2/oauth/token") == 1)
            #expect(try await tool.run("whoami", "-o", "json").json()["login"] == "octocat")
            #expect(try await tool.run("logout").status == 0)

            let client = try tool.client(for: "anilist-with-secret")
            let login = try await tool.run(
                "login", "anilist", "--web", tool.server.issuer, "--client-id", client.id, "--client-secret-file",
                "\(tool.folder.path)/client-secret", "--callback", client.redirectURIs[0], "--allow-insecure-loopback", "--headless",
                "--user", Tool.user)
            #expect(login.status == 0, "\(login.errorText)")
            #expect(tool.server.log.requests(path: "/api/v2/oauth/token") == 2)
            #expect(try await tool.run("whoami", "-o", "json").json()["login"] == "octocat")
        }
    }

    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let provider: String
        let members: String
        let words: String
        /// The member and the option that the messages name, and the explanation for both.
        let member: String
        let option: String
        let problem: String
    }

    static let places: [Place] = [
        Place(
            testDescription: "another origin for a provider with a single instance", provider: "spotify",
            members: #""place": "https://h.example""#,
            words: "--web https://h.example", member: "place", option: "--web",
            problem: "cannot be used: the provider has a fixed URL; only a development server on this machine can replace it"),
        Place(
            testDescription: "a development server without the permission for one", provider: "anilist",
            members: #""place": "http://127.0.0.1:8000""#, words: "--web http://127.0.0.1:8000", member: "place", option: "--web",
            problem: "cannot be used: the provider has a fixed URL"),
        Place(
            testDescription: "another API of AniList", provider: "anilist", members: #""api": "https://h.example""#,
            words: "--api https://h.example", member: "api", option: "--api", problem: "cannot be used: the provider has a fixed URL"),
        Place(
            testDescription: "no origin if there is no default", provider: "mastodon", members: "", words: "", member: "place",
            option: "--web", problem: "is missing: mastodon needs the URL of its server: https://HOST"),
        Place(
            testDescription: "an origin over http", provider: "gitlab", members: #""place": "http://h.example""#,
            words: "--web http://h.example",
            member: "place", option: "--web",
            problem: "must be an https URL without user information, query or fragment"),
        Place(
            testDescription: "an API with a query", provider: "github", members: #""api": "https://api.example/?a""#,
            words: "--api https://api.example/?a", member: "api", option: "--api",
            problem: "must be an https URL without user information, query or fragment"),
        Place(
            testDescription: "a tenant with a slash", provider: "microsoft", members: #""place": "a/b""#, words: "--tenant a/b",
            member: "place", option: "--tenant",
            problem: "cannot be used: the tenant is not an ID or a domain; use letters, digits, - . _ ~"),
        Place(
            testDescription: "an origin for an issuer", provider: "https://as.example", members: #""place": "https://h.example""#,
            words: "--web https://h.example", member: "place", option: "--web",
            problem: "cannot be used: the issuer's URL already says where the provider is"),
        Place(
            testDescription: "an API of an issuer", provider: "https://as.example", members: #""api": "https://h.example""#,
            words: "--api https://h.example", member: "api", option: "--api",
            problem: "cannot be used: the issuer's URL already says where the provider is"),
    ]

    @Test(arguments: ["settings.json", "my settings.json"])
    func `the command that signs in again names the settings file of a provider that only the file describes`(name: String) throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        _ = try folder.write("s", to: "secret")
        let description =
            #"{"name": "ours", "display_name": "Ours", "authorization_endpoint": "https://h.example/a", "token_endpoint": "https://h.example/t"}"#
        let file = try folder.write(
            #"{"provider": \#(description), "client_id": "c", "client_secret_file": "secret"}"#, to: name)
        let settings = try ProviderOptions.parse(["--settings", file]).request.settings(known: nil, label: "default")
        let stored = try AccountSettings(record: settings.record(label: "default"))
        #expect(LoginCommandLine(settings: stored, label: "work").text == "authhub login --settings \(file.shellWord) --as work")
        let other = try ProviderOptions.parse(["--client-id", "d"]).request.settings(known: stored, label: "default")
        #expect(LoginCommandLine(settings: other, label: "default").text.hasPrefix("authhub login ours --client-id d"))
    }

    @Test(arguments: places)
    func `rejects a settings file and options with the same words`(row: Place) throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        _ = try folder.write("s", to: "secret")
        let members = row.members.isEmpty ? "" : ", " + row.members
        let file = try folder.write(
            #"{"provider": "\#(row.provider)", "client_id": "c", "client_secret_file": "secret"\#(members)}"#, to: "settings.json")
        let ofFile = #expect(throws: Failure.self) {
            try ProviderOptions.parse(["--settings", file]).request.settings(known: nil, label: "default")
        }
        #expect(ofFile?.exit == .usage)
        #expect(ofFile?.message.hasPrefix("\(file): “\(row.member)” \(row.problem)") == true, "\(ofFile?.message ?? "")")
        let words = [row.provider, "--client-id", "c", "--client-secret-file", "\(folder.path)/secret"]
        let ofOptions = #expect(throws: Failure.self) {
            try ProviderOptions.parse(words + row.words.split(separator: " ").map(String.init)).request.settings(
                known: nil, label: "default")
        }
        #expect(ofOptions?.exit == .usage)
        #expect(ofOptions?.message.hasPrefix("\(row.option) \(row.problem)") == true, "\(ofOptions?.message ?? "")")
    }

    @Test(arguments: [
        (#""place": "http://127.0.0.1:8000""#, "--web http://127.0.0.1:8000"),
        (
            #""place": "http://127.0.0.1:8000", "api": "http://127.0.0.1:9000/graphql""#,
            "--web http://127.0.0.1:8000 --api http://127.0.0.1:9000/graphql/"
        ),
    ])
    func `a settings file and options mean the same origin`(members: String, words: String) throws {
        for provider in ProviderProfile.builtIn.map(\.name) {
            let folder = try TestFolder()
            defer { withExtendedLifetime(folder) {} }
            let secret = try folder.write("s", to: "secret")
            let file = try folder.write(
                #"{"provider": "\#(provider)", "client_id": "c", "client_secret_file": "secret", "allow_insecure_loopback_for_development": true, "#
                    + #""redirect_uri": "com.example.app:/callback", \#(members)}"#, to: "settings.json")
            let ofFile = try ProviderOptions.parse(["--settings", file]).request.settings(known: nil, label: "default").profile()
            let typed = [provider, "--client-id", "c", "--client-secret-file", secret, "--callback", "com.example.app:/callback"]
            let ofOptions = try ProviderOptions.parse(
                typed + ["--allow-insecure-loopback"] + words.split(separator: " ").map(String.init)
            ).request.settings(known: nil, label: "default").profile()
            #expect(ofFile.settings == ofOptions.settings)
            #expect(ofFile.tokenOrigins == ofOptions.tokenOrigins)
            let api = words.contains("--api") ? "http://127.0.0.1:9000" : "http://127.0.0.1:8000"
            #expect(ofFile.accountEndpoint?.hasPrefix(api) ?? true, "\(provider)")
        }
    }

    @Test(arguments: [
        (#""client_secret": "hush-hush""#, "“client_secret” must not be in this file", "“client_secret_file”"),
        (#""secret": "hush-hush""#, "“secret” must not be in this file", "“client_secret_file”"),
        (#""client_secret_file": "absent""#, "“client_secret_file” does not name a usable secret", "/absent cannot be read"),
        (#""web": "https://h.example""#, "“web” is not a known member; use provider, name, place, api", ""),
        (#""name": """#, "“name” must be a string that is not empty", ""),
        (##""name": "\u001b[2JBank""##, "“name” has invisible characters", ""),
    ])
    func `names an unusable member, and says what to write instead`(member: String, told: String, advice: String) throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.write(#"{"provider": "spotify", "client_id": "c", \#(member)}"#, to: "settings.json")
        let failure = #expect(throws: Failure.self) {
            try ProviderOptions.parse(["--settings", file]).request.settings(known: nil, label: "default")
        }
        #expect(failure?.message.hasPrefix("\(file): \(told)") == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains(advice) == true || advice.isEmpty)
        #expect(failure?.message.contains("hush-hush") == false)
    }

    @Test func `the help of login lists each member of a settings file`() {
        let help = LoginCommand.helpMessage(columns: 200)
        for member in ClientSettings.members { #expect(help.contains(member)) }
    }
}
