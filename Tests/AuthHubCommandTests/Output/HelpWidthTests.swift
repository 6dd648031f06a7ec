import ArgumentParser
import Testing

@testable import AuthHubCommand

struct HelpWidthTests {
    private static func commands(in command: any ParsableCommand.Type = RootCommand.self) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands(in: $0) }
    }

    /// A line that is too long for the terminal continues in the first column, outside its list or table.
    @Test func `no list or example in the help is wider than 80 columns`() {
        for command in Self.commands() {
            let lines = command.helpMessage(columns: 80).split(separator: "\n", omittingEmptySubsequences: false)
            for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  ") {
                #expect(next.isEmpty || next.hasPrefix("  "), "\(command._commandName): “\(line)” and “\(next)”")
            }
        }
        #expect(Self.commands().count > 40)
    }
}
