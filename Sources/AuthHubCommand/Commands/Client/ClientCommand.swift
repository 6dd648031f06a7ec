import ArgumentParser

/// The command for the clients that this tool registers for itself.
struct ClientCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Register your own client at a server that supports it.",
        discussion: """
            If a server supports dynamic registration (RFC 7591), you need not apply for a client ID: login uses the registered client.

            Examples:
              authhub client register https://login.example.com --name "My notebook"
              authhub login https://login.example.com
              authhub client show https://login.example.com
              authhub client delete https://login.example.com
            """,
        subcommands: [ClientRegisterCommand.self, ClientShowCommand.self, ClientDeleteCommand.self])
}
