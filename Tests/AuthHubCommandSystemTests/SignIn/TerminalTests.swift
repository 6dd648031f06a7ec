#if canImport(Glibc)
import DevelopmentServer
import Glibc
@testable import AuthHubCommandTests
import Testing

struct TerminalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let typed: String
        var isTimedOut = false
    }

    static let rows = [
        Row(testDescription: "Ctrl-C while it waits for the key", typed: "\u{3}"),
        Row(testDescription: "Ctrl-C in the middle of a paste", typed: "phttp://127.0.0.1/\u{3}"),
        Row(testDescription: "Ctrl-Z", typed: "\u{1A}"),
        Row(testDescription: "Ctrl-Z in the middle of a paste", typed: "phttp://127.0.0.1/\u{1A}"),
        Row(testDescription: "Ctrl-\\", typed: "\u{1C}"),
        Row(testDescription: "the timeout", typed: "phttp://127.0.0.1/", isTimedOut: true),
    ]

    /// The shell is simple and does not restore the terminal itself.
    @Test(.timeLimit(.minutes(15)), arguments: rows)
    func `restores the terminal whenever the tool ends or stops`(_ row: Row) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let login = [
                Tool.path, "login", tool.server.issuer, "--client-id", "native-app", "--browser", "none", "--allow-insecure-loopback",
                "--timeout", row.isTimedOut ? "3" : "300",
            ]
            let script = "ulimit -c 0; set -m; \"$@\"; stty -a; echo It has ended; kill -9 %1"
            // If the runtime is configured to print backtraces of crashed programs, it treats Ctrl-\ as a crash and asks the user what to
            // do next.
            let environment = tool.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            let terminal = try TerminalProcess(["sh", "-c", script, "sh"] + login, environment: environment)
            #expect(await terminal.shown(with: "Press p").contains("Press p"))
            while terminal.isPlain { await Task.yield() }
            terminal.type(row.typed)
            let shown = await terminal.shown(with: "It has ended")
            #expect(shown.contains(" icanon"))
            #expect(shown.contains(" echo "))
            #expect(!shown.contains("http://127.0.0.1/\r"))
        }
    }

    @Test(.timeLimit(.minutes(15)), arguments: [("browser", "\u{4}"), ("browser", "p\u{4}"), ("paste", "\u{4}")])
    func `Ctrl-D cancels the sign-in`(flow: String, typed: String) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let words = ["login", tool.server.issuer, "--client-id", "native-app", "--allow-insecure-loopback", "--flow", flow]
            let script = "\"$@\"; echo It has ended with $?"
            let more = flow == "browser" ? ["--browser", "none"] : []
            let terminal = try TerminalProcess(["sh", "-c", script, "sh", Tool.path] + words + more, environment: tool.environment)
            _ = await terminal.shown(with: flow == "browser" ? "Press p" : "Ctrl-D to cancel")
            while terminal.isPlain { await Task.yield() }
            terminal.type(typed)
            let shown = await terminal.shown(with: "It has ended with ")
            #expect(shown.contains("It has ended with 2") && shown.contains("the sign-in was cancelled"), "\(shown)")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `restores the terminal after a SIGQUIT from another process`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let script = "ulimit -c 0; set -m; \"$@\" & echo It has $!; fg; echo; stty -a; echo It has ended"
            let environment = tool.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            let words = [Tool.path, "store", "export", "\(tool.folder.path)/archive"]
            let terminal = try TerminalProcess(["sh", "-c", script, "sh"] + words, environment: environment)
            let begun = await terminal.shown(with: "it is not shown")
            while terminal.isPlain { await Task.yield() }
            let number = begun.split(separator: "It has ", omittingEmptySubsequences: false).dropFirst().first?.prefix(while: \.isNumber)
            kill(try #require(number.flatMap { pid_t($0) }), SIGQUIT)
            let shown = await terminal.shown(with: "It has ended")
            #expect(shown.contains(" icanon") && shown.contains(" echo "), "\(shown)")
        }
    }
}
#endif
