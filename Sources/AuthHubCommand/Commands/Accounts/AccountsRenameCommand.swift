import ArgumentParser
import AuthHubPrimitives

struct AccountsRenameCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Change the label of an account. It stays signed in.",
        discussion: """
            Does not contact the server. Waits for a refresh in another process, and never overwrites an account. If the command is \
            interrupted, the account has at least one of the two labels; run the same command again to finish.
            """)

    @Argument(help: ArgumentHelp("The current label.", valueName: "old"), completion: .accounts)
    var source: String

    @Argument(help: ArgumentHelp("The new label.", valueName: "new"))
    var target: String

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        for label in [source, target] { try AccountOptions.check(label) }
        guard source != target else { throw ValidationError("The account already has this label.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        try await AccountRename(store: try ToolStore.open(storage), source: source, target: target).perform()
        try await AccountRules.change { $0.rename(source, to: target) }
        switch console.format {
        case .json: console.put(["account": .string(target), "renamed_from": .string(source)])
        case .text: console.say("“\(source)” is now “\(target)”. Next: authhub status\(AccountOptions.suffix(target))")
        }
    }
}
