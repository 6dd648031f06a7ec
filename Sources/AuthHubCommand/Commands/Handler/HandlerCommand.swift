import ArgumentParser

/// The command for the program that the desktop starts for callbacks of a custom scheme.
struct HandlerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handler",
        abstract: "Makes this tool the program that custom-scheme callbacks come to.",
        discussion: """
            Needed where a redirect URI such as com.example.app:/callback is registered and the browser is your own. A browser that is
            started for the sign-in alone (login --ephemeral) needs no handler.

            Examples:
              authhub handler register com.example.app
              authhub login https://login.example.com --client-id ID --callback com.example.app:/callback
              authhub handler unregister com.example.app
            """,
        subcommands: [HandlerRegisterCommand.self, HandlerUnregisterCommand.self, HandlerStatusCommand.self])
}
