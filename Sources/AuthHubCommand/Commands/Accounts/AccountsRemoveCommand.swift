import ArgumentParser
import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage

struct AccountsRemoveCommand: NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an account from this machine and revoke its tokens.",
        discussion: """
            The account is removed from this machine first. If the server cannot be reached, the command fails and says so; the account is \
            still removed. Tokens whose settings are missing or damaged are removed, too, but cannot be revoked.

            If there is no account under the label, the exit status is 1; that of "authhub logout" is 0.
            """)

    @Argument(help: ArgumentHelp("The account's label.", valueName: "name"), completion: .accounts)
    var label: String?

    @Flag(help: "Do not contact the server; the tokens stay valid there until they expire.")
    var local = false

    @Flag(help: "Remove all damaged records instead of one account.")
    var damaged = false

    @OptionGroup var storage: StoreOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (label == nil) == damaged else { throw ValidationError("Name an account (authhub accounts remove NAME) or use --damaged.") }
        guard !damaged || !local else { throw ValidationError("--local and --damaged cannot be used together.") }
        if let label, label.isEmpty { throw ValidationError("The label must not be empty.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(storage)
        if let label {
            try await remove(label, from: AccountBook(store: store)).tell(console)
        } else {
            try await removeDamaged(store, console)
        }
    }

    private func remove(_ label: String, from book: AccountBook) async throws(Failure) -> SignOutNotice {
        let removal: AccountRemoval
        do throws(SessionError) {
            removal = try await book.remove(label, revoking: !local) { ToolNetwork.current.dependencies(for: $0) }
        } catch {
            throw error.accountProblem == .unknown ? .unknownAccount(label) : Failure(error)
        }
        switch removal {
        case .damagedSettings: return .damagedSettings(label)
        case .tokensWithoutSettings: return .withoutSettings(label)
        case .notRevoked(let settings): return .notAsked(label, of: settings)
        case .signedOut(let revocation, let settings): return try .of(revocation, label: label, at: settings, isUnfinished: false).get()
        }
    }

    private func removeDamaged(_ store: any CredentialInventory, _ console: Console) async throws(Failure) {
        let count = try await Failure.translating { try await OAuthAccounts(store: store).removeUnreadable() }
        switch console.format {
        case .json: console.put(["removed": .number(JSONNumber(Int64(count)))])
        case .text:
            console.say(count == 0 ? "No damaged records" : "Removed \(Words.count(count, "record")). Next: authhub accounts list")
        }
        let rest = try await Failure.translating { try await AccountBook(store: store).list().unreadable }
        guard rest.isEmpty else { throw AccountOverview.failure(rest) }
    }
}
