extension CredentialStore {
    /// Returns all records that the store can list, including those alongside the accounts, and the errors of those that cannot be opened.
    ///
    /// The order is the same each time, so that two processes working on the same accounts meet at the first.
    func allRecords() async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        let found: (accounts: [CredentialAccount], unreadable: [CredentialStoreError])
        if let store = self as? any CredentialInventory {
            found = try await store.inventory(includingUnlisted: true)
        } else {
            found = (try await accounts(), [])
        }
        return (found.accounts.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }, found.unreadable)
    }
}
