import ArgumentParser
import AuthHubPrimitives

struct AccountsRenameCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Gives an account another label, and leaves it signed in.",
        discussion: """
            Asks no server. A refresh that is under way in another process is waited for, and no account is overwritten. Where it is \
            interrupted, the account stands under at least one of the two labels, and the same command ends what was begun.
            """)

    @Argument(help: ArgumentHelp("The label it has.", valueName: "old"))
    var source: String

    @Argument(help: ArgumentHelp("The label it gets.", valueName: "new"))
    var target: String

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        for label in [source, target] { try AccountOptions.check(label) }
        guard source != target else { throw ValidationError("The account has this label already.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        try await AccountRename(store: try ToolStore.open(storage), source: source, target: target).perform()
        switch console.format {
        case .json: console.put(["account": .string(target), "renamed_from": .string(source)])
        case .text: console.say("“\(source)” is “\(target)” now. Next: authhub status\(AccountOptions.suffix(target))")
        }
    }
}
