import ArgumentParser
import AuthHub
@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Testing

struct ProviderTests {
    @Test func `lists all built-in providers, and shows each in full`() async throws {
        try await Tool.using { tool in
            let list = try await tool.run("provider", "list", "-o", "json").json().array ?? []
            #expect(list.compactMap { $0["name"]?.string } == ProviderProfile.builtIn.map(\.name))
            #expect(list.allSatisfy { $0["added"] == false })
            #expect(try await tool.run("provider").text.contains("spotify"))
            for name in ["google", "microsoft", "mastodon", "linkedin", "github-app"] {
                let shown = try await tool.run("provider", "show", name)
                #expect(shown.status == 0, "\(shown.errorText)")
                #expect(shown.text.contains("redirect URI") && shown.text.contains("authhub login \(name)"))
            }
            let unknown = try await tool.run("provider", "show", "gitlub")
            #expect(unknown.status == 64)
            #expect(unknown.errorText.contains("gitlub"))
        }
    }

    @Test func `lists and shows an added provider, and signs in to it by name, with its quirks`() async throws {
        try await Tool.using(.init(persona: .slack)) { tool in
            let file = try tool.folder.write(try Self.described("slack", as: "our-chat", at: tool.server.issuer), to: "chat.json")
            let added = try await tool.run("provider", "add", file)
            #expect(added.status == 0, "\(added.errorText)")
            #expect(try await tool.run("provider", "list").text.contains("our-chat"))
            let shown = try await tool.run("provider", "show", "our-chat", "-o", "json").json()
            #expect(shown["responses"]?["envelope"] == "authed_user")

            let secret = try tool.folder.write("development-secret-of-the-web-app", to: "secret")
            let words = [
                "login", "our-chat", "--client-id", "web-app", "--client-secret-file", secret, "--headless", "--user", Tool.user,
                "--allow-insecure-loopback",
            ]
            let login = try await tool.run(words)
            #expect(login.status == 0, "\(login.errorText)")
            let status = try await tool.run("status", "-o", "json").json()
            #expect(status["provider"] == "our-chat")
            #expect(status["server"] == .string(tool.server.issuer))
            #expect(status["scope"]?.array == ["users:read"])
            #expect(try await tool.run("refresh").status == 0)
            #expect(try await tool.run("accounts", "list").text.contains(tool.server.issuer))
            let logout = try await tool.run("logout")
            #expect(logout.status == 0, "\(logout.errorText)")
            #expect(tool.server.log.revocations == 1)
        }
    }

    @Test func `a settings file contains everything that a sign-in needs, and its secret is next to it`() async throws {
        try await Tool.using(.init(persona: .twitch)) { tool in
            _ = try tool.folder.write("development-secret-of-the-web-app\n", to: "twitch-secret")
            let file = try tool.folder.write(
                """
                {"provider": \(try Self.described("twitch", as: "twitch-double", at: tool.server.issuer)), "client_id": "web-app",
                 "client_secret_file": "twitch-secret", "scopes": ["chat:read"], "allow_insecure_loopback_for_development": true}
                """, to: "settings.json")
            let login = try await tool.run("login", "--settings", file, "--headless", "--user", Tool.user)
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try await tool.next(after: login) == "token", "the scope is not that of the account endpoint")
            #expect(try await tool.run("status", "-o", "json").json()["scope"]?.array == ["chat:read"])
            let account = try await tool.run("request", "GET", tool.server.issuer + "/helix/users")
            #expect(account.status == 0, "\(account.errorText)")
            #expect(try await tool.run("login", "--headless", "--user", Tool.user).status == 0, "what is kept suffices")
        }
    }

    @Test(arguments: [
        (#"{"client_id":"c"}"#, "provider"), (#"{"provider":"spotify"}"#, "client_id"),
        (#"{"provider":"spotify","client_id":"c","client_secret":"hush-hush"}"#, "client_secret"),
        (#"{"provider":"github","client_id":"c","client_secret_file":"absent"}"#, "absent"), ("nonsense", "settings.json"),
    ])
    func `names an unusable settings file with its field, and starts nothing`(text: String, told: String) async throws {
        try await Tool.using { tool in
            let file = try tool.folder.write(text, to: "settings.json")
            let login = try await tool.run("login", "--settings", file, "--headless", "--user", Tool.user)
            #expect(login.status == 64)
            #expect(login.errorText.contains(told))
            #expect(!login.errorText.contains("hush-hush"))
            #expect(tool.server.log.entries.isEmpty)
            let missing = try await tool.run("login", "--settings", file + ".gone")
            #expect(missing.status == 64)
            #expect(missing.errorText.contains("settings.json.gone"))
        }
    }

    @Test(arguments: [
        ("github", "built-in"), ("GitHub", "built-in"), ("login", "command"), ("help", "command"), ("-o", "beginning with"),
        ("--as", "beginning with"), (".x", "dot"), ("a~b", "letters"), (String(repeating: "a", count: 65), "64"),
    ])
    func `rejects a name that is built in or cannot be typed, and accepts a different one`(name: String, told: String) async throws {
        try await Tool.using(.init(persona: .slack)) { tool in
            let file = try tool.folder.write(try Self.described("slack", as: name, at: tool.server.issuer), to: "mine.json")
            let rejected = try await tool.run("provider", "add", file)
            #expect(rejected.status == 64)
            #expect(rejected.errorText.contains(told), "\(rejected.errorText)")
            let list = try await tool.run("provider", "list", "-o", "json").json().array ?? []
            #expect(list.allSatisfy { $0["added"] == false })
            guard told != "dot" else { return }
            let added = try await tool.run("provider", "add", file, "--name", "our-chat")
            #expect(added.status == 0, "\(added.errorText)")
            #expect(added.errorText.contains("Added “our-chat”"))
            #expect(try await tool.run("provider", "add", file, "--name", "our-chat").errorText.contains("Replaced “our-chat”"))
            #expect(try await tool.run("provider", "show", "our-chat", "-o", "json").json()["name"] == "our-chat")
        }
    }

    @Test(arguments: ["GitHub", "GITHUB-APP"])
    func `reports and ignores a file whose name differs from a built-in one only by case`(name: String) async throws {
        try await Tool.using(.init(persona: .slack)) { tool in
            let text = try Self.described("slack", as: "first", at: tool.server.issuer)
            _ = try await tool.run("provider", "add", try tool.folder.write(text, to: "mine.json"))
            let other = try Self.described("slack", as: name, at: tool.server.issuer)
            _ = try tool.folder.write(other, to: "store/providers/\(name).json")
            let shown = try await tool.run("provider", "show", name)
            #expect(shown.status == 64 && !shown.text.contains(tool.server.issuer), "\(shown.text)")
            #expect(shown.errorText.contains("is not used, because “\(name.lowercased())” is built in"), "\(shown.errorText)")
            let login = try await tool.run("login", name, "--client-id", "c", "--browser", "none", "--timeout", "1")
            #expect(login.status == 64, "\(login.errorText)")
            #expect(try await tool.run("provider", "list").errorText.ranges(of: "is not used").count == 1)
        }
    }

    @Test func `reports an added provider that cannot be read, and shows the others`() async throws {
        try await Tool.using(.init(persona: .slack)) { tool in
            let file = try tool.folder.write(try Self.described("slack", as: "our-chat", at: tool.server.issuer), to: "mine.json")
            #expect(try await tool.run("provider", "add", file).status == 0)
            let broken = try tool.folder.write("{", to: "store/providers/broken.json")
            let text = try await tool.run("provider", "list")
            #expect(text.status == 64)
            #expect(text.text.contains("our-chat") && text.text.contains("spotify"))
            #expect(text.errorText.contains(broken), "\(text.errorText)")
            let json = try await tool.run("provider", "list", "-o", "json")
            #expect(try json.json().array?.contains { $0["name"] == "our-chat" } == true)
            #expect(try json.errorJSON()["message"]?.string?.contains(broken) == true)

            let settings = try tool.folder.write(#"{"provider":"broken","client_id":"c"}"#, to: "settings.json")
            #expect(try await tool.run("login", "--settings", settings).errorText.contains(broken))
        }
    }

    @Test func `reports and ignores a file that an earlier version stored under a built-in name`() async throws {
        try await Tool.using(.init(persona: .slack)) { tool in
            let text = try Self.described("slack", as: "github", at: tool.server.issuer)
            _ = try await tool.run("provider", "add", try tool.folder.write(text, to: "mine.json"), "--name", "first")
            let path = try tool.folder.write(text, to: "store/providers/github.json")
            for words in [
                ["provider", "list"], ["provider", "show", "github"],
                ["login", "github", "--client-id", "c", "--browser", "none", "--timeout", "1"],
            ] {
                let output = try await tool.run(words)
                #expect(output.errorText.ranges(of: "is not used").count == 1, "\(words): \(output.errorText)")
                #expect(output.errorText.contains("authhub provider add \(path) --name NAME"))
            }
            let shown = try await tool.run("provider", "show", "github", "-o", "json").json()
            #expect(shown["authorization_endpoint"] == "https://github.com/login/oauth/authorize")
            #expect(try await tool.run("provider", "add", path, "--name", "second").status == 0)
            #expect(try await tool.run("provider", "list").text.contains("second"))
        }
    }

    @Test(arguments: ProviderProfile.builtIn.map(\.name))
    func `the advice without a client ID is accepted with one`(name: String) throws {
        let places = ["mastodon": ["--web", "https://mastodon.example"], "github-enterprise": ["--web", "https://github.example"]]
        let words = [name] + (places[name] ?? [])
        let advised = #expect(throws: Failure.self) { try ProviderOptions.parse(words).request.settings(known: nil, label: "default") }
        let hint = try #require(advised?.hint)
        #expect(hint.hasPrefix("add --client-id ID"))
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let secret = try folder.write("s3cret", to: "secret")
        let options = hint.dropFirst("add ".count).split(separator: " ").map { $0 == "FILE" ? secret : String($0) }
        let settings = try ProviderOptions.parse(words + options).request.settings(known: nil, label: "default")
        #expect(settings.client.id == "ID" && (settings.client.secret != nil) == hint.contains("FILE"))
        // Host names are case-insensitive.
        #expect(advised?.message.lowercased().contains("with the redirect uri \(settings.client.redirectURI)") == true)
        let facts = try ProviderFacts(#require(ProviderProfile.builtIn(name)))
        #expect(facts.text(Style(isColored: false)).contains(hint.dropFirst("add ".count)))
    }

    @Test func `text from an untrusted file cannot move the cursor`() async throws {
        try await Tool.using { tool in
            let text = #"{"name":"bank","display_name":"\u001b[2JBank","issuer":"https://as.example"}"#
            let added = try await tool.run("provider", "add", try tool.folder.write(text, to: "bank.json"))
            #expect(added.status == 64)
            #expect(!added.errorText.contains("\u{1B}[2J"))
            #expect(!(try await tool.run("provider", "list").text.contains("bank")))
        }
    }

    @Test func `rejects options that do not apply to a provider before anything starts`() async throws {
        try await Tool.using { tool in
            for words in [
                ["login", "spotify", "--client-id", "c", "--web", "https://h.example"], ["login", "mastodon", "--client-id", "c"],
                ["login", "google", "--client-id", "c", "--tenant", "t"], ["login", "google", "--settings", "f"],
                ["provider", "add", "/nonexistent"],
            ] {
                let output = try await tool.run(words)
                #expect(output.status == 64, "\(words)")
            }
        }
    }

    /// Returns a built-in provider's file with another name and with the URLs of a test server.
    private static func described(_ known: String, as name: String, at address: String) throws -> String {
        struct Unknown: Error {}
        guard let provider = ProviderProfile.builtIn(known) else { throw Unknown() }
        var profile = try provider.profile().rebased(onto: address, transport: .insecureHTTPOnLoopbackForDevelopment)
        profile.name = name
        return String(decoding: profile.settings.serialized(), as: UTF8.self)
    }
}
