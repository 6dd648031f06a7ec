@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

#if canImport(Glibc)
import Glibc

struct ExecTests {
    private static func signedIn(_ body: (Tool, _ token: String) async throws -> Void) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            try await body(tool, String(try await tool.run("token").text.dropLast()))
        }
    }

    /// Runs the tool from a shell, with a command in which `"$0"` stands for the tool.
    private static func shell(_ script: String, _ tool: Tool) throws -> ChildProcess {
        try ChildProcess("/bin/sh", ["-c", script, Tool.path], environment: tool.environment)
    }

    // MARK: - The end

    @Test(arguments: [0, 1, 42, 126, 127, 255] as [Int32])
    func `the exit status is that of the command`(status: Int32) async throws {
        try await Self.signedIn { tool, _ in
            for file in [[], ["--file", "F"]] {
                let output = try await tool.run(["exec"] + file + ["--", "sh", "-c", "exit \(status)"])
                #expect(output.status == status, "\(output.errorText)")
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL, SIGINT, SIGUSR1, SIGPIPE, SIGABRT])
    func `the tool ends by the signal that ended the command`(signal: Int32) async throws {
        try await Self.signedIn { tool, _ in
            let output = try await tool.run("exec", "--", "sh", "-c", "kill -\(signal) $$")
            #expect(output.ending == .signal(signal))
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        let status: Int32
        let says: String
    }

    static let refusals = [
        Refusal(testDescription: "a name", words: ["--", "no-such-command"], status: 127, says: "“no-such-command” does not exist"),
        Refusal(testDescription: "a path", words: ["--", "/no/such"], status: 127, says: "“/no/such” does not exist"),
        Refusal(testDescription: "an empty name", words: ["--", ""], status: 127, says: "does not exist"),
        Refusal(testDescription: "with a file", words: ["--file", "F", "--", "/no/such"], status: 127, says: "does not exist"),
        Refusal(testDescription: "not executable", words: ["--", "/etc/passwd"], status: 126, says: "“/etc/passwd” cannot run"),
        Refusal(testDescription: "a folder", words: ["--", "/etc"], status: 126, says: "“/etc” cannot run"),
        Refusal(testDescription: "no command", words: [], status: 64, says: "after --"),
        Refusal(testDescription: "no --", words: ["true"], status: 64, says: "--"),
        Refusal(testDescription: "two ways", words: ["--env", "A", "--file", "B", "--", "true"], status: 64, says: "--file"),
        Refusal(testDescription: "not a variable", words: ["--env", "A=B", "--", "true"], status: 64, says: "variable"),
        Refusal(testDescription: "not a variable: digit", words: ["--file", "1", "--", "true"], status: 64, says: "variable"),
        Refusal(testDescription: "HUP without a file", words: ["--renew", "HUP", "--", "true"], status: 64, says: "--file"),
        Refusal(
            testDescription: "restart with a file", words: ["--renew", "restart", "--file", "F", "--", "true"], status: 64, says: "restart"),
        Refusal(testDescription: "another account", words: ["--as", "work", "--", "true"], status: 4, says: "--as work"),
    ]

    @Test(arguments: refusals)
    func `if the command cannot start, the exit status says why`(row: Refusal) async throws {
        try await Self.signedIn { tool, token in
            let output = try await tool.run(["exec"] + row.words)
            #expect(output.status == row.status && output.text.isEmpty)
            #expect(output.errorText.contains(row.says) && !output.errorText.contains(token), "\(output.errorText)")
        }
    }

    // MARK: - What the command gets

    @Test func `the command gets the token in the variable, and everything else as it was`() async throws {
        try await Self.signedIn { tool, token in
            let plain = try await tool.run("exec", "--", "sh", "-c", "printf %s \"$AUTHHUB_TOKEN\"")
            #expect(plain.text == token && plain.errorText.isEmpty)
            let named = try await tool.run("exec", "--env", "NPM_TOKEN", "--", "sh", "-c", "printf %s \"$NPM_TOKEN-$AUTHHUB_TOKEN\"")
            #expect(named.text == token + "-")
            let before = try await Self.shell("env | sort", tool).end().text
            let after = try await Self.shell("AAA=old \"$0\" exec --env AAA -- env | sort", tool).end().text
            #expect(after == "AAA=\(token)\n" + before)
        }
    }

    @Test func `arguments and variables need not be UTF-8`() async throws {
        try await Self.signedIn { tool, _ in
            let script = #"X=$(printf 'a\377b') && export X && "$0" exec -- sh -c 'printf %s-%s-%s "$X" "$1" "$2"' sh "$X" --"#
            let output = try await Self.shell(script, tool).end()
            #expect(output.standardOutput == [0x61, 0xFF, 0x62, 0x2D, 0x61, 0xFF, 0x62, 0x2D, 0x2D, 0x2D], "\(output.errorText)")
        }
    }

    @Test func `the command inherits the descriptors of the caller, and none of the tool's`() async throws {
        try await Self.signedIn { tool, _ in
            try await tool.expireStoredToken()  // so that the tool opens connections
            let script = "\"$0\" exec --file F --trace \"$HOME\"/trace-$$ -- sh -c 'ls /proc/$$/fd; :' 5>&1"
            let output = try await Self.shell(script, tool).end()
            #expect(output.text == "0\n1\n2\n5\n", "\(output.errorText)")
        }
    }

    @Test func `the command ignores the signals that the caller ignores, and no others`() async throws {
        try await Self.signedIn { tool, _ in
            let script = "trap '' HUP INT; \"$0\" exec -- sh -c 'kill -HUP $$; kill -INT $$; echo on; kill -PIPE $$; echo not reached'"
            let output = try await Self.shell(script, tool).end()
            #expect(output.text == "on\n")
        }
    }

    @Test func `the list of processes does not show the token`() async throws {
        try await Self.signedIn { tool, token in
            let process = try tool.start(["exec", "--", "sh", "-c", "echo ready; exec sleep 600"])
            #expect(await process.wait { $0.text.contains("ready") }.ending == nil)
            #expect(!ProcessList.contains(token))
            process.send(SIGTERM)
            #expect(await process.end().ending == .signal(SIGTERM))
        }
    }

    // MARK: - Signals

    @Test(arguments: [("INT", SIGINT), ("TERM", SIGTERM), ("HUP", SIGHUP), ("QUIT", SIGQUIT), ("USR1", SIGUSR1), ("USR2", SIGUSR2)])
    func `a signal for the tool reaches the command`(name: String, number: Int32) async throws {
        try await Self.signedIn { tool, _ in
            let script = "trap 'echo got \(name); kill $p; exit 5' \(name); sleep 600 >/dev/null 2>&1 & p=$!; echo ready; wait"
            let process = try tool.start(["exec", "--", "sh", "-c", script])
            #expect(await process.wait { $0.text.contains("ready") }.ending == nil)
            process.send(number)
            let output = await process.end()
            #expect(output.text == "ready\ngot \(name)\n" && output.status == 5, "\(output.errorText)")
        }
    }

    /// The handler of USR1 runs after that of INT, which has a lower number.
    @Test(.timeLimit(.minutes(15)))
    func `Ctrl-C reaches the command once`() async throws {
        try await Self.signedIn { tool, _ in
            let program = """
                $|=1; $SIG{INT}=sub{$n++}; $SIG{USR1}=sub{print "interrupted $n time(s)\\n"; exit 6}; print "tool ", getppid, "\\n";
                sleep 1 while 1
                """
            let words = [Tool.path, "exec", "--", "perl", "-e", program]
            let terminal = try TerminalProcess(words, environment: tool.environment)
            let begun = await terminal.shown(with: "\r\n")
            let number = begun.split(separator: "tool ", omittingEmptySubsequences: false).dropFirst().first?.prefix(while: \.isNumber)
            let toolID = try #require(number.flatMap { pid_t($0) })
            terminal.type("\u{3}")
            _ = await terminal.shown(with: "^C")
            kill(toolID, SIGUSR1)
            let shown = await terminal.shown(with: "time(s)")
            #expect(shown.contains("interrupted 1 time(s)"), "\(shown)")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `the command reads from the terminal`() async throws {
        try await Self.signedIn { tool, _ in
            let script = "\"$@\"; echo It has ended with $?"
            let reader = "echo ready; read line; echo \"read $line\"; exit 3"
            let words = ["sh", "-c", script, "sh", Tool.path, "exec", "--", "sh", "-c", reader]
            let terminal = try TerminalProcess(words, environment: tool.environment)
            _ = await terminal.shown(with: "ready")
            terminal.type("a line\n")
            let shown = await terminal.shown(with: "It has ended")
            #expect(shown.contains("read a line") && shown.contains("It has ended with 3"), "\(shown)")
        }
    }
}
#endif
