extension CredentialStore {
    /// All records that the store can tell of, also those beside the accounts, and the reasons of those that do not open.
    ///
    /// The same order each time, so that two at work on the same accounts meet at the first.
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
