/// A store that can also tell of the records that lie beside the accounts (``CredentialAccount/isListed``), which a move has to take along.
package protocol UnlistedRecordInventory: CredentialStore {
    /// The wanted accounts of all records that open, and for each of the others the reason.
    func inventory(
        where isWanted: (CredentialAccount) -> Bool
    ) throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError])
}

extension EncryptedFileStore: UnlistedRecordInventory {}

extension CredentialStore {
    /// All records that the store can tell of, in a lasting order, and the reasons of those that do not open.
    ///
    /// Lists may take many calls that block, so they are made off the threads that tasks share.
    func allRecords() async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        let blocking = BlockingCalls(named: "authhub.transfer", concurrent: false)
        let found: (accounts: [CredentialAccount], unreadable: [CredentialStoreError])
        switch self {
        case let store as any UnlistedRecordInventory:
            found = try await blocking.run { () throws(CredentialStoreError) in try store.inventory { _ in true } }
        case let store as any CredentialInventory:
            found = try await blocking.run { () throws(CredentialStoreError) in try store.inventory() }
        default:
            found = (try await accounts(), [])
        }
        // One after the other in the same order each time, so that two at work on the same accounts meet at the first.
        return (found.accounts.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }, found.unreadable)
    }
}
