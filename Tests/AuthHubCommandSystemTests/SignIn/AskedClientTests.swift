#if canImport(Glibc)
import AuthHubPrimitives
import Platform
@testable import AuthHubCommandTests
import DevelopmentServer
import Testing

/// Logins without a client ID, in a terminal.
struct AskedClientTests {
    private static let question = "client secret"

    private func login(_ tool: Tool, _ words: [String]) throws -> TerminalProcess {
        // Ctrl-C reaches the shell, too.
        let script = "trap : INT; \"$@\"; echo It has ended with $?; stty -a; echo The end"
        let all = ["sh", "-c", script, "sh", Tool.path, "login"] + words
        return try TerminalProcess(all, environment: tool.environment.merging(["NO_COLOR": "1"]) { $1 })
    }

    private func words(_ tool: Tool) -> [String] {
        ["github-app", "--web", tool.server.issuer, "--allow-insecure-loopback", "--headless", "--user", Tool.user]
    }

    @Test(.timeLimit(.minutes(15)))
    func `asks for the client, hides its secret, signs in and remembers the client`() async throws {
        try await Tool.using { tool in
            let app = try tool.app()
            let secret = try #require(app.secret?.reveal())
            let terminal = try login(tool, words(tool))
            let asked = await terminal.shown(with: "Client ID:")
            #expect(asked.contains("on this page:\r\n\r\n  \(tool.server.issuer)/settings/apps/new"), "\(asked)")
            #expect(asked.contains("http://127.0.0.1/callback"))
            terminal.type(app.id + "\n")
            #expect(await terminal.shown(with: Self.question).contains(Self.question))
            while terminal.isPlain { await Task.yield() }
            terminal.type(secret + "\r")
            let end = await terminal.shown(with: "The end")
            #expect(end.contains("It has ended with 0"), "\(end)")
            #expect(end.contains("to remove it: authhub client remove github-app --web \(tool.server.issuer)"), "\(end)")
            #expect(end.contains(" icanon") && end.contains(" echo "))
            #expect(!end.contains(secret), "the secret is not shown")

            let next = try await tool.run(["login", "--as", "second"] + words(tool))
            #expect(next.status == 0, "\(next.errorText)")
            for path in try tool.folder.files() {
                let content = try Data(contentsOf: URL(filePath: path))
                #expect(!String(decoding: content, as: UTF8.self).contains(secret), "\(path) has the secret")
            }
        }
    }

    @Test(.timeLimit(.minutes(15)), arguments: [false, true])
    func `Ctrl-C at a question restores the terminal, and nothing is remembered`(atSecret: Bool) async throws {
        try await Tool.using { tool in
            let terminal = try login(tool, words(tool))
            _ = await terminal.shown(with: "Client ID:")
            if atSecret {
                terminal.type("some-id\n")
                _ = await terminal.shown(with: Self.question)
                while terminal.isPlain { await Task.yield() }
                terminal.type("half a secret")
            }
            terminal.type("\u{3}")
            let end = await terminal.shown(with: "The end")
            #expect(end.contains("It has ended with 130") && !end.contains("half a secret"), "\(end)")
            #expect(end.contains(" icanon") && end.contains(" echo "))
            #expect(try await tool.run("client", "list", "-o", "json").json() == [])
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `a secret that is pasted with the client ID is neither shown nor used`() async throws {
        try await Tool.using { tool in
            let app = try tool.app()
            let secret = try #require(app.secret?.reveal())
            let terminal = try login(tool, words(tool))
            _ = await terminal.shown(with: "Client ID:")
            // Corrected before the end of the line: Backspace and Ctrl-U.
            terminal.type("wronh\u{7F}g\u{15}\(app.id)\n\(secret)\n")
            let asked = await terminal.shown(with: Self.question)
            #expect(asked.contains("everything after the first line"), "\(asked)")
            #expect(asked.contains(app.id + "\r\n") && !asked.contains(secret), "\(asked)")
            while terminal.isPlain { await Task.yield() }
            terminal.type(secret + "\r")
            let end = await terminal.shown(with: "The end")
            #expect(end.contains("It has ended with 0") && !end.contains(secret), "\(end)")
            #expect(end.contains(" icanon") && end.contains(" echo "))
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `a client that the server rejects is not remembered`() async throws {
        try await Tool.using { tool in
            let app = try tool.app()
            let terminal = try login(tool, words(tool))
            _ = await terminal.shown(with: "Client ID:")
            terminal.type("\u{2026}\n")
            #expect(await terminal.shown(with: "Not accepted:").contains("printable ASCII"))
            terminal.type("  \(app.id) \n")
            _ = await terminal.shown(with: Self.question)
            while terminal.isPlain { await Task.yield() }
            terminal.type("wrong\r")
            let end = await terminal.shown(with: "The end")
            let again = "next: authhub login github-app --web \(tool.server.issuer) --allow-insecure-loopback --headless"
            #expect(end.contains(again) && end.contains("check the client ID and the secret that you enter"), "\(end)")
            #expect(try await tool.run("client", "list", "-o", "json").json() == [])
        }
    }

    @Test(.timeLimit(.minutes(15)), arguments: ["client add", "login"])
    func `Return alone enters nothing and cancels`(command: String) async throws {
        try await Tool.using { tool in
            let all = ["sh", "-c", "\"$@\"; echo It has ended with $?", "sh", Tool.path] + command.split(separator: " ").map(String.init)
            let terminal = try TerminalProcess(all + ["github"], environment: tool.environment)
            #expect(await terminal.shown(with: "Client ID:").contains("https://github.com/settings/applications/new"))
            terminal.type("\n")
            let end = await terminal.shown(with: "It has ended with ")
            #expect(end.contains("It has ended with 2") && end.contains("no client ID was entered"), "\(end)")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `a client without the secret that its provider requires is asked for it only`() async throws {
        try await Tool.using { tool in
            let app = try tool.app()
            let terminal = try login(tool, words(tool) + ["--client-id", app.id])
            let asked = await terminal.shown(with: Self.question)
            #expect(!asked.contains("Client ID:"), "\(asked)")
            while terminal.isPlain { await Task.yield() }
            terminal.type(try #require(app.secret?.reveal()) + "\r")
            let end = await terminal.shown(with: "The end")
            #expect(end.contains("It has ended with 0") && end.contains("authhub client remove github-app"), "\(end)")
        }
    }
}
#endif
