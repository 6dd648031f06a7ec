import ArgumentParser

struct RootCommand: ParsableCommand {
    /// The names of the commands.
    static var commandNames: Set<String> { Set(configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]) }

    static let configuration = CommandConfiguration(
        commandName: "authhub",
        abstract: "Sign in with OAuth 2 and OpenID Connect, store tokens safely and keep them fresh.",
        discussion: """
            Data is written to standard output, everything else to standard error. Only "authhub token" and "authhub helper" print tokens.

            Try it without an account or internet access:
              authhub demo

            Exit status:
            \(HelpList.exitStatus)

            Environment:
            \(HelpList.environment)
            """,
        version: ToolVersion.text,
        subcommands: [
            LoginCommand.self, StatusCommand.self, AccountsCommand.self, ProviderCommand.self, TokenCommand.self, ExecCommand.self,
            WhoAmICommand.self, ReposCommand.self, RequestCommand.self, MCPCommand.self, RefreshCommand.self, LogoutCommand.self,
            RevokeCommand.self,
            IntrospectCommand.self, ClientCommand.self, StoreCommand.self, HelperCommand.self, SetupCommand.self, HandlerCommand.self,
            CallbackCommand.self, AssociationCommand.self, DiscoverCommand.self, JWKSCommand.self, JWTCommand.self, ServeCommand.self,
            DoctorCommand.self, DemoCommand.self, CompletionCommand.self,
        ])
}
