import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Testing

struct ProviderTests {
    @Test func `all known providers are listed, and each is shown in full`() async throws {
        try await Tool.using { tool in
            let list = try await tool.run("provider", "list", "-o", "json").json().array ?? []
            #expect(list.compactMap { $0["name"]?.string } == ProviderProfile.known.map(\.name))
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

    @Test func `a provider that is added is listed, shown, and signed in to by its name, with its habits`() async throws {
        try await Tool.using(.init(persona: .slack)) { tool in
            let file = try tool.folder.write(try Self.described("slack", as: "our-chat", at: tool.server.issuer), to: "chat.json")
            let added = try await tool.run("provider", "add", file)
            #expect(added.status == 0, "\(added.errorText)")
            #expect(try await tool.run("provider", "list").text.contains("our-chat"))
            let shown = try await tool.run("provider", "show", "our-chat", "-o", "json").json()
            #expect(shown["answers"]?["envelope"] == "authed_user")

            let secret = try tool.folder.write("development-secret-of-the-web-app", to: "secret")
            let words = [
                "login", "our-chat", "--client-id", "web-app", "--client-secret-file", secret, "--headless", "--user", Tool.user,
                "--allow-insecure-loopback",
            ]
            let login = try await tool.run(words)
            #expect(login.status == 0, "\(login.errorText)")
            let status = try await tool.run("status", "-o", "json").json()
            #expect(status["provider"] == "our-chat")
            #expect(status["scope"]?.array == ["users:read"])
            #expect(try await tool.run("refresh").status == 0)
            #expect(try await tool.run("accounts", "list").text.contains(tool.server.issuer))
            let logout = try await tool.run("logout")
            #expect(logout.status == 0, "\(logout.errorText)")
            #expect(tool.server.log.revocations == 1)
        }
    }

    @Test func `a settings file says all that a sign-in needs, and its secret is beside it`() async throws {
        try await Tool.using(.init(persona: .twitch)) { tool in
            _ = try tool.folder.write("development-secret-of-the-web-app\n", to: "twitch-secret")
            let file = try tool.folder.write(
                """
                {"provider": \(try Self.described("twitch", as: "twitch-double", at: tool.server.issuer)), "client_id": "web-app",
                 "client_secret_file": "twitch-secret", "scopes": ["chat:read"], "allow_insecure_loopback_for_development": true}
                """, to: "settings.json")
            let login = try await tool.run("login", "--settings", file, "--headless", "--user", Tool.user)
            #expect(login.status == 0, "\(login.errorText)")
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
    func `a settings file that cannot be used is named, with its field, and nothing begins`(text: String, told: String) async throws {
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

    @Test func `a provider that is added under a known name stands in for it, which is said`() async throws {
        try await Tool.using(.init(persona: .slack)) { tool in
            let file = try tool.folder.write(try Self.described("slack", as: "github", at: tool.server.issuer), to: "mine.json")
            let added = try await tool.run("provider", "add", file)
            #expect(added.status == 0, "\(added.errorText)")
            #expect(added.errorText.contains("stands in for it"))
            let secret = try tool.folder.write("development-secret-of-the-web-app", to: "secret")
            let login = try await tool.run(
                "login", "github", "--client-id", "web-app", "--client-secret-file", secret, "--headless", "--user", Tool.user,
                "--allow-insecure-loopback")
            #expect(login.status == 0, "\(login.errorText)")
        }
    }

    @Test func `what a stranger's file says moves no cursor`() async throws {
        try await Tool.using { tool in
            let text = #"{"name":"bank","display_name":"\u001b[2JBank","issuer":"https://as.example"}"#
            let added = try await tool.run("provider", "add", try tool.folder.write(text, to: "bank.json"))
            #expect(added.status == 64)
            #expect(!added.errorText.contains("\u{1B}[2J"))
            #expect(!(try await tool.run("provider", "list").text.contains("bank")))
        }
    }

    @Test func `what does not belong to a provider is refused before anything begins`() async throws {
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

    /// A known provider's file, moved to a server and given another name.
    private static func described(_ known: String, as name: String, at address: String) throws -> String {
        struct Unknown: Error {}
        guard let provider = ProviderProfile.known(known) else { throw Unknown() }
        var profile = try provider.profile().rebased(onto: address, transport: .insecureHTTPOnLoopbackForDevelopment)
        profile.name = name
        return String(decoding: profile.settings.serialized(), as: UTF8.self)
    }
}
