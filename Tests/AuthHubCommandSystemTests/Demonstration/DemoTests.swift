import AsyncHTTPClientTransport
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import HeadlessBrowsing
import Testing

struct DemoTests {
    @Test(arguments: [["demo", "--headless"], ["demo"]])
    func `the demo checks six steps, leaves nothing behind, and prints plain text to a pipe`(words: [String]) async throws {
        try await Tool.using { tool in
            var tool = tool
            tool.environment["CI"] = "true"
            let output = try await tool.run(words)
            #expect(output.status == 0, "\(output.errorText)")
            for step in 1...6 { #expect(output.errorText.contains("✓ \(step)/6"), "\(output.errorText)") }
            #expect(!output.errorText.contains("\u{1B}") && !output.text.contains("\u{1B}"))
            #expect(output.errorText.contains(words.count == 1 ? "this is a CI run" : "--headless"))
            let states = output.errorText.split(separator: "\n").filter { $0.contains("session states: ") }
            #expect(states.first?.hasSuffix("signing in → exchanging → signed in") == true, "\(output.errorText)")
            #expect(states.dropFirst().first?.contains("refreshing → signed in") == true, "\(output.errorText)")
            #expect(states.last?.hasSuffix("signing out → signed out") == true, "\(output.errorText)")
            #expect(output.text.split(separator: "\n").count == 58)
            #expect(output.text.hasPrefix("REPOSITORY"))
            #expect(try tool.folder.files().isEmpty)
        }
    }

    @Test func `the demo waits for a user who opens the page`() async throws {
        try await Tool.using { tool in
            let demo = try tool.start(["demo", "--browser", "none"])
            let url = try #require(await demo.signInAddress())
            let filling = FormFilling(user: Tool.user, password: Secret(Tool.password), refuses: false)
            try await HeadlessBrowser(filling: filling, transport: NetworkTransport.shared).open(url)
            let output = await demo.end()
            #expect(output.status == 0, "\(output.errorText)")
            #expect(output.errorText.contains("Signed in: you opened the page."), "\(output.errorText)")
        }
    }

    @Test func `the demo says what to do on a page only after a browser has opened it`() async throws {
        try await Tool.using { tool in
            let output = try await tool.run("demo", "--browser", "/nowhere/browser")
            #expect(output.status != 0)
            #expect(!output.errorText.contains("Sign in there"), "\(output.errorText)")
        }
    }

    @Test func `the demo prints JSON if requested`() async throws {
        try await Tool.using { tool in
            let output = try await tool.run("demo", "--headless", "-o", "json")
            #expect(output.status == 0, "\(output.errorText)")
            #expect(try output.json().array?.count == 57)
        }
    }
}
