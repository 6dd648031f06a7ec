import Platform
@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

#if os(Linux)
/// The formats of `token`, read by the programs that they are for.
struct TokenFormatRoundTripTests {
    /// All characters that a token may have (RFC 6749 App. A.12) and that a shell could treat specially.
    private static let hostile = #"a'b"c\d$(id)`id`${HOME}$HOME;id|id&id>x<x*?[a]{a,b}~!!#%^=,.:@-_+/\"'"#

    private static func signedIn(token: String? = nil, _ body: (Tool, _ token: String) async throws -> Void) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            if let token { tool.server.faults.always(at: .tokenEndpoint, .altered([.member("access_token", .string(token))])) }
            // An ID token would contain the hash of the server's own token.
            let scope = token == nil ? "openid,offline_access" : "user"
            let login = try await tool.run(tool.loginWords().map { $0.hasPrefix("openid,") ? scope : $0 })
            #expect(login.status == 0, "\(login.errorText)")
            let stored = try await tool.run("token").text
            if let token { #expect(stored == token + "\n") }
            try await body(tool, String(stored.dropLast()))
        }
    }

    /// Otherwise, Bash takes standard input for a remote connection, and reads the user's `.bashrc`.
    private static let plainShell = ["SHLVL": "2"]

    /// `"$0"` stands for the tool.
    private static func run(_ shell: String, _ script: String, _ tool: Tool) async throws -> ChildProcess.Output {
        try await ChildProcess(shell, ["-c", script, Tool.path], environment: tool.environment.merging(plainShell) { $1 }).end()
    }

    @Test(arguments: [nil, hostile], ["/bin/sh", "/bin/bash"])
    func `env sets the variable in a POSIX shell`(token: String?, shell: String) async throws {
        try await Self.signedIn(token: token) { tool, token in
            let output = try await Self.run(shell, #"eval "$("$0" token --format env)"; sh -c 'printf %s "$AUTHHUB_TOKEN"'"#, tool)
            #expect(output.text == token && output.errorText.isEmpty)
        }
    }

    /// A server cannot issue such tokens, because they could not be sent.
    @Test(arguments: ["a\nb\n", "a'\nid\n'", "é'\u{301}'\u{2019}", "\t\u{1B}[2J \r\n'\\"], ["/bin/sh", "/bin/bash"])
    func `no character breaks out of the quotes of a POSIX shell`(token: String, shell: String) async throws {
        let line = try TokenFormat.env.text(token, type: "Bearer")
        let script = #"eval "$1"; /bin/sh -c 'printf %s "$AUTHHUB_TOKEN"'"#
        let output = try await ChildProcess(shell, ["-c", script, shell, line], environment: Self.plainShell).end()
        #expect(output.standardOutput == Array(token.utf8) && output.errorText.isEmpty)
    }

    @Test(.enabled(if: ProcessList.program("fish") != nil, "fish is not installed"), arguments: [nil, hostile])
    func `fish sets the variable in fish`(token: String?) async throws {
        try await Self.signedIn(token: token) { tool, token in
            let script = "\(Tool.path.shellWord) token --format fish | source; sh -c 'printf %s \"$AUTHHUB_TOKEN\"'"
            let output = try await Self.run(ProcessList.program("fish") ?? "", script, tool)
            #expect(output.text == token && output.errorText.isEmpty)
        }
    }

    @Test(.enabled(if: ProcessList.program("pwsh") != nil, "pwsh is not installed"), arguments: [nil, hostile])
    func `powershell sets the variable in PowerShell`(token: String?) async throws {
        try await Self.signedIn(token: token) { tool, token in
            let script = "& '\(Tool.path)' token --format powershell | Invoke-Expression; & sh -c 'printf %s \"$AUTHHUB_TOKEN\"'"
            let output = try await ChildProcess(
                ProcessList.program("pwsh") ?? "", ["-NoProfile", "-Command", script], environment: tool.environment
            ).end()
            #expect(output.text.filter { !$0.isNewline } == token && output.errorText.isEmpty)
        }
    }

    @Test(arguments: [nil, hostile])
    func `curl sends the token, and the list of processes does not show it`(token: String?) async throws {
        try await Self.signedIn(token: token) { tool, token in
            let server = try OneRequestServer()
            let script = #"curl -s -K <("$0" token --format curl) http://127.0.0.1:\#(server.port)/"#
            async let request = server.request { ProcessList.contains(token) }
            let output = try await Self.run("/bin/bash", script, tool)
            #expect(output.text == "ok", "\(output.errorText)")
            #expect(await request.head.contains("\r\nAuthorization: Bearer \(token)\r\n"))
            #expect(await !request.seen)
        }
    }

    @Test func `the list of processes would show a token in an argument`() async throws {
        try await Self.signedIn { tool, token in
            let server = try OneRequestServer()
            let script = #"curl -s -H "$("$0" token --format header)" http://127.0.0.1:\#(server.port)/"#
            async let request = server.request { ProcessList.contains(token) }
            #expect(try await Self.run("/bin/bash", script, tool).text == "ok")
            #expect(await request.head.contains("\r\nAuthorization: Bearer \(token)\r\n"))
            #expect(await request.seen)
        }
    }

    @Test func `netrc gives the token to the API's host as a password`() async throws {
        try await Self.signedIn { tool, token in
            let server = try OneRequestServer()
            let script = #"curl -s --netrc-file <("$0" token --format netrc) http://127.0.0.1:\#(server.port)/"#
            async let request = server.request { ProcessList.contains(token) }
            #expect(try await Self.run("/bin/bash", script, tool).text == "ok")
            let basic = Data("oauth2:\(token)".utf8).base64EncodedString()
            #expect(await request.head.contains("\r\nAuthorization: Basic \(basic)\r\n"))
            #expect(await !request.seen)
        }
        try await Self.signedIn(token: Self.hostile) { tool, token in
            let output = try await tool.run("token", "--format", "netrc")
            #expect(output.status == 1 && output.text.isEmpty && output.errorText.contains("netrc"))
            #expect(!output.errorText.contains(token))
        }
    }

    @Test func `--format json and -o json are the same`() async throws {
        try await Self.signedIn { tool, token in
            let output = try await tool.run("token", "--format", "json")
            #expect(output.text == (try await tool.run("token", "-o", "json").text))
            #expect(try output.json()["access_token"]?.string == token)
            #expect(try await tool.run("token", "--id", "--format", "json").json()["id_token"] != nil)
            #expect(try await tool.run("token", "--format", "raw").text == token + "\n")
        }
        try await Tool.using { tool in
            for words in [["--format", "json"], ["--format", "json", "--frobnicate"]] {
                let output = try await tool.run(["token"] + words)
                #expect(try output.errorJSON()["exit"] != nil)
            }
        }
    }
}
#endif
