import ArgumentParser
import AuthHub
import AuthHubPrimitives
import CredentialStorage

struct AccountsPruneCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove accounts that are not signed in, and rules for accounts that do not exist.",
        discussion: """
            Lists what it would remove, and asks before it does. The settings of the accounts, with their client secrets, are deleted. An \
            account with tokens is not removed, even if they have expired; "authhub accounts remove" does that.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(storage)
        let book = AccountBook(store: store)
        let listing = try await Failure.translating { try await book.list() }
        var unused: [(label: String, version: CredentialVersion)] = []
        for label in listing.labels {
            if let version = try await versionIfUnused(label, book) { unused.append((label, version)) }
        }
        let labels = unused.map(\.label)
        // An account that cannot be read may have one of the labels.
        let kept = listing.unreadable.isEmpty ? Set(listing.labels).subtracting(labels) : nil
        let rules = try AccountRules.stored()
        let lost = kept.map { rules.names(without: $0) } ?? []
        if console.format == .text {
            for label in labels { console.say("Account “\(label)”: no one is signed in") }
            for name in lost { console.say("\(name)") }
        }
        guard !labels.isEmpty || !lost.isEmpty else { return tell([], [], console) }
        if !yes {
            guard try await Confirmation(console: console).asks("Remove \(labels.isEmpty ? "these rules" : "them")?") else {
                throw Failure("cancelled", .cancelled, "nothing was removed", hint: "authhub accounts prune --yes removes them")
            }
        }
        var removed: [String] = []
        for (label, version) in unused where try await versionIfUnused(label, book) == version {
            try await Failure.translating { try await book.forget(label, at: version) }
            removed.append(label)
        }
        if let kept {
            // Accounts that were created while the user was asked keep their rules.
            let present = try await Failure.translating { try await book.list().labels }
            try await AccountRules.change { $0.keep(only: kept.union(present)) }
        }
        tell(removed, lost, console)
    }

    /// Returns the version of the settings if no tokens are stored under the label; nil if there are any, or if that cannot be known.
    private func versionIfUnused(_ label: String, _ book: AccountBook) async throws(Failure) -> CredentialVersion? {
        guard let settings = try? await book.settings(of: label), let account = try? settings.account(label: label) else { return nil }
        guard await !OAuthAccounts(store: book.store).hasUnfinishedSignOut(account),
            try await Failure.translating({ try await !book.hasTokens(label) })
        else { return nil }
        return try await Failure.translating { try await book.version(of: label) }
    }

    private func tell(_ labels: [String], _ rules: [String], _ console: Console) {
        switch console.format {
        case .json: console.put(["accounts": .array(labels.map { .string($0) }), "rules": .number(JSONNumber(Int64(rules.count)))])
        case .text where labels.isEmpty && rules.isEmpty: console.say("Nothing to remove.")
        case .text:
            console.say("Removed \(Words.count(labels.count, "account")) and \(Words.count(rules.count, "rule"))")
        }
    }
}

extension AccountRules {
    /// The rules for accounts that do not exist, in words.
    fileprivate func names(without labels: Set<String>) -> [String] {
        let lost = bindings.filter { !labels.contains($0.account) }
        let current = current.flatMap { labels.contains($0) ? nil : "The current account “\($0)”, which does not exist" }
        let folders = folders.filter { !labels.contains($0.value) }.sorted { $0.key < $1.key }
        return [current].compactMap { $0 } + lost.map { "The binding of \($0.address) to “\($0.account)”, which does not exist" }
            + folders.map { "The binding of \($0.key) to “\($0.value)”, which does not exist" }
    }
}
