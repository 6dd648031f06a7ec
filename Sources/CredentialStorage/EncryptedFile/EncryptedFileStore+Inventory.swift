extension EncryptedFileStore: CredentialInventory {
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
