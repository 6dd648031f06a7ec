import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// A host that only speaks over standard streams, and a protected server of both revisions.
struct MCPProxyTests {
    private static let server = DevelopmentServerConfiguration(persona: .modelContext)

    private static let initialization = """
        {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
        {"jsonrpc":"2.0","method":"notifications/initialized"}

        """

    private static func call(_ name: String, id: Int, arguments: String = "{}", isModern: Bool = false, progress: Bool = false) -> String {
        let meta = [
            isModern ? #""io.modelcontextprotocol/protocolVersion":"2026-07-28""# : nil, progress ? #""progressToken":"p""# : nil,
        ].compactMap(\.self).joined(separator: ",")
        return
            #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(name)","arguments":\#(arguments),"_meta":{\#(meta)}}}"#
            + "\n"
    }

    private static func answers(_ output: ChildProcess.Output) throws -> [JSONValue] {
        try output.text.split(separator: "\n").map { try JSONValue(strict: Array($0.utf8)) }
    }

    @Test func `a host of 2025-11-25 initializes, calls a tool, and ends the session`() async throws {
        try await Tool.using(Self.server) { tool in
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0)
            let output = try await tool.run(
                "mcp", "proxy", tool.resource, "--allow-insecure-loopback", input: Self.initialization + Self.call("whoami", id: 1))
            #expect(output.status == 0 && output.errorText.isEmpty, "\(output.errorText)")
            let answers = try Self.answers(output)
            #expect(answers.map { $0["id"] } == [0, 1])
            #expect(answers.first?["result"]?["protocolVersion"] == "2025-11-25")
            #expect(answers.last?["result"]?["content"]?.array?.first?["text"]?.string == Tool.user)
            #expect(tool.server.log.entries.contains { $0.path == "/mcp" && $0.method == "DELETE" })
        }
    }

    @Test func `a host of 2026-07-28 sends no initialize, and the header fields repeat the message`() async throws {
        try await Tool.using(Self.server) { tool in
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0)
            // The tool learns which parameter to repeat when the server rejects the call.
            let output = try await tool.run(
                "mcp", "proxy", tool.resource, "--allow-insecure-loopback",
                input: Self.call("lookup", id: 1, arguments: #"{"region":"Zürich"}"#, isModern: true))
            let answers = try Self.answers(output)
            #expect(answers.map { $0["id"] } == [1], "\(output.errorText)")
            #expect(answers.first?["result"] != nil, "\(output.text)")
        }
    }

    @Test func `progress arrives before the response, and nothing else does`() async throws {
        try await Tool.using(Self.server) { tool in
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0)
            let output = try await tool.run(
                "mcp", "proxy", tool.resource, "--allow-insecure-loopback",
                input: Self.initialization + Self.call("count", id: 1, progress: true))
            let answers = try Self.answers(output)
            #expect(answers.map { $0["method"]?.string ?? "" } == ["", "notifications/progress", "notifications/progress", ""])
            #expect(answers.last?["id"] == 1)
        }
    }

    @Test func `MC01 MC13: signs in when the server requires it, and again for more scope`() async throws {
        try await Tool.using(Self.server) { tool in
            let words = ["mcp", "proxy", tool.resource] + Tool.headless
            let output = try await tool.run(words, input: Self.initialization + Self.call("write_note", id: 1))
            #expect(output.status == 0)
            let answers = try Self.answers(output)
            #expect(
                answers.last?["result"]?["content"]?.array?.first?["text"] == "The note was written.", "\(output.text)\(output.errorText)")
            #expect(output.errorText.ranges(of: "Sign in on this page").count == 2)
        }
    }

    @Test func `MC17: an account for something else is not used, and its token is not sent`() async throws {
        try await Tool.using(Self.server) { tool in
            let other = try await tool.run(tool.loginWords())
            #expect(other.status == 0, "\(other.errorText)")
            let words = ["mcp", "proxy", tool.resource] + Tool.headless
            let output = try await tool.run(words, input: Self.initialization + Self.call("whoami", id: 1))
            let answers = try Self.answers(output)
            #expect(answers.last?["result"] != nil, "\(output.text)\(output.errorText)")
            #expect(try await tool.run("accounts", "-o", "json").json().array?.count == 2)
        }
    }

    @Test func `MC16: the proxy does not follow the resource to another server, and says what to do`() async throws {
        try await Tool.using(Self.server) { tool in
            try await withDevelopmentServer(Self.server) { next in
                let login = try await tool.login(at: tool.resource)
                #expect(login.status == 0)
                tool.server.faults.revokeAllGrants()
                tool.server.faults.always(
                    at: .resourceMetadata, .altered([.member("authorization_servers", [.string(next.issuer)])]))
                let words = ["mcp", "proxy", tool.resource] + Tool.headless
                let output = try await tool.run(words, input: Self.initialization)
                #expect(output.text.contains("now names \(next.issuer) as its server"), "\(output.text)\(output.errorText)")
                #expect(next.log.entries.allSatisfy { $0.path.hasPrefix("/.well-known/") })
            }
        }
    }

    @Test func `MC14: a server that keeps requiring more scope does not open more pages`() async throws {
        try await Tool.using(Self.server) { tool in
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0)
            let fault = try #require(FaultPersona.resources.first { $0.id == "MC14-endless" })
            tool.server.faults.play(fault)
            let words = ["mcp", "proxy", tool.resource] + Tool.headless
            let output = try await tool.run(words, input: (1...4).map { Self.call("whoami", id: $0) }.joined())
            let answers = try Self.answers(output)
            #expect(answers.count == 4 && answers.allSatisfy { $0["error"] != nil || $0["result"] != nil }, "\(output.text)")
            #expect(output.errorText.ranges(of: "Sign in on this page").count == 1, "\(output.errorText)")
        }
    }

    @Test func `starts a new session if the server has ended it`() async throws {
        try await Tool.using(Self.server) { tool in
            let (process, open) = try await Self.withEndedSession(tool, [Self.call("whoami", id: 2)])
            try await open()
            let answers = try Self.answers(await process.end())
            // The second response may overtake the first.
            #expect(Set(answers.map { $0["id"]?.number?.int64 }) == [0, 1, 2])
            #expect(answers.count == 3 && answers.allSatisfy { $0["result"] != nil })
        }
    }

    @Test func `a server that does not respond to the notification after initialize delays the other messages only for a moment`()
        async throws
    {
        try await Tool.using(Self.server) { tool in
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0)
            tool.server.faults.next(at: .resource, .altered([]), .hold)
            let process = try tool.start(
                ["mcp", "proxy", tool.resource, "--allow-insecure-loopback"], input: Self.initialization + Self.call("whoami", id: 1))
            await tool.untilLogged(by: process) { log in
                log.entries.count { $0.path == "/mcp" && $0.method == "POST" && $0.status == 200 } >= 2
            }
            tool.server.faults.releaseHeldRequests()
            let output = await process.end()
            #expect(try Self.answers(output).map { $0["id"] } == [0, 1])
            #expect(output.errorText.isEmpty, "the call did not wait until the notification timed out: \(output.errorText)")
        }
    }

    @Test func `the proxy ends with its host, even while a request waits for a response`() async throws {
        try await Tool.using(Self.server) { tool in
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0)
            tool.server.faults.next(at: .resource, .altered([]), .altered([]), .hold, .hold)
            _ = try tool.folder.write(Self.initialization + Self.call("whoami", id: 1), to: "messages")
            // The host reads one response, and ends.
            // Standard input stays open until the proxy has ended.
            let script =
                #"mkfifo "$HOME/gate" && (cat "$HOME/messages"; read x <"$HOME/gate") | { "$0" mcp proxy "$1" --allow-insecure-loopback; echo >"$HOME/gate"; } | head -n 1"#
            let process = try ChildProcess("/bin/sh", ["-c", script, Tool.path, tool.resource], environment: tool.environment)
            let output = await process.end()
            #expect(try Self.answers(output).map { $0["id"] } == [0])
            tool.server.faults.releaseHeldRequests()
        }
    }

    /// Starts a proxy whose host writes messages in parts, each but the first when `open` is called.
    private static func inParts(
        _ tool: Tool, _ parts: [String], _ options: [String] = []
    ) throws -> (process: ChildProcess, open: () async throws -> Void) {
        for (index, part) in parts.enumerated() { _ = try tool.folder.write(part, to: "part-\(index)") }
        let rest = parts.indices.dropFirst().map { #"; read x <"$HOME/gate"; cat "$HOME/part-\#($0)""# }.joined()
        let script =
            #"mkfifo "$HOME/gate" "$HOME/in"; (cat "$HOME/part-0"\#(rest)) >"$HOME/in" 2>/dev/null & "#
            + #"exec "$0" mcp proxy "$@" --allow-insecure-loopback <"$HOME/in""#
        let process = try ChildProcess(
            "/bin/sh", ["-c", script, Tool.path, tool.resource] + options, environment: tool.environment)
        return (
            process,
            {
                let gate = try ChildProcess("/bin/sh", ["-c", #"echo go >"$HOME/gate""#], environment: tool.environment)
                _ = await gate.end()
            }
        )
    }

    /// Waits for a number of messages that were sent to the server, and for the end of the attempt to open a stream.
    private static func untilSent(_ count: Int, _ tool: Tool, by process: ChildProcess) async {
        await tool.untilLogged(by: process) { log in
            log.entries.count { $0.path == "/mcp" && $0.method == "POST" } >= count
                && log.entries.contains { $0.path == "/mcp" && $0.method == "GET" && $0.status == 405 }
        }
    }

    /// Starts a proxy that has initialized and called a tool, and ends its session at the server.
    ///
    /// - Parameter parts: What the host writes afterwards, each when `open` is called.
    private static func withEndedSession(
        _ tool: Tool, _ parts: [String]
    ) async throws -> (process: ChildProcess, open: () async throws -> Void) {
        #expect(try await tool.login(at: tool.resource).status == 0)
        let (process, open) = try inParts(tool, [initialization + call("whoami", id: 1)] + parts)
        await untilSent(3, tool, by: process)
        tool.server.faults.endModelContextSessions()
        return (process, open)
    }

    @Test func `a server that refuses a new session is asked again by the next message`() async throws {
        try await Tool.using(Self.server) { tool in
            let (process, open) = try await Self.withEndedSession(tool, [Self.call("whoami", id: 2), Self.call("whoami", id: 3)])
            let refusal: JSONValue = ["code": -32000, "message": "starting up"]
            tool.server.faults.next(at: .resource, .altered([]), .altered([.member("result", nil), .member("error", refusal)]))
            try await open()
            _ = await process.wait { $0.text.contains("does not start a new one") }
            try await open()
            let answers = try Self.answers(await process.end())
            #expect(answers.first { $0["id"] == 2 }?["error"] != nil)
            #expect(answers.first { $0["id"] == 3 }?["result"] != nil)
        }
    }

    @Test func `the proxy ends if it is interrupted while the server starts a new session`() async throws {
        try await Tool.using(Self.server) { tool in
            let (process, open) = try await Self.withEndedSession(tool, [Self.call("whoami", id: 2)])
            tool.server.faults.next(at: .resource, .altered([]), .hold)
            try await open()
            await Self.untilSent(5, tool, by: process)
            process.send(SIGTERM)
            let output = await process.end()
            #expect(!output.text.contains(#""id":2"#))
            tool.server.faults.releaseHeldRequests()
        }
    }

    @Test func `a session ends at the server if the proxy is interrupted`() async throws {
        try await Tool.using(Self.server) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            let (process, open) = try Self.inParts(tool, [Self.initialization + Self.call("whoami", id: 1), ""])
            await Self.untilSent(3, tool, by: process)
            process.send(SIGTERM)
            _ = await process.end()
            try await open()
            #expect(tool.server.log.entries.contains { $0.path == "/mcp" && $0.method == "DELETE" })
        }
    }

    @Test func `a call that the host cancels during the sign-in that it needs is not sent`() async throws {
        try await Tool.using(Self.server) { tool in
            #expect(try await tool.login(at: tool.resource).status == 0)
            let isPage = { @Sendable (entry: RequestLog.Entry) in entry.path == "/authorize" && entry.queryNames.contains("client_id") }
            let pages = tool.server.log.entries.count(where: isPage)
            let browser = try await tool.executable("#!/bin/sh\nexec curl -sL -o /dev/null \"$1\"\n", named: "browser")
            let cancellation = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"# + "\n"
            let (process, open) = try Self.inParts(
                tool, [Self.initialization + Self.call("write_note", id: 1), cancellation], ["--browser", browser, "--timeout", "5"])
            await tool.untilLogged(by: process) { log in
                log.entries.contains { $0.path == "/mcp" && $0.status == 403 } && log.entries.count(where: isPage) > pages
            }
            try await open()
            let output = await process.end()
            #expect(try Self.answers(output).map { $0["id"] } == [0], "\(output.errorText)")
            #expect(tool.server.log.entries.count { $0.path == "/mcp" && $0.method == "POST" } == 3)
        }
    }

    @Test func `invalid input and failed requests are errors for the host`() async throws {
        try await Tool.using(Self.server) { tool in
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0)
            tool.server.faults.always(at: .resource, .status(503))
            let output = try await tool.run(
                "mcp", "proxy", tool.resource, "--allow-insecure-loopback", input: "nonsense\n[]\n" + Self.call("whoami", id: 9))
            let answers = try Self.answers(output)
            #expect(answers.map { $0["error"]?["code"] } == [-32700, -32600, -32000])
            #expect(answers.last?["id"] == 9)
            #expect(answers.last?["error"]?["message"]?.string?.contains("503") == true, "\(output.text)")
            let http = try await tool.run("mcp", "proxy", "http://mcp.example.com/mcp")
            #expect(http.status == 64 && http.text.isEmpty)
        }
    }

    @Test func `20 processes whose token has expired send one token request, and all get their responses`() async throws {
        try await Tool.using(Self.server) { tool in
            let login = try await tool.login(at: tool.resource)
            #expect(login.status == 0)
            try await tool.expireStoredToken(tool.label)
            let before = tool.server.log.tokenRequests()
            let processes = try (1...20).map { _ in
                try tool.start(
                    ["mcp", "proxy", tool.resource, "--allow-insecure-loopback"], input: Self.initialization + Self.call("whoami", id: 1))
            }
            var answered = 0
            for process in processes {
                let output = await process.end()
                if try Self.answers(output).last?["result"] != nil { answered += 1 }
            }
            #expect(answered == 20)
            #expect(tool.server.log.tokenRequests() == before + 1)
        }
    }

    /// Starts five processes as hosts do, and returns what they write.
    private static func five(_ tool: Tool, _ options: String...) async throws -> [ChildProcess.Output] {
        let words = ["mcp", "proxy", tool.resource] + Tool.headless + options
        let processes = try (1...5).map { _ in try tool.start(words, input: initialization + call("whoami", id: 1)) }
        var outputs: [ChildProcess.Output] = []
        for process in processes { outputs.append(await process.end()) }
        return outputs
    }

    private static func pages(_ outputs: [ChildProcess.Output]) -> Int {
        outputs.reduce(0) { $0 + $1.errorText.ranges(of: "Sign in on this page").count }
    }

    @Test func `MC06: processes that begin at the same time register one client and open one page, even if the token has expired then`()
        async throws
    {
        try await Tool.using(Self.server) { tool in
            tool.server.faults.always(at: .tokenEndpoint, .altered([.member("expires_in", 1)]))
            let outputs = try await Self.five(tool)
            for output in outputs {
                #expect(try Self.answers(output).last?["result"] != nil, "\(output.text)\(output.errorText)")
            }
            #expect(tool.server.log.entries.count { $0.path == "/register" } == 1)
            #expect(Self.pages(outputs) == 1)
        }
    }

    @Test func `a user who declines the page of one process is not asked by the others`() async throws {
        try await Tool.using(Self.server) { tool in
            let outputs = try await Self.five(tool, "--deny")
            for output in outputs {
                #expect(try Self.answers(output).last?["error"] != nil, "\(output.text)\(output.errorText)")
            }
            #expect(outputs.count { $0.text.contains("was declined or failed a moment ago") } == 4)
            #expect(Self.pages(outputs) == 1)
        }
    }
}
