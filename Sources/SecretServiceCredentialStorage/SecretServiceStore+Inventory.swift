public import CredentialStorage

extension SecretServiceStore: CredentialInventory {
    /// Lists the items in the keyring: the account of each readable record, and an error that names the item for each unreadable one.
    public func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        let found = try await look()
        var accounts: Set<CredentialAccount> = []
        var unreadable: [CredentialStoreError] = []
        for (item, record) in found {
            switch record {
            case .success(let account): if includingUnlisted || account.isListed { accounts.insert(account) }
            case .failure(let error):
                unreadable.append(CredentialStoreError(error.code, "\(item): \(error.explanation)", underlying: error.underlying))
            }
        }
        return (Array(accounts), unreadable)
    }

    /// Deletes the items with damaged records. Reads each item again first, because another process may have replaced it.
    @discardableResult
    public func removeUnreadable() async throws(CredentialStoreError) -> Int {
        var count = 0
        for (item, record) in try await look() {
            guard case .failure(let error) = record, error.code == .corrupt else { continue }
            if try await remove(ifCorrupt: item) { count += 1 }
        }
        return count
    }

    private func remove(ifCorrupt item: String) async throws(CredentialStoreError) -> Bool {
        let attributes = try await client.run { session throws(CredentialStoreError) in try session.attributes(of: item) }
        // An item without an account has no writers to exclude.
        let name = attributes[ServiceItem.accountAttribute].flatMap { CredentialAccount.ID(hexadecimal: $0[...]) }
        let lock = if let name { try await lockFolder.get().writeLock(name) } else { FileLock?.none }
        defer { lock?.release() }
        return try await client.run(whenCancelled: .goesOn) { [items] session throws(CredentialStoreError) in
            let collection = try session.openCollection(client.collection)
            // Another process may have replaced it before we acquired the lock.
            guard try session.items(items.records, in: collection).contains(item),
                case .failure(let error) = session.account(of: item), error.code == .corrupt
            else { return false }
            try session.deleteItem(item)
            return true
        }
    }

    private func look() async throws(CredentialStoreError) -> [(item: String, record: Result<CredentialAccount, CredentialStoreError>)] {
        try await client.prepare()
        return try await client.run { [items] session throws(CredentialStoreError) in
            var found: [(item: String, record: Result<CredentialAccount, CredentialStoreError>)] = []
            for item in try session.items(items.records, in: session.openCollection(client.collection)) {
                let record = session.account(of: item)
                // The error is not about this record only: the service hangs, went away, or no longer knows the item.
                if case .failure(let error) = record, error.serviceFailure != nil { throw error }
                found.append((item, record))
            }
            return found
        }
    }
}

extension ServiceSession {
    /// Returns the account of an item.
    fileprivate func account(of item: String) -> Result<CredentialAccount, CredentialStoreError> {
        do throws(CredentialStoreError) {
            let name = try attributes(of: item)[ServiceItem.accountAttribute]
            let account = try record(in: item).account
            guard name == account.id.bytes.hexadecimal else { throw ServiceRecord.damaged }
            return .success(account)
        } catch {
            return .failure(error)
        }
    }
}
