import AsyncHTTPClientTransport
import Platform
@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import DevelopmentServer
import HeadlessBrowsing
import Testing
import WebAuthentication

struct BrowserTests {
    /// The arguments of a sign-in with a browser command, instead of the built-in user agent.
    private func words(_ tool: Tool, browser: String) throws -> [String] {
        let words = try tool.loginWords()
        return Array(words.prefix { $0 != "--headless" }) + ["--browser", browser]
    }

    /// Creates a browser that records its arguments.
    private func recordingBrowser(_ tool: Tool) async throws -> (command: String, record: String) {
        let record = "\(tool.folder.path)/browser-record"
        let script = "#!/bin/sh\n{ echo \"$#\"; echo \"$1\"; env; } > \(record).new\nmv \(record).new \(record)\necho chatter\n"
        return (try await tool.executable(script, named: "browser"), record)
    }

    @Test func `AR61 a browser command gets a start URL as its only argument, and none of our streams and secrets`() async throws {
        try await Tool.using { tool in
            let browser = try await recordingBrowser(tool)
            let login = try tool.start(words(tool, browser: browser.command))
            let url = try #require(await login.signInAddress())
            let filling = FormFilling(user: Tool.user, password: Secret(Tool.password), refuses: false)
            try await HeadlessBrowser(filling: filling, transport: NetworkTransport.shared).open(url)
            let output = await login.end()
            #expect(output.status == 0, "\(output.errorText)")
            #expect(!output.text.contains("chatter") && !output.errorText.contains("chatter"))
            // The sign-in does not wait until the browser has exited.
            let record = try await onceItSucceeds { try String(contentsOfFile: browser.record, encoding: .utf8) }
            let lines = record.split(separator: "\n")
            #expect(lines[0] == "1")
            #expect(lines[1].wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/start\/[A-Za-z0-9_-]{43}/) != nil, "\(lines[1])")
            #expect(!record.contains(Tool.password))
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `TX05: an interrupted sign-in frees its port and stores nothing`(signal: Int32) async throws {
        try await Tool.using { tool in
            let port = Int(try quietPort())
            let login = try tool.start(words(tool, browser: "none") + ["--port", String(port)])
            let url = try #require(await login.signInAddress())
            let redirect = try #require(
                RequestTarget(url).flatMap { try? FormParameters(decoding: $0.path.drop { $0 != "?" }.dropFirst()) }?["redirect_uri"])
            #expect(Origin(url: redirect)?.port == port)
            login.send(signal)
            #expect(await login.end().status == 128 + signal)
            try await withDevelopmentServer(.init(persona: .gitHub, port: port)) { _ in }
            #expect(try await tool.records().isEmpty)
        }
    }
}

extension ChildProcess {
    /// The URL that the tool prints before a browser starts; nil if it exited without one.
    func signInAddress() async -> String? {
        let output = await wait { $0.errorText.contains("Ctrl-C") }
        return output.errorText.split(separator: "\n").map { $0.drop { $0 == " " } }.first { $0.hasPrefix("http") }.map(String.init)
    }
}
