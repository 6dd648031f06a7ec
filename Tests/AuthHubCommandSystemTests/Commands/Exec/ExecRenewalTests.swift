@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

#if canImport(Glibc)
import Glibc

struct ExecRenewalTests {
    private static func signedIn(
        accessTokenLifetime: Duration? = nil, _ body: (Tool) async throws -> Void
    ) async throws {
        var configuration = DevelopmentServerConfiguration(persona: .openID)
        if let accessTokenLifetime { configuration.lifetimes.accessToken = accessTokenLifetime }
        try await Tool.using(configuration) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            try await body(tool)
        }
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func folder(of file: String) -> String { String(file.dropLast("/token".count)) }

    @Test func `the file has the token and only its owner can read it; nothing remains at the end`() async throws {
        try await Self.signedIn { tool in
            let script = #"echo "$F"; stat -c %a "$F" "${F%/token}"; stat -f -c %T "$F"; cat "$F""#
            let output = try await tool.run("exec", "--file", "F", "--", "sh", "-c", script)
            let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            try #require(lines.count == 5, "\(output.errorText)")
            #expect(Array(lines[1...]) == ["600", "700", "tmpfs", try tool.storedToken()])
            #expect(lines[0].hasSuffix("/token") && !Self.exists(Self.folder(of: lines[0])))
        }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal for the tool removes the file`(signal: Int32) async throws {
        try await Self.signedIn { tool in
            let process = try tool.start(["exec", "--file", "F", "--", "sh", "-c", "echo \"$F\"; exec sleep 600"])
            let path = await process.wait { $0.text.hasSuffix("\n") }.text.dropLast()
            #expect(Self.exists(String(path)))
            process.send(signal)
            #expect(await process.end().ending == .signal(signal))
            #expect(!path.isEmpty && !Self.exists(Self.folder(of: String(path))))
        }
    }

    @Test func `the file of a killed tool is removed by the next one`() async throws {
        try await Self.signedIn { tool in
            let process = try tool.start(["exec", "--file", "F", "--", "sh", "-c", "echo $$ \"$F\"; exec sleep 600 >/dev/null 2>&1"])
            let words = await process.wait { $0.text.hasSuffix("\n") }.text.dropLast().split(separator: " ").map(String.init)
            try #require(words.count == 2)
            process.send(SIGKILL)
            #expect(await process.end().ending == .signal(SIGKILL))
            #expect(try await tool.run("exec", "--file", "F", "--", "true").status == 0)
            #expect(!Self.exists(Self.folder(of: words[1])))
            if let command = pid_t(words[0]) { kill(command, SIGKILL) }
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `the file is replaced before the token expires, and then the command gets HUP`() async throws {
        try await Self.signedIn(accessTokenLifetime: .seconds(5)) { tool in
            let script = """
                trap 'echo; cat "$F"; kill $p; exit 3' HUP; cat "$F"; sleep 600 >/dev/null 2>&1 & p=$!; echo ' ready'; wait
                """
            var output: ChildProcess.Output
            repeat {
                output = try await tool.run("exec", "--file", "F", "--renew", "HUP", "--", "sh", "-c", script)
            } while !output.text.contains("ready")  // on a busy machine, the first HUP may arrive before the shell has set the trap
            let tokens = output.text.split(whereSeparator: \.isWhitespace).filter { $0 != "ready" }.map(String.init)
            #expect(output.status == 3 && tokens.count == 2 && tokens.first != tokens.last, "\(output.errorText)")
            #expect(try tokens.last == tool.storedToken())
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `without --renew, the file is replaced and the command gets no signal`() async throws {
        try await Self.signedIn(accessTokenLifetime: .seconds(5)) { tool in
            let script = #"old=$(cat "$F"); trap 'exit 9' HUP; while [ "$(cat "$F")" = "$old" ]; do sleep 0.1; done; exit 4"#
            let output = try await tool.run("exec", "--file", "F", "--", "sh", "-c", script)
            #expect(output.status == 4, "\(output.errorText)")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `--renew restart starts the command again with a new token, until a signal ends it`() async throws {
        try await Self.signedIn(accessTokenLifetime: .seconds(5)) { tool in
            let process = try tool.start(["exec", "--renew", "restart", "--", "sh", "-c", "echo \"$AUTHHUB_TOKEN\"; exec sleep 600"])
            _ = await process.wait { $0.text.count { $0 == "\n" } == 2 }
            process.send(SIGTERM)
            let output = await process.end()
            #expect(output.ending == .signal(SIGTERM) && output.errorText.isEmpty, "\(output.errorText)")
            let tokens = output.text.split(separator: "\n")
            #expect(tokens.count >= 2 && Set(tokens).count == tokens.count && !tokens.contains(""))
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `--renew restart does not start a command again that has ended by itself`() async throws {
        try await Self.signedIn { tool in
            let output = try await tool.run("exec", "--renew", "restart", "--", "sh", "-c", "echo once; exit 7")
            #expect(output.status == 7 && output.text == "once\n")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `if no new token is available, the user is warned once and the command keeps the old one`() async throws {
        try await Self.signedIn(accessTokenLifetime: .seconds(5)) { tool in
            let process = try tool.start(["exec", "--file", "F", "--", "sh", "-c", "cat \"$F\"; exec sleep 600"])
            let first = await process.wait { !$0.text.isEmpty }
            tool.server.faults.always(at: .tokenEndpoint, .answer(status: 503))
            let requests = tool.server.log.tokenRequests(grant: "refresh_token")
            await tool.untilLogged(by: process) { $0.tokenRequests(grant: "refresh_token") >= requests + 2 }
            process.send(SIGTERM)
            let output = await process.end()
            #expect(output.ending == .signal(SIGTERM))
            #expect(
                output.errorText.split(separator: "warning: the command has no new token", omittingEmptySubsequences: false).count == 2,
                "\(output.errorText)")
            #expect(!output.errorText.contains(first.text))
        }
    }
}

extension Tool {
    fileprivate func storedToken() throws -> String? { try storedCredential()["access_token"]?.string }
}
#endif
