import ArgumentParser

/// The command for the clients that this tool registers for itself.
struct ClientCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Registers a client of your own at a server that offers that.",
        discussion: """
            Where a server lets programs register themselves (RFC 7591), no client id has to be asked for: login takes the registered one.

            Examples:
              authhub client register https://login.example.com --name "My notebook"
              authhub login https://login.example.com
              authhub client show https://login.example.com
              authhub client delete https://login.example.com
            """,
        subcommands: [ClientRegisterCommand.self, ClientShowCommand.self, ClientDeleteCommand.self])
}
