import ArgumentParser
import AuthHub
import AuthHubPrimitives

struct AccountsUseCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Make an account the current one.",
        discussion: """
            Commands use the current account if nothing else names one; see "authhub help accounts". To undo it: authhub accounts use default
            """)

    @Argument(help: ArgumentHelp("The account's label.", valueName: "name"), completion: .accounts)
    var label: String

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try AccountOptions.check(label) }

    func perform(_ console: Console) async throws(Failure) {
        let isUsual = label == AccountOptions.defaultLabel
        if !isUsual { try await AccountBook.require(label, in: storage) }
        try await AccountRules.change { $0.current = isUsual ? nil : label }
        switch console.format {
        case .json: console.put(["account": .string(label)])
        case .text: console.say("“\(label)” is the current account. Next: authhub status")
        }
    }
}

extension AccountBook {
    /// - Throws: ``Failure`` if there is no account under the label.
    static func require(_ label: String, in storage: StoreOptions) async throws(Failure) {
        let book = AccountBook(store: try ToolStore.open(storage))
        guard try await Failure.translating({ try await book.settings(of: label) }) != nil else { throw .unknownAccount(label) }
    }
}
