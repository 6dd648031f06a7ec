#if canImport(Glibc)
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// Messages for terminals and locales of all kinds.
struct PlainTextTests {
    @Test(arguments: [("C", false), ("POSIX", false), ("C.UTF-8", true), ("en_US.utf8", true)])
    func `quotes are plain in a locale without Unicode, except in JSON`(locale: String, isUnicode: Bool) async throws {
        try await Tool.using { tool in
            var tool = tool
            tool.environment["LC_ALL"] = locale
            let text = try await tool.run("token").errorText
            #expect(text.contains("“default”") == isUnicode, "\(text)")
            #expect(text.contains("as \"default\"") == !isUnicode, "\(text)")
            #expect(try await tool.run("token", "-o", "json").errorJSON()["message"] == "no one is signed in as “default”")
        }
    }

    @Test(.timeLimit(.minutes(15)), arguments: [("foot", true), ("dumb", false)])
    func `the page's URL is a link if the terminal supports links`(terminalName: String, isLink: Bool) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let words = ["login", tool.server.issuer, "--client-id", "native-app", "--allow-insecure-loopback", "--browser", "none"]
            let environment = tool.environment.merging(["TERM": terminalName, "NO_COLOR": "1"]) { $1 }
            let terminal = try TerminalProcess([Tool.path] + words, environment: environment)
            let shown = await terminal.shown(with: "Press p")
            #expect(shown.contains("\u{1B}]8;;\(tool.server.issuer)/authorize?") == isLink, "\(shown)")
            #expect(shown.contains("\u{1B}]8;;\u{1B}\\") == isLink)
            while terminal.isPlain { await Task.yield() }
            terminal.type("\u{3}")
            _ = await terminal.shown { _ in false }
            // The link is not written to a pipe.
            var tool = tool
            tool.environment["TERM"] = terminalName
            let piped = try await tool.run(tool.loginWords())
            #expect(piped.status == 0 && !piped.errorText.contains("\u{1B}]8"), "\(piped.errorText)")
        }
    }

    @Test func `server_error at the callback is the server's problem, not the network's`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let changes: [AnswerChange] = [.parameter("code", nil), .parameter("error", "server_error")]
            tool.server.faults.always(at: .authorization, .altered(changes))
            let output = try await tool.run(tool.loginWords() + ["-o", "json"])
            let last = try #require(output.errorText.split(separator: "\n").last)
            #expect(output.status == 6 && last.contains(#""code":"server_failed""#), "\(output.errorText)")
            #expect(!last.contains("network"), "\(last)")
        }
    }

    @Test func `an account on this machine needs the option for http only once`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            for words in [["login"], ["login", "github-app"], ["login", "github-app", "--web", tool.server.issuer]] {
                let again = try await tool.run(words + ["--headless", "--user", Tool.user])
                #expect(again.status == 0, "\(words): \(again.errorText)")
            }
            let request = try await tool.run("request", "GET", tool.server.issuer + "/user")
            #expect(request.status == 0, "\(request.errorText)")
        }
    }
}
#endif
