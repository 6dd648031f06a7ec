import ArgumentParser

struct AccountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Lists, renames and removes the accounts that were signed in.",
        discussion: """
            An account is a server, a client and a label. Any number of them may be signed in at the same time; --as NAME tells the other \
            commands which of them to use.

            Examples:
              authhub accounts                       lists them
              authhub accounts rename default work
              authhub accounts remove work
            """,
        subcommands: [AccountsListCommand.self, AccountsRenameCommand.self, AccountsRemoveCommand.self],
        defaultSubcommand: AccountsListCommand.self)
}
