import AuthHubPrimitives
import CredentialStorage

/// The accounts by their labels: what each was signed in with.
struct AccountBook: Sendable {
    let store: any CredentialInventory

    /// - Returns: nil where nothing was ever signed in under the label.
    func settings(of label: String) async throws(Failure) -> AccountSettings? {
        let stored: StoredCredential?
        do {
            stored = try await store.read(AccountSettings.recordAccount(label: label))
        } catch {
            throw Failure(error)
        }
        return try stored.map { stored throws(Failure) in try AccountSettings(record: stored.payload) }
    }

    /// The labels that have settings, in the order of their bytes, and why others cannot be told: those records do not open.
    func labels() async throws(Failure) -> (labels: [String], unreadable: [CredentialStoreError]) {
        do {
            let inventory = try await store.inventory(includingUnlisted: true)
            let labels = inventory.accounts.filter { AccountSettings.recordAccount(label: $0.label) == $0 }.map(\.label)
            return (labels.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, inventory.unreadable)
        } catch {
            throw Failure(error)
        }
    }

    /// Settings replace what stands there, whoever wrote it: the last login wins, as it does for the tokens.
    @discardableResult
    func save(_ settings: AccountSettings, as label: String) async throws(Failure) -> CredentialVersion {
        let record = try settings.record(label: label)
        let version: CredentialVersion?
        do {
            version = try await store.overwrite(AccountSettings.recordAccount(label: label), with: record)
        } catch {
            throw Failure(error)
        }
        guard let version else {
            throw Failure("store_failed", .tryAgain, "other programs keep changing this account", hint: "run the same command again")
        }
        return version
    }

    func forget(_ label: String) async throws(Failure) {
        do {
            try await store.delete(AccountSettings.recordAccount(label: label), at: nil)
        } catch {
            throw Failure(error)
        }
    }

    /// Without settings no command finds the tokens of a label any more, so they go, too.
    func forgetEverything(_ label: String) async throws(Failure) {
        do {
            for account in try await store.inventory().accounts where account.label.hasSameBytes(as: label) {
                try await store.delete(account.signIns, at: nil)
                try await store.delete(account, at: nil)
                try await store.delete(account.signOut, at: nil)
            }
        } catch {
            throw Failure(error)
        }
        try await forget(label)
    }

    /// Whether the settings are there and nothing but a new sign-in mends them.
    func hasDamagedSettings(_ label: String) async -> Bool {
        do {
            guard let stored = try await store.read(AccountSettings.recordAccount(label: label)) else { return false }
            return (try? AccountSettings(record: stored.payload)) == nil
        } catch {
            return error.asksForReplacement
        }
    }

    /// Whether there are tokens under the label, wherever they come from.
    func hasTokens(_ label: String) async throws(Failure) -> Bool {
        do {
            return try await store.inventory().accounts.contains { $0.label.hasSameBytes(as: label) }
        } catch {
            throw Failure(error)
        }
    }

    func hasCredential(_ account: CredentialAccount) async throws(Failure) -> Bool {
        do {
            return try await store.read(account) != nil
        } catch {
            if error.asksForReplacement { return false }
            throw Failure(error)
        }
    }
}
