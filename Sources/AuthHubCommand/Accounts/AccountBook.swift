import AuthHubPrimitives
import CredentialStorage

/// The settings of each account, by label.
struct AccountBook: Sendable {
    let store: any CredentialInventory

    /// Returns the settings of an account.
    ///
    /// - Returns: nil if the label was never used for a sign-in.
    func settings(of label: String) async throws(Failure) -> AccountSettings? {
        let stored: StoredCredential?
        do {
            stored = try await store.read(AccountSettings.recordAccount(label: label))
        } catch {
            throw Failure(error)
        }
        return try stored.map { stored throws(Failure) in try AccountSettings(record: stored.payload) }
    }

    /// Returns the labels that have settings, sorted by their bytes, and the errors of records that cannot be opened.
    func labels() async throws(Failure) -> (labels: [String], unreadable: [CredentialStoreError]) {
        do {
            let inventory = try await store.inventory(includingUnlisted: true)
            let labels = inventory.accounts.filter { AccountSettings.recordAccount(label: $0.label) == $0 }.map(\.label)
            return (labels.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, inventory.unreadable)
        } catch {
            throw Failure(error)
        }
    }

    /// Saves settings. They replace the current ones of any process: the last login wins, as it does for the tokens.
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

    /// Deletes the settings and the tokens of a label. Without settings, no command could find the tokens.
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

    /// Returns whether there are settings that only a new sign-in can repair.
    func hasDamagedSettings(_ label: String) async -> Bool {
        do {
            guard let stored = try await store.read(AccountSettings.recordAccount(label: label)) else { return false }
            return (try? AccountSettings(record: stored.payload)) == nil
        } catch {
            return error.asksForReplacement
        }
    }

    /// Returns whether there are tokens under the label, from any provider.
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
