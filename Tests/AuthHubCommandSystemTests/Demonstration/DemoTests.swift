import AsyncHTTPClientTransport
import Platform
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

    #if canImport(Glibc)
    struct ScreenRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        /// The lines that the demo may take: one fewer than those of the screen, because the shell's prompt follows.
        var lines = 23
    }

    @Test(arguments: [
        ScreenRow(testDescription: "the built-in user agent", words: ["--headless"]),
        ScreenRow(testDescription: "a browser", words: ["--browser", "BROWSER"]),
        ScreenRow(testDescription: "a page that the user opens; the title scrolls away", words: ["--browser", "none"], lines: 24),
    ])
    func `all six results stay on a screen of 80 columns and 24 lines`(row: ScreenRow) async throws {
        try await Tool.using { tool in
            // A browser that opens the page by itself, and says nothing.
            let browser = try tool.folder.write("#!/bin/sh\n", to: "browser")
            try #require(chmod(browser, 0o700) == 0)
            let words = row.words.map { $0 == "BROWSER" ? browser : $0 }
            let terminal = try TerminalProcess([Tool.path, "demo"] + words, environment: tool.environment, size: (80, 24))
            if row.words.first == "--browser" {
                let shown = plain(await terminal.shown(with: "Ctrl-C cancels"))
                let url = try #require(shown.split { $0.isWhitespace }.first { $0.contains("/login/oauth/authorize?") })
                let filling = FormFilling(user: Tool.user, password: Secret(Tool.password), refuses: false)
                try await HeadlessBrowser(filling: filling, transport: NetworkTransport.shared).open(String(url))
            }
            let output = plain(await terminal.shown { _ in false })
            for step in 1...6 { #expect(output.contains("✓ \(step)/6"), "\(output)") }
            #expect(output.contains("… and 55 more"), "\(output)")
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            let height = lines.reduce(0) { $0 + max(1, ($1.count + 79) / 80) }
            #expect(height <= row.lines, "\(height) lines: \(output)")
        }
    }

    /// The text without colors and carriage returns.
    private func plain(_ output: String) -> String {
        output.replacing("\r", with: "").replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }
    #endif

    @Test func `the demo prints JSON if requested`() async throws {
        try await Tool.using { tool in
            let output = try await tool.run("demo", "--headless", "-o", "json")
            #expect(output.status == 0, "\(output.errorText)")
            #expect(try output.json().array?.count == 57)
        }
    }
}
