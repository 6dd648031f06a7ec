import AuthHub
import AuthHubPrimitives
import CredentialStorage
import Logging

/// A command that uses one account.
protocol AccountChoosing: ToolCommand {
    var account: AccountOptions { get set }
    /// The URL that the command sends a request to; nil if the account alone determines it.
    var requestURL: String? { get }
    /// Whether only `--as` and `AUTHHUB_ACCOUNT` choose the account: other rules are about accounts that exist.
    var usesNamedAccountOnly: Bool { get }
}

/// A command that uses one account from its beginning.
protocol AccountCommand: AccountChoosing {}

extension AccountChoosing {
    var requestURL: String? { nil }
    var usesNamedAccountOnly: Bool { false }

    /// Runs a body with the command for the account that the command line, the surroundings or the URL choose.
    func choosing(_ body: (Self) async throws(Failure) -> Void) async throws(Failure) {
        let surroundings = await AccountEnvironment.readingGit()
        let outcome = await AccountEnvironment.$current.withValue(surroundings) { () async -> Result<Void, Failure> in
            do throws(Failure) {
                let choice = try await choice(in: surroundings)
                var command = self
                command.account.typedLabel = choice.label
                return await AccountChoice.$made.withValue(choice) { [command] in await Self.outcome(of: command, body) }
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }

    /// Returns the account that exists without the usual label, if there is exactly one. The command itself reports a store that cannot be
    /// read.
    private func onlyAccount() async -> AccountSituation.Candidate? {
        do {
            let book = AccountBook(store: try ToolStore.open(account.storage))
            guard try await book.version(of: account.label) == nil else { return nil }
            let labels = try await book.list().labels
            return labels.count == 1 ? AccountSituation.Candidate(label: labels[0]) : nil
        } catch {
            return nil
        }
    }

    private static func outcome(of command: Self, _ body: (Self) async throws(Failure) -> Void) async -> Result<Void, Failure> {
        do throws(Failure) {
            return .success(try await body(command))
        } catch {
            return .failure(error)
        }
    }

    private func choice(in surroundings: AccountEnvironment) async throws(Failure) -> AccountChoice {
        var situation = AccountSituation(option: account.typedLabel)
        guard situation.option == nil else { return try situation.choice() }
        if let problem = surroundings.problem { throw problem }
        situation.variable = surroundings.variable
        guard !usesNamedAccountOnly, situation.variable == nil else { return try situation.choice() }
        situation.folder = surroundings.folder
        situation.rules = surroundings.rules
        situation.target = requestURL.flatMap { RequestTarget($0) }
        if situation.folder != nil || situation.target != nil {
            situation.accounts = try await AccountSituation.candidates(in: try ToolStore.open(account.storage))
        }
        var choice = try situation.choice()
        if choice.rule == .usual, situation.target == nil, let only = await onlyAccount() {
            situation.accounts = [only]
            choice = try situation.choice()
        }
        return choice
    }
}
