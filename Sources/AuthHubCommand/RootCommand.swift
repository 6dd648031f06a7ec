import ArgumentParser
import AuthHubPrimitives

struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authhub",
        abstract: "Signs you in with OAuth 2 and OpenID Connect, and keeps the tokens safe and fresh.",
        discussion: """
            Data goes to standard output, everything else to standard error. Tokens are printed by "authhub token" alone.

            Try it without an account and without the internet:
              authhub demo

            Exit status:
              0 done                    6 network, TLS, or the server is down
              1 failed                  7 a security check failed
              2 cancelled by you        9 the credential store is unusable
              3 denied by the server   64 wrong usage
              4 sign-in needed         75 busy: try again
              5 timed out             130 interrupted by Ctrl-C

            Environment:
              AUTHHUB_STORE      where to keep tokens, as --store has it, or a folder
              AUTHHUB_KEY_FILE   a file with the key of encrypted tokens (32 bytes)
              AUTHHUB_PASSPHRASE_FILE  a file with the passphrase of that key
              AUTHHUB_CLIENT_ID  the client id for login
              AUTHHUB_BROWSER    the command that opens pages, or "none"
              NO_COLOR           no colour
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
