import ArgumentParser

/// The command for the clients that new accounts use: those that the user registered, and those that this tool registers for itself.
struct ClientCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Store the clients that logins use, or register one.",
        discussion: """
            Most providers want you to register a client on their website: "client add" stores it, so that logins need no --client-id. \
            If a server supports dynamic registration (RFC 7591), "client register" registers one for you. If it supports client \
            metadata documents, "client document" writes one to publish.

            Examples:
              authhub client add github --client-id ID --client-secret-file FILE
              authhub client list
              authhub client register https://login.example.com --name "My notebook"
              authhub login https://login.example.com
              authhub client show https://login.example.com
              authhub client delete https://login.example.com
            """,
        subcommands: [
            ClientAddCommand.self, ClientListCommand.self, ClientRemoveCommand.self, ClientRegisterCommand.self, ClientShowCommand.self,
            ClientDeleteCommand.self, ClientDocumentCommand.self,
        ])
}
