import ArgumentParser

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Configure other programs to get tokens from this tool.", subcommands: [SetupGitCommand.self])
}
