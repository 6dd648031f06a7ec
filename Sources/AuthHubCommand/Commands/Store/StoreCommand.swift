import ArgumentParser

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Tells where the tokens are kept and why, tries it out, and moves them elsewhere.",
        discussion: """
            The first sign-in chooses the store: the desktop's keyring (secret-service), or encrypted files (file) where there is none. The \
            choice is recorded, and no other store is used in its place. --store and AUTHHUB_STORE name another one for a command.

            Examples:
              authhub store                                where they are, and how each store stands
              authhub store test
              authhub store migrate file secret-service
              authhub store export accounts.authhub        sealed with a passphrase
            """,
        subcommands: [
            StoreInfoCommand.self, StoreListCommand.self, StoreTestCommand.self,
        ],
        defaultSubcommand: StoreInfoCommand.self)
}
