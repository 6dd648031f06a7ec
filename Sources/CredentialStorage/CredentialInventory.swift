/// A store that can list its records even if some of them cannot be read.
///
/// The account of a record may only be known once it is decrypted. Unreadable records are counted, and can be removed together.
public protocol CredentialInventory: CredentialStore {
    /// Returns the accounts of all readable records, and the error of each unreadable one.
    ///
    /// - Parameter includingUnlisted: Whether to include records that are stored alongside accounts (``CredentialAccount/isListed``).
    func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError])

    /// Removes damaged records (`.corrupt`). Keeps records that may become readable again, such as those with a missing key or a wrong
    /// mode, and those of a newer program.
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

    /// - Throws: ``CredentialStoreError`` of the first unreadable record; ``inventory(includingUnlisted:)`` skips such records.
    public func accounts() async throws(CredentialStoreError) -> [CredentialAccount] {
        let inventory = try await inventory()
        if let error = inventory.unreadable.first { throw error }
        return inventory.accounts
    }
}
