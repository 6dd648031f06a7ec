import CredentialStorage

extension ServiceSession {
    /// Returns the record of an account, the item that contains it, and other items with the same attributes; nil if there is none.
    func record(
        of account: CredentialAccount, _ items: ServiceItem, in collection: String
    ) throws(CredentialStoreError) -> (item: String, others: [String], credential: StoredCredential)? {
        let found = try self.items(items.record(of: account.id), in: collection)
        guard let item = try newest(of: found) else { return nil }
        let record = try record(in: item)
        guard record.account == account else { throw ServiceRecord.damaged }
        return (item, found.filter { $0 != item }, record.credential)
    }

    func record(in item: String) throws(CredentialStoreError) -> (account: CredentialAccount, credential: StoredCredential) {
        let bytes = WipedBytes(try secret(of: item))
        return try ServiceRecord.read(bytes.value)
    }

    func deleteItems(_ items: [String]) throws(CredentialStoreError) {
        for item in items { try deleteItem(item) }
    }
}
