#if canImport(Glibc)
import AsyncHTTPClientTransport
import Platform
@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import HeadlessBrowsing
import Testing

/// The sign-in that git's credential helper opens for a user at a terminal. `Scripts/proofs/git` runs git itself.
struct HelperGitSignInTests {
    /// Runs a body with an account whose token has expired and cannot be refreshed, and which opens no browser.
    private func expired(_ body: (Tool) async throws -> Void) async throws {
        try await Tool.using { tool in
            var tool = tool
            tool.environment.merge(["AUTHHUB_BROWSER": "none", "NO_COLOR": "1"]) { $1 }
            #expect(try await tool.run(tool.loginWords()).status == 0)
            try await tool.expireStoredToken(isRenewable: false)
            try await body(tool)
        }
    }

    /// Starts processes at the same time in one terminal, as git starts them. Each writes its answer to a file.
    private func start(_ tool: Tool, processes: Int = 1, redirection: String = "") throws -> TerminalProcess {
        _ = try tool.folder.write(tool.gitRequest(), to: "request")
        let script = """
            for number in $(seq \(processes)); do
              "$0" helper git get <"$HOME/request" >"$HOME/answer-$number" \(redirection) &
            done
            wait
            echo "all have ended"
            """
        return try TerminalProcess(["/bin/sh", "-c", script, Tool.path], environment: tool.environment)
    }

    /// Opens the URL that the terminal shows. The server remembers the consent of the first sign-in unless the user denies this one.
    private func signIn(_ terminal: TerminalProcess, refuses: Bool = false) async throws {
        let shown = await terminal.shown(with: "Ctrl-C cancels")
        let url = try #require(shown.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.first { $0.hasPrefix("http://") })
        let filling = FormFilling(user: Tool.user, password: Secret(Tool.password), refuses: refuses)
        try await HeadlessBrowser(filling: filling, transport: NetworkTransport.shared).open(
            String(url) + (refuses ? "&prompt=consent" : ""))
    }

    /// Returns all output of processes that open a number of pages. If another page opens, the test does not wait for a sign-in there.
    private func end(of terminal: TerminalProcess, pages: Int) async -> String {
        await terminal.shown { $0.contains("all have ended") || $0.components(separatedBy: "Ctrl-C cancels").count - 1 > pages }
    }

    private func pages(_ tool: Tool) -> Int {
        tool.server.log.entries.count { $0.path == "/login/oauth/authorize" && $0.method == "GET" && $0.queryNames.contains("client_id") }
    }

    @Test(arguments: ["", "2>\"$HOME/errors\""])
    func `opens the sign-in at the terminal, and answers git with the new token`(redirection: String) async throws {
        try await expired { tool in
            let before = pages(tool)
            let terminal = try start(tool, redirection: redirection)
            try await signIn(terminal)
            let shown = await end(of: terminal, pages: 1)
            #expect(try await tool.folder.read("answer-1").contains("\npassword=\(tool.run("token").text)"), "\(shown)")
            #expect(pages(tool) == 2 * before)
        }
    }

    @Test func `ten processes open one page, and all get the same token`() async throws {
        try await expired { tool in
            let before = pages(tool)
            let terminal = try start(tool, processes: 10)
            try await signIn(terminal)
            let shown = await end(of: terminal, pages: 1)
            let answers = try Set((1...10).map { try tool.folder.read("answer-\($0)") })
            #expect(answers.count == 1 && answers.first?.contains("password=") == true, "\(shown)")
            #expect(pages(tool) == 2 * before)
        }
    }

    @Test(arguments: [true, false])
    func `after a sign-in that the user denied or cancelled, git stops, and no other page opens`(isDenied: Bool) async throws {
        try await expired { tool in
            let terminal = try start(tool, processes: 3)
            if isDenied {
                try await signIn(terminal, refuses: true)
            } else {
                _ = await terminal.shown(with: "Ctrl-C cancels")
                terminal.type("p")
                _ = await terminal.shown(with: "Paste")
                terminal.type("\u{4}")
            }
            let shown = await end(of: terminal, pages: 1)
            for number in 1...3 { #expect(try tool.folder.read("answer-\(number)") == "quit=1\n", "\(shown)") }
            let count = pages(tool)
            let later = await end(of: try start(tool), pages: 0)
            #expect(try tool.folder.read("answer-1") == "quit=1\n")
            #expect(later.contains("declined a moment ago; next: authhub login") && !later.contains("Sign in on this page"), "\(later)")
            #expect(shown.components(separatedBy: "Sign in on this page").count == 2, "\(shown)")
            #expect(pages(tool) == count)
        }
    }

    @Test func `opens the sign-in of an account whose grant the server has ended, but not of one that the user signed out`() async throws {
        try await expired { tool in
            #expect(try await tool.run("login", "--headless", "--user", Tool.user).status == 0)
            tool.server.faults.revokeAllGrants()
            #expect(try await tool.run("refresh").status == 4)
            let silent = try await tool.start(["-w", Tool.path, "helper", "git", "get"], input: tool.gitRequest(), at: "/usr/bin/setsid")
                .end()
            #expect(silent.status == 0 && silent.text.isEmpty && silent.errorText.isEmpty, "\(silent.errorText)")
            let terminal = try start(tool)
            try await signIn(terminal)
            _ = await end(of: terminal, pages: 1)
            #expect(try tool.folder.read("answer-1").contains("password="))
            #expect(try await tool.run("logout").status == 0)
            let shown = await end(of: try start(tool), pages: 0)
            #expect(try tool.folder.read("answer-1").isEmpty && shown == "all have ended\r\n", "\(shown)")
        }
    }

    @Test(arguments: [
        ("GIT_TERMINAL_PROMPT", "0"), ("GIT_TERMINAL_PROMPT", "false"), ("CI", "true"),
        ("GIT_CONFIG_PARAMETERS", "'credential.interactive'='never'"),
    ])
    func `opens nothing if the user does not allow it`(variable: String, value: String) async throws {
        try await expired { tool in
            var tool = tool
            tool.environment[variable] = value
            let before = pages(tool)
            let shown = await end(of: try start(tool), pages: 0)
            #expect(try tool.folder.read("answer-1").isEmpty)
            #expect(shown.contains("next: authhub login"), "\(shown)")
            #expect(pages(tool) == before)
        }
    }

    @Test func `without a terminal, opens nothing`() async throws {
        try await expired { tool in
            let before = pages(tool)
            // setsid(1): even if these tests run in a terminal.
            let output = try await tool.start(["-w", Tool.path, "helper", "git", "get"], input: tool.gitRequest(), at: "/usr/bin/setsid")
                .end()
            #expect(output.status == 0 && output.text.isEmpty)
            #expect(pages(tool) == before)
        }
    }
}
#endif
