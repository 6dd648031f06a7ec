import ArgumentParser
import AuthHubPrimitives

struct RootCommand: ParsableCommand {
    /// The names of the commands.
    static var commandNames: Set<String> { Set(configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]) }

    static let configuration = CommandConfiguration(
        commandName: "authhub",
        abstract: "Signs you in with OAuth 2 and OpenID Connect, and keeps the tokens safe and fresh.",
        discussion: """
            Data goes to standard output, everything else to standard error. Tokens are printed by "authhub token" alone.

            Try it without an account and without the internet:
              authhub demo

            Exit status:
            \(HelpList.exitStatus)

            Environment:
            \(HelpList.environment)
            """,
        version: AuthHubVersion.current,
        subcommands: [
            LoginCommand.self, StatusCommand.self, AccountsCommand.self, ProviderCommand.self, TokenCommand.self, WhoAmICommand.self,
            ReposCommand.self, RequestCommand.self, RefreshCommand.self, LogoutCommand.self, RevokeCommand.self, IntrospectCommand.self,
            ClientCommand.self, StoreCommand.self, HandlerCommand.self, CallbackCommand.self, AssociationCommand.self, DiscoverCommand.self,
            ServeCommand.self,
            DemoCommand.self,
        ])
}
