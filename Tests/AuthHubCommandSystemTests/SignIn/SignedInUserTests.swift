import AuthHub
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import Testing

@testable import AuthHubCommand
@testable import AuthHubCommandTests

struct SignedInUserTests {
    static let personas: [(persona: Persona, source: String)] = [(.gitHub, "account_endpoint"), (.openID, "id_token")]

    @Test(arguments: personas.indices) func `shows who is signed in, even if the server is stopped`(index: Int) async throws {
        let (persona, source) = Self.personas[index]
        let folder: Tool? = try await {
            var stopped: Tool?
            try await Tool.using(.init(persona: persona)) { tool in
                let login = try await tool.run(tool.loginWords())
                #expect(login.status == 0 && login.errorText.contains("583231"), "\(login.errorText)")
                #expect(try await tool.run("refresh").status == 0)
                stopped = tool
            }
            return stopped
        }()
        let tool = try #require(folder)
        let status = try await tool.run("status", "-o", "json").json()
        #expect(status["user"]?["id"] == "583231" && status["user"]?["source"]?.string == source, "\(status)")
        #expect(status["user"]?["name"] == "octocat", "\(status)")
        let text = try await tool.run("status").text
        #expect(text.contains("\nuser") && text.contains("583231"), "\(text)")
        let accounts = try await tool.run("accounts", "-o", "json").json().array
        #expect(accounts?.first?["user"]?["id"] == "583231")
        #expect(try await tool.run("accounts").text.contains("octocat"))
    }

    @Test(arguments: personas.indices) func `another user does not replace the tokens without --replace`(index: Int) async throws {
        try await Tool.using(.init(persona: Self.personas[index].persona)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let before = try tool.storedCredential()
            let other = tool.asMona
            let words = try tool.loginWords() + ["--user", "mona"]

            let refused = try await other.run(words)
            #expect(refused.status == 1 && refused.text.isEmpty, "\(refused.errorText)")
            #expect(refused.errorText.contains("583231") && refused.errorText.contains("92997159"), "\(refused.errorText)")
            #expect(refused.errorText.contains("--replace") && refused.errorText.contains("--as NAME"), "\(refused.errorText)")
            #expect(try tool.storedCredential() == before)
            #expect(tool.server.log.revocations == 0, "the user may be signed in under another label")
            #expect(try await tool.run("request", "GET", "\(tool.server.issuer)/user").status == 0)
            #expect(try await other.run(words + ["-o", "json"]).errorText.contains(#""code":"different_user""#))

            // The same user signs in as before.
            #expect(try await tool.run(tool.loginWords()).status == 0)
            #expect(try await other.run(words + ["--replace"]).status == 0)
            #expect(try await tool.run("status", "-o", "json").json()["user"]?["id"] == "92997159")
            #expect(try await tool.run("whoami", "-o", "json").json()["id"] == "92997159")
        }
    }

    @Test func `a token of a different user does not replace the tokens either, and stays valid`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            #expect(try await tool.asMona.run(tool.loginWords(as: "mona") + ["--user", "mona"]).status == 0)
            let before = try tool.storedCredential()
            let token = try #require(tool.storedCredential("mona")["access_token"]?.string)
            // Without the options of the built-in user agent.
            let words = try Array(tool.loginWords().dropLast(3)) + ["--with-token", "-"]

            let rejected = try await tool.run(words, input: token)
            #expect(rejected.status == 1, "\(rejected.errorText)")
            #expect(rejected.errorText.contains("583231") && rejected.errorText.contains("92997159"), "\(rejected.errorText)")
            #expect(try tool.storedCredential() == before)
            #expect(tool.server.log.revocations == 0)

            #expect(try await tool.run(words + ["--replace"], input: token).status == 0)
            #expect(try await tool.run("status", "-o", "json").json()["user"]?["id"] == "92997159")
        }
    }

    @Test func `another user under another label is not compared`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let login = try await tool.asMona.run(tool.loginWords(as: "mona") + ["--user", "mona"])
            #expect(login.status == 0, "\(login.errorText)")
            let users = try await tool.run("accounts", "-o", "json").json().array?.map { $0["user"]?["name"] }
            #expect(users == ["octocat", "mona"])
        }
    }

    @Test func `a server that does not say who signed in does not prevent the sign-in`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let words = [
                "login", tool.server.issuer, "--client-id", "native-app", "--scope", "profile", "--allow-insecure-loopback", "--headless",
                "--user", Tool.user,
            ]
            let login = try await tool.run(words)
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try await tool.run("status", "-o", "json").json()["user"] == .null)
            #expect(tool.server.log.requests(path: "/userinfo") == 0)
        }
    }

    @Test func `AniList's users are told apart`() async throws {
        try await Tool.using(provider: "anilist") { tool in
            let file = try tool.settingsFile(for: "anilist")
            let words = ["login", "--settings", file, "--headless"]
            #expect(try await tool.run(words + ["--user", Tool.user]).status == 0)
            let status = try await tool.run("status", "-o", "json").json()
            #expect(status["user"] == ["id": "583231", "name": "octocat", "source": "account_endpoint"], "\(status)")
            let refused = try await tool.asMona.run(words + ["--user", "mona"])
            #expect(refused.status == 1 && refused.errorText.contains("mona (user ID 92997159) signed in"), "\(refused.errorText)")
            #expect(try await tool.run("whoami", "-o", "json").json()["id"] == "583231")
        }
    }

    #if canImport(Glibc)
    static let answers: [(typed: String, status: String, user: String)] = [
        ("yes\n", "0", "92997159"), ("\n", "1", "583231"), ("\u{3}", "130", "583231"),
    ]

    @Test(.timeLimit(.minutes(15)), arguments: answers.indices)
    func `on a terminal, the command asks whether to replace the user`(index: Int) async throws {
        let (typed, status, user) = Self.answers[index]
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let words = try tool.loginWords() + ["--user", "mona"]
            // Ctrl-C must not end the shell.
            let script = "trap : INT; \"$@\"; echo It has ended with $?."
            let terminal = try TerminalProcess(["sh", "-c", script, "sh", Tool.path] + words, environment: tool.asMona.environment)
            let question = await terminal.shown(with: "Type yes")
            #expect(question.contains("“default” belongs to") && question.contains("583231"), "\(question)")
            terminal.type(typed)
            let end = await terminal.shown(with: "It has ended with ")
            #expect(end.contains("It has ended with \(status)."), "\(end)")
            #expect(try await tool.run("status", "-o", "json").json()["user"]?["id"]?.string == user)
        }
    }
    #endif
}

extension Tool {
    /// The same tool, whose user at the server is another.
    var asMona: Tool {
        var tool = self
        tool.environment["AUTHHUB_HEADLESS_PASSWORD"] = "mona-password"
        return tool
    }
}

extension RequestLog {
    /// The number of successful revocations.
    fileprivate var revocations: Int {
        entries.count { ($0.method == "DELETE" || $0.path.hasSuffix("/revoke")) && (200..<300).contains($0.status ?? 0) }
    }
}
