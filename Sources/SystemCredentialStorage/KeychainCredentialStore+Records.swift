#if canImport(Darwin) || SECURITY_ON_LINUX
public import AuthHubPrimitives
public import CredentialStorage

extension KeychainCredentialStore: CredentialStore {
    /// The number of lost races after which the keychain counts as failing.
    private static let attempts = 8

    /// Reads the record of an account from the keychain; nil if the account has none.
    ///
    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.locked` if the device has not been unlocked since it was started; with
    ///   `.corrupt` if the item is damaged; with `.tooNew` if a newer program wrote it.
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await calls.run { [keychain] () throws(CredentialStoreError) in
            try keychain.item(of: account.id)?.credential(of: account)
        }
    }

    /// Stores a record as a keychain item, if the account's current version is `expected` (nil: no record).
    ///
    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.tooLarge` if the payload is too long.
    public func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        let size = payload.reveal().count
        guard size <= StoredCredential.largestPayload else {
            throw CredentialStoreError(
                .tooLarge, "the record has \(size) bytes, but a store accepts at most \(StoredCredential.largestPayload); store less data")
        }
        try checkAccess()
        return try await calls.run { [keychain] () throws(CredentialStoreError) in
            let version = CredentialVersion.unique()
            let item = KeychainItem(of: account, payload: payload, version: version)
            for _ in 0..<Self.attempts {
                let isStored =
                    if let expected { try keychain.replace(account.id, at: expected, with: item) } else { try keychain.add(item) }
                if isStored { return .stored(version) }
                let standing = try keychain.item(of: account.id)?.credential(of: account)
                // Another process has restored or removed it between the two calls.
                guard standing?.version != expected else { continue }
                return .superseded(by: standing)
            }
            throw .changing
        }
    }

    /// Deletes the account's keychain item if its version is `expected`, or any version if `expected` is nil.
    @discardableResult
    public func delete(
        _ account: CredentialAccount, at expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> Bool {
        try checkAccess()
        return try await calls.run { [keychain] () throws(CredentialStoreError) in
            for _ in 0..<Self.attempts {
                if try keychain.delete(account.id, at: expected) { return true }
                guard let standing = try keychain.item(of: account.id) else { return true }
                if let expected, try standing.name.version() != expected { return false }
            }
            throw .changing
        }
    }

    /// Checks that this program can write to the keychain. The keychain does not report how much space is left.
    ///
    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.refused` if this program can only read, or with the errors of reading.
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        try checkAccess()
        try await calls.run { [keychain] () throws(CredentialStoreError) in _ = try keychain.item(of: account.id) }
    }

    /// Acquires the account's lease as a file lock, because the keychain has no leases.
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await leases().lease(account, waitingAtMost: timeout)
    }
}

extension KeychainCredentialStore: CredentialInventory {
    /// Lists the keychain items: the account of each item, and an error for each item whose account cannot be determined.
    public func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        let names = try await calls.run { [keychain] () throws(CredentialStoreError) in try keychain.names() }
        var accounts: [CredentialAccount] = []
        var unreadable: [CredentialStoreError] = []
        for name in names {
            do throws(CredentialStoreError) {
                let account = try name.account()
                if includingUnlisted || account.isListed { accounts.append(account) }
            } catch {
                unreadable.append(error)
            }
        }
        return (accounts, unreadable)
    }

    /// Removes damaged keychain items, except for items that another program replaces at the same time.
    @discardableResult
    public func removeUnreadable() async throws(CredentialStoreError) -> Int {
        try checkAccess()
        return try await calls.run { [keychain] () throws(CredentialStoreError) in
            var count = 0
            for name in try keychain.names() where try keychain.isCorrupt(name) {
                if try keychain.delete(itemNamed: name.digest, at: name.mark) { count += 1 }
            }
            return count
        }
    }
}

extension CredentialStoreError {
    fileprivate static var changing: Self {
        Self(.failed, "other programs keep changing the keychain item; try again")
    }
}
#endif
