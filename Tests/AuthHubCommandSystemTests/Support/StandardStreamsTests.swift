import Platform
@testable import AuthHubCommandTests
import Testing

/// The tool when unusual parent processes start it.
struct StandardStreamsTests {
    @Test(arguments: [["token"], ["token", "-o", "json"], ["status"], ["--version"]])
    func `data that cannot be written to standard output is a failure`(command: [String]) async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let output = try await tool.startByShell("exec \"$0\" \"$@\" >&-", command).end()
            #expect(output.status == 1)
            #expect(output.errorText.contains("standard output cannot be written"), "\(output.errorText)")
        }
    }

    /// Records, locks and connections must not get the descriptor numbers of closed streams.
    @Test func `closed streams do not change the result`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.startByShell("exec \"$0\" \"$@\" <&- >&- 2>&-", tool.loginWords()).end().status == 0)
            let old = try await tool.run("token").text
            #expect(try await tool.startByShell("exec \"$0\" \"$@\" <&- >&- 2>&-", ["refresh"]).end().status == 0)
            #expect(try await tool.startByShell("exec \"$0\" \"$@\" <&- >&- 2>&-", ["token", "-o", "json"]).end().status == 1)
            let token = try await tool.run("token")
            #expect(token.status == 0 && token.text != old)
            #expect(try await tool.run("logout").status == 0)
        }
    }

    @Test func `a secret from a closed standard input is a usage error`() async throws {
        try await Tool.using { tool in
            let words = ["login", "github", "--client-id", "app", "--client-secret-file", "-"]
            let output = try await tool.startByShell("exec \"$0\" \"$@\" <&-", words).end()
            #expect(output.status == 64)
            #expect(output.errorText.contains("cannot be read"), "\(output.errorText)")
        }
    }

    @Test(arguments: ["000", "177", "777"])
    func `whatever the umask, only its owner can access the store, and the owner can use it`(mask: String) async throws {
        try await Tool.using { tool in
            let login = try tool.loginWords()
            #expect(try await tool.startByShell("umask \(mask); exec \"$0\" \"$@\"", login).end().status == 0)
            let listing = try await ChildProcess(
                "/bin/sh", ["-c", "find \"$0\" -type d ! -perm 700 -o -type f ! -perm 600", "\(tool.folder.path)/store"],
                environment: tool.environment
            ).end()
            #expect(listing.status == 0 && listing.text.isEmpty, "\(listing.text)\(listing.errorText)")
            #expect(try await tool.run("refresh").status == 0)
        }
    }
}

extension Tool {
    /// Starts the tool with a shell command, in which `"$0" "$@"` stands for the tool and its arguments.
    fileprivate func startByShell(_ line: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess("/bin/sh", ["-c", line, Self.path] + arguments, environment: environment)
    }
}
