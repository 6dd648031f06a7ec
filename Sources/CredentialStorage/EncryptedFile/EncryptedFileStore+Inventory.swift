extension EncryptedFileStore: CredentialInventory {
    /// The errors name the files of the records that do not open.
    @concurrent
    public func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        var accounts: [CredentialAccount] = []
        var unreadable: [CredentialStoreError] = []
        guard try folder.exists() else { return (accounts, unreadable) }
        for name in try folder.recordNames() {
            do throws(CredentialStoreError) {
                // Nil: deleted since the folder was listed.
                guard let account = try open(name)?.account, includingUnlisted || account.isListed else { continue }
                accounts.append(account)
            } catch {
                unreadable.append(
                    CredentialStoreError(error.code, "\(folder.recordPath(name)): \(error.explanation)", underlying: error.underlying))
            }
        }
        return (accounts, unreadable)
    }

    @concurrent @discardableResult
    public func removeCorrupt() async throws(CredentialStoreError) -> Int {
        guard try folder.exists() else { return 0 }
        var count = 0
        for name in try folder.recordNames() where isCorrupt(name) {
            let lock = try await folder.locks.writeLock(CredentialAccount.ID(bytes: name.digest))
            defer { lock.release() }
            // Another process may have replaced it before the lock was ours.
            guard isCorrupt(name) else { continue }
            try remove(name)
            count += 1
        }
        return count
    }

    private func isCorrupt(_ name: RecordName) -> Bool {
        do throws(CredentialStoreError) {
            _ = try open(name)
            return false
        } catch {
            return error.code == .corrupt
        }
    }
}
