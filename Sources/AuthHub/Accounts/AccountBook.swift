import AuthHubPrimitives
public import CredentialStorage

/// The stored settings of accounts, by label: the provider, the client and the options that each account was signed in with.
///
/// An account's settings are stored in a separate record from its tokens. ``relabel(_:as:)`` and ``remove(_:dependencies:)`` change both.
/// Use ``OAuthAccounts`` to list the accounts that are signed in, and for accounts without settings.
public struct AccountBook: Sendable {
    package let store: any CredentialInventory

    /// Creates an account book for a store. Does not read the store.
    public init(store: any CredentialInventory) {
        self.store = store
    }

    /// The labels in an ``AccountBook``, and the records that cannot be read.
    public struct Listing: Sendable {
        /// The labels that have settings, in the order of their UTF-8 bytes.
        public let labels: [String]
        /// The errors of records that cannot be read. The labels of these records are unknown.
        public let unreadable: [CredentialStoreError]
    }
}

extension AccountBook {
    /// Reads the settings of an account.
    ///
    /// - Returns: The settings; nil if none are stored under the label.
    /// - Throws: ``SessionError`` with `.storeFailed` if the store cannot be read or the record is damaged.
    public func settings(of label: String = "default") async throws(SessionError) -> AccountSettings? {
        guard let stored = try await record(of: label) else { return nil }
        return try AccountSettings(record: stored.payload)
    }

    /// Lists the labels that have settings, without reading the settings themselves.
    ///
    /// - Throws: ``SessionError`` with `.storeFailed` if the store cannot be listed.
    public func list() async throws(SessionError) -> Listing {
        do throws(CredentialStoreError) {
            let inventory = try await store.inventory(includingUnlisted: true)
            let labels = inventory.accounts.filter { AccountSettings.recordAccount(label: $0.label) == $0 }.map(\.label)
            return Listing(labels: labels.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, unreadable: inventory.unreadable)
        } catch {
            throw SessionError(error)
        }
    }

    /// Returns the accounts whose settings can be read, in the order of their labels; none if the store cannot be listed.
    package func readable() async -> [(label: String, settings: AccountSettings)] {
        var accounts: [(label: String, settings: AccountSettings)] = []
        for label in (try? await list().labels) ?? [] {
            if let settings = try? await settings(of: label) { accounts.append((label, settings)) }
        }
        return accounts
    }

    /// Stores the settings of an account. Replaces any settings that are already stored under the label, even by another program.
    ///
    /// - Returns: The version of the stored record.
    /// - Throws: ``SessionError`` with `.misconfigured` if the provider cannot be used, or with `.storeFailed` if the store fails.
    @discardableResult
    public func save(_ settings: AccountSettings, as label: String = "default") async throws(SessionError) -> CredentialVersion {
        let record = try settings.record(label: label)
        do throws(CredentialStoreError) {
            if let version = try await store.overwrite(AccountSettings.recordAccount(label: label), with: record) { return version }
            throw CredentialStoreError(.leaseHeld, "other programs keep changing this account")
        } catch {
            throw SessionError(error)
        }
    }

    /// Deletes the settings of an account, even if they cannot be read.
    ///
    /// The account's tokens are not deleted; ``remove(_:dependencies:)`` deletes both.
    ///
    /// - Throws: ``SessionError`` with `.storeFailed` if the store fails.
    public func forget(_ label: String = "default") async throws(SessionError) {
        do throws(CredentialStoreError) {
            try await store.delete(AccountSettings.recordAccount(label: label), at: nil)
        } catch {
            throw SessionError(error)
        }
    }
}

extension AccountBook {
    /// Deletes the settings and all tokens of a label that has no usable settings: without them, no program would find the tokens. Keeps
    /// records that another program changes at the same time.
    package func forgetEverything(_ label: String) async throws(SessionError) {
        let settings = AccountSettings.recordAccount(label: label)
        do throws(CredentialStoreError) {
            let record = try await storedRecord(of: settings)
            if case .readable(let stored)? = record, (try? AccountSettings(record: stored.payload)) != nil {
                throw CredentialStoreError(.leaseHeld, "another program is signing in as “\(label)”")
            }
            for account in try await store.inventory().accounts where account.label.hasSameBytes(as: label) {
                let tokens = try await storedRecord(of: account)
                try await store.delete(account.signIns, at: nil)
                try await delete(account, tokens)
                try await store.delete(account.signOut, at: nil)
            }
            try await delete(settings, record)
        } catch {
            throw SessionError(error)
        }
    }

    private enum StoredRecord {
        case readable(StoredCredential)
        /// It can only be replaced.
        case damaged
    }

    private func storedRecord(of account: CredentialAccount) async throws(CredentialStoreError) -> StoredRecord? {
        do throws(CredentialStoreError) {
            return try await store.read(account).map(StoredRecord.readable)
        } catch  where error.asksForReplacement {
            return .damaged
        }
    }

    /// Deletes a record, unless it was changed.
    private func delete(_ account: CredentialAccount, _ record: StoredRecord?) async throws(CredentialStoreError) {
        switch record {
        case nil: break
        case .readable(let stored)?: try await store.delete(account, at: stored.version)
        case .damaged?: try await store.delete(account, at: nil)
        }
    }

    /// Whether settings are stored that only a new sign-in can replace.
    package func hasDamagedSettings(_ label: String) async -> Bool {
        do throws(CredentialStoreError) {
            guard let stored = try await store.read(AccountSettings.recordAccount(label: label)) else { return false }
            return (try? AccountSettings(record: stored.payload)) == nil
        } catch {
            return error.asksForReplacement
        }
    }

    /// Whether there are tokens under the label, of any server.
    package func hasTokens(_ label: String) async throws(SessionError) -> Bool {
        do throws(CredentialStoreError) {
            for account in try await store.inventory().accounts where account.label.hasSameBytes(as: label) {
                if try await store.hasRecord(of: account) { return true }
            }
            return false
        } catch {
            throw SessionError(error)
        }
    }

    package func hasCredential(_ account: CredentialAccount) async throws(SessionError) -> Bool {
        do throws(CredentialStoreError) {
            return try await store.hasRecord(of: account)
        } catch {
            if error.asksForReplacement { return false }
            throw SessionError(error)
        }
    }

    func record(of label: String) async throws(SessionError) -> StoredCredential? {
        do throws(CredentialStoreError) {
            return try await store.read(AccountSettings.recordAccount(label: label))
        } catch {
            throw SessionError(error)
        }
    }
}
