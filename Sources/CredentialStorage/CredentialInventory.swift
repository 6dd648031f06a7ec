/// A store that can list its records even if some of them cannot be read.
///
/// Some stores learn the account of a record only by decrypting it. Unreadable records are therefore reported as errors without an account,
/// and are removed together.
public protocol CredentialInventory: CredentialStore {
    /// Returns the accounts of all readable records, and the error of each unreadable one.
    ///
    /// - Parameter includingUnlisted: Whether to include records that are stored alongside accounts (``CredentialAccount/isListed``).
    func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError])

    /// Removes damaged records (`.corrupt`). Does not remove records that may become readable again, such as records with a missing key or
    /// a wrong file mode, and records that a newer program wrote.
    ///
    /// - Returns: The number of removed records.
    @discardableResult
    func removeUnreadable() async throws(CredentialStoreError) -> Int
}

extension CredentialInventory {
    /// Returns the listed accounts of all readable records, and the error of each unreadable one.
    public func inventory() async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try await inventory(includingUnlisted: false)
    }

    /// Returns the listed accounts of all records.
    ///
    /// - Throws: ``CredentialStoreError`` of the first unreadable record. Use ``inventory(includingUnlisted:)`` to skip unreadable records.
    public func accounts() async throws(CredentialStoreError) -> [CredentialAccount] {
        let inventory = try await inventory()
        if let error = inventory.unreadable.first { throw error }
        return inventory.accounts
    }
}
