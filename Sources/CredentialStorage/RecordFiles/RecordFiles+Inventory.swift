extension RecordFiles {
    func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        var accounts: [CredentialAccount] = []
        var unreadable: [CredentialStoreError] = []
        for (name, outcome) in try await readAll() {
            do throws(CredentialStoreError) {
                // nil: deleted since the folder was listed.
                guard let record = try outcome.get() else { continue }
                if record.account.isListed || includingUnlisted { accounts.append(record.account) }
            } catch {
                unreadable.append(
                    CredentialStoreError(error.code, "\(folder.recordPath(name)): \(error.explanation)", underlying: error.underlying))
            }
        }
        return (accounts, unreadable)
    }

    func removeUnreadable() async throws(CredentialStoreError) -> Int {
        var count = 0
        for (name, outcome) in try await readAll() where isCorrupt(outcome) {
            let lock = try await folder.locks.writeLock(name.account)
            defer { lock.release() }
            // Another process may have replaced it before we acquired the lock.
            guard isCorrupt(reading(name, without: nil)) else { continue }
            try remove(name, lock)
            count += 1
        }
        return count
    }

    /// Reads all records. Keys are looked up once, however many records lack one.
    private func readAll() async throws(CredentialStoreError) -> [(RecordName, Result<OpenRecord?, CredentialStoreError>)] {
        guard try folder.exists() else { return [] }
        let names = try folder.recordNames()
        let missing = names.lazy.compactMap { missingKey($0) }.first
        var failure: CredentialStoreError?
        if let missing {
            do throws(CredentialStoreError) { try await findKeys(for: missing) } catch { failure = error }
        }
        return names.map { ($0, reading($0, without: failure)) }
    }

    private func missingKey(_ name: RecordName) -> MissingKey? {
        guard case .unopened(let missing)? = try? attempt(name) else { return nil }
        return missing
    }

    /// Reads a record.
    ///
    /// - Parameter failure: The reason why keys could not be looked up.
    private func reading(_ name: RecordName, without failure: CredentialStoreError?) -> Result<OpenRecord?, CredentialStoreError> {
        Result { () throws(CredentialStoreError) in try lastAttempt(name, without: failure) }
    }

    private func isCorrupt(_ outcome: Result<OpenRecord?, CredentialStoreError>) -> Bool {
        guard case .failure(let error) = outcome else { return false }
        return error.code == .corrupt
    }
}
