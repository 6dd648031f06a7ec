import ArgumentParser

struct MCPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Connect programs to servers of the Model Context Protocol.", subcommands: [MCPProxyCommand.self])
}
