import ArgumentParser

struct AccountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List, rename and remove accounts.",
        discussion: """
            An account is a server, a client and a label. Any number of accounts can be signed in at the same time; --as NAME tells the \
            other commands which one to use.

            Examples:
              authhub accounts                       list them
              authhub accounts rename default work
              authhub accounts remove work
            """,
        subcommands: [AccountsListCommand.self, AccountsRenameCommand.self, AccountsRemoveCommand.self],
        defaultSubcommand: AccountsListCommand.self)
}
