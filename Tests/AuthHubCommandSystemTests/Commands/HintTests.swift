@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Testing

/// The command that the tool suggests to the user: the command that was typed, completed with the missing option.
struct HintTests {
    private func hint(_ tool: Tool, _ words: [String], status: Int32, input: String = "") async throws -> String {
        let output = try await tool.run(words + ["-o", "json"], input: input)
        #expect(output.status == status, "\(output.errorText)")
        // The output may contain the URL of the sign-in page before the error.
        let last = output.errorText.split(separator: "\n").last.map { Array($0.utf8) } ?? []
        return try #require(try JSONValue(strict: last)["hint"]?.string)
    }

    @Test func `a port that is taken leaves the rest of the command as it was typed`() async throws {
        try await Tool.using { tool in
            let users = try tool.folder.write(#"[{"login": "hubot", "password": "p"}]"#, to: "my users.json")
            let hint = try await hint(
                tool, ["serve", "--persona", "gitlab", "--users", users, "--port", String(tool.server.port)], status: 1)
            #expect(hint == "authhub serve --persona gitlab --port 0 --users '\(users)'")
        }
    }

    @Test func `the hint after a timeout is a longer timeout in seconds`() async throws {
        try await Tool.using { tool in
            let words = ["login", "gitlab", "--client-id", "c", "--port", "0", "--browser", "none", "--timeout"]
            let hint = try await hint(tool, words + ["1"], status: 5)
            #expect(hint == "authhub login gitlab --client-id c --port 0 --browser none --timeout 300")
        }
    }

    @Test func `a port that is in use is not reported as an error in the registration`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let output = try await tool.run(tool.loginWords() + ["--port", String(tool.server.port)])
            #expect(output.status == 1)
            #expect(output.errorText.contains("in use"), "\(output.errorText)")
            #expect(!output.errorText.contains("client ID"), "\(output.errorText)")
        }
    }

    @Test func `a denial is possible even if the server remembers an earlier consent`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let consent = try await tool.run(tool.loginWords())
            #expect(consent.status == 0, "\(consent.errorText)")
            let denial = try await tool.run(tool.loginWords(as: "other") + ["--deny"])
            #expect(denial.status == 3, "\(denial.errorText)")
        }
    }

    @Test func `the hint for a missing secret is the option for it`() async throws {
        try await Tool.using { tool in
            let words = ["login", "github-app", "--web", tool.server.issuer, "--allow-insecure-loopback", "--client-id", try tool.app().id]
            let hint = try await hint(tool, words + ["--headless", "--user", Tool.user], status: 1)
            #expect(hint.hasPrefix("authhub login github-app --client-id"))
            #expect(hint.hasSuffix(" --client-secret-file FILE"))
        }
    }

    @Test func `a page whose text has to be pasted is not for the built-in user agent`() async throws {
        try await Tool.using(provider: "anilist") { tool in
            let words = ["login", "anilist", "--web", tool.server.issuer, "--allow-insecure-loopback", "--client-id", "1002"]
            let hint = try await hint(tool, words + ["--callback", "pin", "--headless", "--user", Tool.user], status: 64)
            #expect(hint.contains("leave out --headless") && hint.contains("--callback loopback --port PORT"))
        }
    }

    @Test(arguments: [["login", "--client-id", "native-app", "--browser", "none"], ["discover"]])
    func `another name for this machine than the server's leads to the server's own`(words: [String]) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let other = tool.server.issuer.replacing("127.0.0.1", with: "localhost")
            let hint = try await hint(tool, [words[0], other, "--allow-insecure-loopback"] + words.dropFirst(), status: 7)
            let command = "authhub \(words[0]) \(tool.server.issuer) --allow-insecure-loopback"
            #expect(hint.hasPrefix("use the URL that the server itself uses: \(command)"), "\(hint)")
        }
    }

    @Test func `the hint is to use the settings file again if one was used`() async throws {
        try await Tool.using(provider: "gitlab") { tool in
            let file = try tool.settingsFile(for: "gitlab")
            let words = ["login", "--settings", file, "--headless", "--user", Tool.user]
            let denied = try await hint(tool, words + ["--deny"], status: 3)
            #expect(denied == "authhub login --settings \(file) --headless --user \(Tool.user), and allow access")
            #expect(try await tool.run(words).status == 0)
            let logout = try await tool.run("logout")
            #expect(logout.errorText.contains("To sign in again: authhub login --settings \(file)\n"), "\(logout.errorText)")
        }
    }

    @Test func `where a settings file was used, a client that is not accepted is looked for in it`() async throws {
        try await Tool.using(provider: "github-app") { tool in
            let file = try tool.settingsFile(for: "github-app")
            _ = try tool.folder.write("not the secret", to: "client-secret")
            let hint = try await hint(tool, ["login", "--settings", file, "--headless", "--user", Tool.user], status: 1)
            #expect(hint.hasPrefix("check “client_id” and “client_secret_file” in \(file)"), "\(hint)")
        }
    }

    @Test func `a failed sign-in to a stored account repeats only what is not stored`() async throws {
        try await Tool.using { tool in
            let typed = try tool.loginWords(as: "work")
            #expect(
                try await hint(tool, typed + ["--deny"], status: 3).contains(" --client-secret-file \(tool.folder.path)/client-secret "))
            #expect(try await tool.run(typed).status == 0)
            let words = ["login", "--as", "work", "--browser", "none", "--timeout", "1"]
            #expect(try await hint(tool, words, status: 5) == "authhub login --as work --browser none --timeout 300")
        }
    }
}
