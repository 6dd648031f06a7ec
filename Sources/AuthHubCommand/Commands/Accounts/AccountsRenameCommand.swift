import ArgumentParser
import AuthHub
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
        let book = AccountBook(store: try ToolStore.open(storage))
        do throws(SessionError) {
            try await book.relabel(source, as: target)
        } catch {
            throw failure(error)
        }
        try await AccountRules.change { $0.rename(source, to: target) }
        switch console.format {
        case .json: console.put(["account": .string(target), "renamed_from": .string(source)])
        case .text: console.say("“\(source)” is now “\(target)”. Next: authhub status\(AccountOptions.suffix(target))")
        }
    }
    private func failure(_ error: SessionError) -> Failure {
        let again = "run the same command again"
        return switch error.accountProblem {
        case .unknown: .unknownAccount(source)
        case .labelTaken:
            Failure(
                "label_taken", .failed, error.explanation,
                hint: "authhub accounts rename \(source) NAME, or authhub accounts remove \(target) first")
        case .labelTakenBySignedOut:
            .notSignedIn(as: source, ", and there is already an account “\(target)”", hint: "authhub accounts remove \(source)")
        case .revocationPending:
            .revocationPending(source, hint: "authhub logout\(AccountOptions.suffix(source)), then \(again)")
        case .inUse: Failure("try_again", .tryAgain, error.explanation, hint: "let it finish or cancel it, then \(again)")
        case nil: Failure(error)
        }
    }
}
