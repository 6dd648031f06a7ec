import AuthHubPrimitives
import DevelopmentServer
import Testing

struct RequestTests {
    @Test func `a refusal is answered with one renewal and one more try`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            tool.server.faults.revokeAllAccessTokens()
            let output = try await tool.run("request", "GET", "\(tool.server.issuer)/user")
            #expect(output.status == 0, "\(output.errorText)")
            #expect(tool.server.log.refreshes == 1)
            #expect(tool.server.log.requests(path: "/user") == 2)
        }
    }

    @Test func `another origin gets the token only where it is named`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            try await withDevelopmentServer(.init(persona: .gitHub)) { other in
                let warned = try await tool.run("request", "GET", "\(other.issuer)/user")
                #expect(warned.errorText.contains("does not get the token"))
                #expect(warned.errorText.contains("next: add --send-token-to \(other.issuer)"))
                #expect(warned.status == 1)
                #expect(other.log.entries.map(\.hasBearerToken) == [false])

                let named = try await tool.run("request", "GET", "\(other.issuer)/user", "--send-token-to", other.issuer)
                #expect(!named.errorText.contains("warning"))
                #expect(other.log.entries.last?.hasBearerToken == true)
            }
        }
    }

    @Test func `status and header fields are printed where asked for, and a status from 400 on is a failure`() async throws {
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

    #if canImport(Glibc)
    @Test func `RS16 a body that would control the terminal is escaped there, and left alone in a pipe`() async throws {
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
