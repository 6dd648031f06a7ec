import ArgumentParser

struct HelperCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "helper", abstract: "Give tokens to other programs, in their own protocols.", subcommands: [HelperGitCommand.self])
}
