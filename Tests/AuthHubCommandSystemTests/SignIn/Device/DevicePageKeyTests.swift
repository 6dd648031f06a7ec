#if canImport(Glibc)
import Platform
@testable import AuthHubCommandTests
import AuthHubTesting
import DevelopmentServer
import Testing

/// Codes that are shown on a terminal.
struct DevicePageKeyTests {
    private static let offer = "Press Return to open the page"

    /// Starts a sign-in with a code, and then waits, so that the terminal can be examined.
    private func start(_ tool: Tool, browser: String) throws -> TerminalProcess {
        let words = ["sh", "-c", "\"$@\"; echo It has ended with $?; read -r line", "sh", Tool.path] + tool.deviceWords()
        return try TerminalProcess(words, environment: tool.environment.merging(["NO_COLOR": "1", "AUTHHUB_BROWSER": browser]) { $1 })
    }

    private func screen(_ terminal: TerminalProcess) async throws -> (text: String, screen: DeviceScreen) {
        func plain(_ text: String) -> String { text.replacing("\r\n", with: "\n") }
        let text = plain(await terminal.shown { DeviceScreen(plain($0)) != nil })
        return (text, try #require(DeviceScreen(text)))
    }

    @Test(.timeLimit(.minutes(15)))
    func `Return opens the page each time, without the code, and the terminal is as before in the end`() async throws {
        try await Tool.using(DeviceLoginTests.configuration(.openID)) { tool in
            let record = "\(tool.folder.path)/opened"
            let browser = try await tool.executable("#!/bin/sh\nprintf '%s ' \"$@\" >> \(record)\n", named: "browser")
            let terminal = try start(tool, browser: browser)
            let (text, screen) = try await screen(terminal)
            #expect(text.contains(Self.offer), "\(text)")
            for count in 1...2 {
                terminal.type("x\r")
                try await onceItSucceeds {
                    let opened = try String(contentsOfFile: record, encoding: .utf8)
                    guard opened == String(repeating: "\(screen.address) ", count: count) else { throw NotOpened(record: opened) }
                }
            }
            try await Phone(tool).enter(screen.code, at: screen.address)
            let end = await terminal.shown(with: "It has ended with ")
            #expect(end.contains("Signed in") && end.contains("It has ended with 0"), "\(end)")
            #expect(terminal.isPlain)
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `a browser that fails is reported, and the sign-in goes on`() async throws {
        try await Tool.using(DeviceLoginTests.configuration(.openID)) { tool in
            let terminal = try start(tool, browser: try await tool.executable("#!/bin/sh\nexit 7\n", named: "browser"))
            let screen = try await screen(terminal).screen
            terminal.type("\r")
            let shown = await terminal.shown(with: "did not open")
            #expect(shown.contains("the page did not open"), "\(shown)")
            try await Phone(tool).enter(screen.code, at: screen.address)
            #expect(await terminal.shown(with: "It has ended with ").contains("It has ended with 0"))
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `without a browser, nothing is offered`() async throws {
        try await Tool.using(DeviceLoginTests.configuration(.openID, lifetime: .seconds(1))) { tool in
            let terminal = try start(tool, browser: "none")
            let end = await terminal.shown(with: "It has ended with ")
            #expect(end.contains("Waiting for you") && !end.contains(Self.offer), "\(end)")
            #expect(terminal.isPlain)
        }
    }

    private struct NotOpened: Error {
        let record: String
    }
}
#endif
