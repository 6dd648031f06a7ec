/// A store that can list its records although some of them do not open.
///
/// Who a record belongs to may be known only when it opens; those that do not are counted, and can be removed together.
public protocol CredentialInventory: CredentialStore {
    /// The accounts of all records that open, and for each of the others the reason.
    ///
    /// - Parameter includingUnlisted: Also the records that are kept beside accounts (``CredentialAccount/isListed``).
    func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError])

    /// Removes the records that are damaged (`.corrupt`), and none that may open again, such as those whose key is missing, those of a newer
    /// program or with a wrong mode.
    ///
    /// - Returns: How many there were.
    @discardableResult
    func removeUnreadable() async throws(CredentialStoreError) -> Int
}

extension CredentialInventory {
    /// The listed accounts of all records that open, and for each of the others the reason.
    public func inventory() async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try await inventory(includingUnlisted: false)
    }

    /// - Throws: ``CredentialStoreError`` for the first record that does not open; ``inventory(includingUnlisted:)`` goes on behind it.
    public func accounts() async throws(CredentialStoreError) -> [CredentialAccount] {
        let inventory = try await inventory()
        if let error = inventory.unreadable.first { throw error }
        return inventory.accounts
    }
}
