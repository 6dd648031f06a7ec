import AuthHub
import ArgumentParser
import AuthHubPrimitives
import DevelopmentServer
import HTTPLoading
import HTTPTypes
import Testing

@testable import AuthHubCommand
@testable import AuthHubCommandTests

struct RequestTests {
    @Test func `refreshes once after a 401 and repeats the request`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            tool.server.faults.revokeAllAccessTokens()
            let before = tool.server.log.requests(path: "/user")
            let output = try await tool.run("request", "GET", "\(tool.server.issuer)/user")
            #expect(output.status == 0, "\(output.errorText)")
            #expect(tool.server.log.refreshes == 1)
            #expect(tool.server.log.requests(path: "/user") == before + 2)
        }
    }

    @Test func `an error message after the body on the same stream starts on its own line`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let command = ["-c", "\"$0\" request GET \"$1\" 2>&1", Tool.path, "\(tool.server.issuer)/nothing"]
            let output = try await tool.start(command, at: "/bin/sh").end()
            #expect(output.text.contains("}\nauthhub: the server responded 404"), "\(output.text)")
            let apart = try await tool.run("request", "GET", "\(tool.server.issuer)/nothing")
            #expect(apart.errorText.hasPrefix("authhub: the server responded 404"), "\(apart.errorText)")
            #expect(apart.text.hasSuffix("}"))
        }
    }

    @Test func `sends the token to another origin only with --send-token-to`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            try await withDevelopmentServer(.init(persona: .gitHub)) { other in
                let warned = try await tool.run("request", "GET", "\(other.issuer)/user")
                #expect(warned.errorText.contains("the token is not sent to"))
                #expect(warned.errorText.contains("next: add --send-token-to \(other.issuer)"))
                #expect(warned.status == 1)
                #expect(other.log.entries.map(\.hasBearerToken) == [false])

                let named = try await tool.run("request", "GET", "\(other.issuer)/user", "--send-token-to", other.issuer)
                #expect(!named.errorText.contains("warning"))
                #expect(other.log.entries.last?.hasBearerToken == true)
            }
        }
    }

    @Test func `says that a redirect to another origin does not get the token`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            try await withDevelopmentServer(.init(persona: .gitHub)) { other in
                tool.server.faults.always(at: .api, .answer(status: 302, body: "", header: ["Location": "\(other.issuer)/user"]))
                let words = ["request", "GET", "\(tool.server.issuer)/user"]
                let redirected = try await tool.run(words)
                #expect(redirected.status == 1)
                #expect(redirected.errorText.contains("redirected to \(other.issuer) without the token"), "\(redirected.errorText)")
                #expect(redirected.errorText.contains("next: add --send-token-to \(other.issuer)"), "\(redirected.errorText)")
                #expect(other.log.entries.map(\.hasBearerToken) == [false])
                let named = try await tool.run(words + ["--send-token-to", other.issuer])
                #expect(!named.errorText.contains("without the token"), "\(named.errorText)")
                #expect(other.log.entries.last?.hasBearerToken == true)
            }
        }
    }

    @Test func `prints status and header fields if requested, and a status from 400 on is a failure`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let found = try await tool.run("request", "get", "\(tool.server.issuer)/user", "-i", "-H", "Accept: application/json")
            #expect(found.text.hasPrefix("HTTP 200 OK\n"))
            #expect(found.text.contains("\n\n{"))
            let missing = try await tool.run("request", "POST", "\(tool.server.issuer)/nothing", "-d", "-", input: "{}")
            #expect(missing.status == 1)
            #expect(missing.text.contains("Not Found"))
            #expect(missing.errorText.contains("404"))
        }
    }

    @Test(arguments: [
        ("http://api.example/user", "next: authhub request GET https://api.example/user\n"),
        ("HTTP://192.0.2.1:8080/user", "next: authhub request GET https://192.0.2.1:8080/user\n"),
    ])
    func `rejects http to another machine before anything is sent, and no advice sends the token there`(
        url: String, told: String
    ) async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            for more in [[], ["--allow-insecure-loopback"]] {
                let output = try await tool.run(["request", "GET", url, "-H", "X-Api-Key: secret"] + more)
                #expect(output.status == 64)
                #expect(output.errorText.contains(told) && !output.errorText.contains("--send-token-to"), "\(output.errorText)")
            }
        }
    }

    @Test(arguments: [(false, false, false), (true, false, true), (false, true, true)])
    func `http on this machine must be allowed, by the command or by the account's sign-in`(
        command: Bool, account: Bool, isTaken: Bool
    ) throws {
        let url = "http://127.0.0.1:8080/user"
        let request = try RequestCommand.parse(["GET", url] + (command ? ["--allow-insecure-loopback"] : []))
        let settings = AccountSettings(
            provider: .issuer("https://as.example"), client: OAuthClient(id: "client"), allowsInsecureLoopback: account)
        func check() -> Failure? {
            do {
                try request.checkLoopback(LoadRequest.get(url), settings)
                return nil
            } catch { return error as? Failure }
        }
        let failure = check()
        #expect((failure == nil) == isTaken)
        if let failure { #expect(failure.exit == .usage && failure.hint.contains("--allow-insecure-loopback")) }
    }

    @Test(arguments: [
        (["-H", "Authorization: Bearer other"], "account's token"), (["-H", "Host: other.example"], "is set from the URL"),
        (["-H", "Content-Length: 3"], "is set from the body"), (["-H", "Transfer-Encoding: chunked"], "is set from the body"),
        (["--send-token-to", "https://api.example.com/v1"], "next: use --send-token-to https://api.example.com\n"),
    ])
    func `rejects a request that cannot be sent as typed`(words: [String], told: String) async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let count = tool.server.log.entries.count
            let output = try await tool.run(["request", "GET", "\(tool.server.issuer)/user"] + words)
            #expect(output.status == 64)
            #expect(output.errorText.contains(told), "\(output.errorText)")
            #expect(tool.server.log.entries.count == count, "nothing was sent")
        }
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "https://user@a.example/", "http://["])
    func `a redirect that cannot be followed is an error`(location: String) async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            tool.server.faults.always(at: .api, .answer(status: 302, body: "{}", header: ["Location": location]))
            let output = try await tool.run("request", "GET", "\(tool.server.issuer)/user", "-i")
            #expect(output.status == 1)
            #expect(output.text.hasPrefix("HTTP 302 Found\n"))
            #expect(output.errorText.contains(location), "\(output.errorText)")
        }
    }

    @Test func `sends a custom method`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            _ = try await tool.run("request", "report", "\(tool.server.issuer)/user")
            #expect(tool.server.log.entries.last?.method == "REPORT")
        }
    }

    @Test func `JSON output is one object with status, header fields and body`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let words = ["request", "GET", "\(tool.server.issuer)/user", "-o", "json"]
            let found = try await tool.run(words).json()
            #expect(found["status"] == 200)
            #expect(found["body"]?["login"] == "octocat")
            #expect(found["header_fields"]?.array?.contains { $0["name"]?.string?.lowercased() == "content-type" } == true)
            tool.server.faults.always(at: .api, .answer(status: 404, mediaType: "text/plain", body: "[1]"))
            let missing = try await tool.run(words)
            #expect(missing.status == 1)
            #expect(try missing.json()["body"] == "[1]")
            #expect(try missing.errorJSON()["code"] == "http_404")
        }
    }

    @Test func `a body that is not text is in base64`() throws {
        let json = try RequestWriter.json(HTTPResponse(status: .ok), [0xFF, 0x00])
        #expect(json["body"] == .null)
        #expect(json["body_base64"] == "/wA=")
    }

    #if canImport(Glibc)
    @Test func `RS16 escapes a body that would control the terminal there, and leaves it unchanged in a pipe`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let hostile = "\u{9B}2J\u{1B}]0;title\u{7}\u{202E}"
            tool.server.faults.always(at: .api, .altered([.surrounded(before: hostile, after: "end of the body")]))
            let words = ["request", "GET", "\(tool.server.issuer)/user"]
            let piped = try await tool.run(words)
            #expect(piped.text.hasPrefix(hostile), "\(piped.errorText)")
            let terminal = try TerminalProcess([Tool.path] + words, environment: tool.environment)
            let shown = await terminal.shown(with: "end of the body")
            #expect(shown.hasPrefix(#"\u009b2J\u001b]0;title\u0007\u202e{"#), "\(shown.debugDescription)")
        }
    }
    #endif
}
