#if canImport(Glibc)
@testable import AuthHubCommandTests
import DevelopmentServer
import Testing

/// Logins in an SSH session, where no browser can be used.
struct WithoutBrowserTests {
    private static let session = ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22", "NO_COLOR": "1"]
    private static let code = "Signing in with a code instead"
    private static let paste = "Signing in with a pasted URL instead"

    private static func words(_ tool: Tool) -> [String] {
        ["login", tool.server.issuer, "--client-id", "native-app", "--allow-insecure-loopback"]
    }

    private func start(_ tool: Tool, _ words: [String], _ environment: [String: String] = [:]) throws -> TerminalProcess {
        // Ctrl-C reaches the shell, too.
        let all = ["sh", "-c", "trap : INT; \"$@\"; echo It has ended with $?", "sh", Tool.path] + words
        return try TerminalProcess(all, environment: tool.environment.merging(Self.session.merging(environment) { $1 }) { $1 })
    }

    @Test(.timeLimit(.minutes(15)))
    func `a login uses the device flow, and says so`() async throws {
        try await Tool.using(DeviceLoginTests.configuration(.openID)) { tool in
            let terminal = try start(tool, Self.words(tool))
            let shown = await terminal.shown { DeviceScreen($0.replacing("\r\n", with: "\n")) != nil }.replacing("\r\n", with: "\n")
            #expect(shown.contains("No browser is used, because this is an SSH session") && shown.contains(Self.code), "\(shown)")
            let screen = try #require(DeviceScreen(shown))
            try await Phone(tool).enter(screen.code, at: screen.address)
            let end = await terminal.shown(with: "It has ended with ")
            #expect(end.contains("Signed in") && end.contains("It has ended with 0"), "\(end)")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var configuration = DevelopmentServerConfiguration(persona: .openID)
        var words: [String] = []
        var environment: [String: String] = [:]
        let shows: String
        var lacks: String?
    }

    private static var withoutDevices: DevelopmentServerConfiguration {
        var persona = Persona.openID
        persona.device = nil
        return .init(persona: persona)
    }

    private static var rejectingCodes: DevelopmentServerConfiguration {
        var configuration = DevelopmentServerConfiguration(persona: .openID)
        configuration.clients = DevelopmentClient.examples(for: .openID).map { client in
            var client = client
            client.allowsDevices = false
            return client
        }
        return configuration
    }

    static let rows = [
        Row(testDescription: "a server without the device flow", configuration: withoutDevices, shows: paste, lacks: code),
        Row(
            testDescription: "a client that may not use it", configuration: rejectingCodes,
            shows: "The server does not let this client use a code. \(paste)"),
        Row(testDescription: "an option for the page", words: ["--prompt", "login"], shows: paste, lacks: code),
        Row(
            testDescription: "a requested browser", words: ["--flow", "browser"], shows: "Other ways: ", lacks: "instead; for another way"),
        Row(
            testDescription: "a page that the user opens", words: ["--browser", "none"], shows: "Press p", lacks: "instead; for another way"
        ),
        Row(
            testDescription: "browsers that are disabled", environment: ["AUTHHUB_BROWSER": "none"], shows: "Press p",
            lacks: "instead; for another way"),
    ]

    @Test(.timeLimit(.minutes(15)), arguments: rows)
    func `a login goes on in another way, unless the user has chosen one`(row: Row) async throws {
        try await Tool.using(row.configuration) { tool in
            let terminal = try start(tool, Self.words(tool) + row.words, row.environment)
            let shown = await terminal.shown(with: row.shows)
            #expect(shown.contains(row.shows), "\(shown)")
            if let lacks = row.lacks { #expect(!shown.contains(lacks), "\(shown)") }
            // The question appears before the tool reads the terminal.
            while terminal.isPlain { await Task.yield() }
            terminal.type("\u{3}")
            let end = await terminal.shown(with: "It has ended with ")
            #expect(end.contains("It has ended with 130") && !end.contains("next:"), "\(end)")
        }
    }

    @Test func `without a terminal, a login ends with advice`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            var tool = tool
            tool.environment.merge(Self.session) { $1 }
            let output = try await tool.run(Self.words(tool))
            #expect(output.status == 1, "\(output.errorText)")
            #expect(output.errorText.contains("next: --flow device, with a browser on another device; or add --browser CMD"))
        }
    }
}
#endif
