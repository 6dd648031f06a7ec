import ArgumentParser

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Show, test or move the credential store.",
        discussion: """
            The first sign-in chooses the store: the desktop's keyring (secret-service), or encrypted files (file) if there is none. The \
            choice is recorded, and no other store replaces it silently. Use --store or AUTHHUB_STORE to choose another one for a command.

            Examples:
              authhub store                                show where the tokens are
              authhub store test
              authhub store migrate file secret-service
              authhub store export accounts.authhub        encrypted with a passphrase
            """,
        subcommands: [
            StoreInfoCommand.self, StoreListCommand.self, StoreTestCommand.self, StoreMigrateCommand.self, StoreRekeyCommand.self,
            StoreExportCommand.self, StoreImportCommand.self,
        ],
        defaultSubcommand: StoreInfoCommand.self)
}
