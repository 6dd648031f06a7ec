import ArgumentParser

/// The command for the program that the desktop starts for callbacks of a custom scheme.
struct HandlerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handler",
        abstract: "Make this tool the handler of custom-scheme callbacks.",
        discussion: """
            You need this if the registered redirect URI is like com.example.app:/callback and you use your own browser. A browser that is \
            started only for the sign-in (login --ephemeral) needs no handler.

            Examples:
              authhub handler register com.example.app
              authhub login gitlab --client-id ID --callback com.example.app:/callback
              authhub handler unregister com.example.app
            """,
        subcommands: [HandlerRegisterCommand.self, HandlerUnregisterCommand.self, HandlerStatusCommand.self])
}
