/// A store that can list its records even if some of them cannot be opened.
///
/// The owner of a record may be known only after it is opened. Records that cannot be opened are counted and can be removed together.
public protocol CredentialInventory: CredentialStore {
    /// Returns the accounts of all records that can be opened, and for each of the others the reason.
    ///
    /// - Parameter includingUnlisted: Whether to include records that are stored alongside accounts (``CredentialAccount/isListed``).
    func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError])

    /// Removes the damaged records (`.corrupt`), but none that may open again, such as records whose key is missing, records of a newer
    /// program and records with a wrong mode.
    ///
    /// - Returns: The number of removed records.
    @discardableResult
    func removeUnreadable() async throws(CredentialStoreError) -> Int
}

extension CredentialInventory {
    /// Returns the listed accounts of all records that can be opened, and for each of the others the reason.
    public func inventory() async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try await inventory(includingUnlisted: false)
    }

    /// Returns the listed accounts of all records.
    ///
    /// - Throws: ``CredentialStoreError`` for the first record that cannot be opened; ``inventory(includingUnlisted:)`` continues after it.
    public func accounts() async throws(CredentialStoreError) -> [CredentialAccount] {
        let inventory = try await inventory()
        if let error = inventory.unreadable.first { throw error }
        return inventory.accounts
    }
}
