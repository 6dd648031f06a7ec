import ArgumentParser

struct AccountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List, choose, rename and remove accounts.",
        discussion: """
            An account is a server, a client and a label. Any number of accounts can be signed in at the same time. The other commands \
            use the first account that one of these names:
              1. --as NAME
              2. AUTHHUB_ACCOUNT
              3. the nearest folder with git config authhub.account, or with an
                 account from "authhub accounts bind --folder"
              4. the URL of "authhub request": the account bound to it, or the only
                 one that sends its token there
              5. authhub accounts use NAME, or else the label "default",
                 or else the only account

            "authhub login PROVIDER" only uses 1 and 2, or else the label "default". git has its own rules: see authhub help helper git.

            Examples:
              authhub accounts                       list them
              authhub accounts use work
              authhub accounts bind work --folder ~/work
              authhub accounts bind work --host api.github.com --path /orgs/mine
              authhub accounts rename default work
              authhub accounts remove work
            """,
        subcommands: [
            AccountsListCommand.self, AccountsUseCommand.self, AccountsBindCommand.self, AccountsUnbindCommand.self,
            AccountsRenameCommand.self, AccountsRemoveCommand.self, AccountsPruneCommand.self,
        ],
        defaultSubcommand: AccountsListCommand.self)
}
