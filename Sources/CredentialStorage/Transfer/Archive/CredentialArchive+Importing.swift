extension CredentialArchive {
    /// Writes the archive's records to a store, each under its account's lease.
    ///
    /// Existing records, which may be newer, are kept unless `replacesOthers` is true. Importing again is harmless, even after an
    /// interrupted import.
    ///
    /// - Parameters:
    ///   - longestWait: The maximum time to wait for a refresh to finish, per account.
    ///   - attempts: How many times the passphrase may be entered.
    /// - Returns: The result for each account.
    /// - Throws: ``CredentialStoreError`` with `.unavailable` if there is no such file; with `.corrupt` if it is damaged or cut short, and
    ///   `.tooNew` if a newer program wrote it, both before asking for the passphrase; with `.refused` if the passphrase is wrong, or the
    ///   file belongs to another user or is open to others. Nothing is imported in these cases.
    package func importRecords(
        into store: any CredentialStore,
        replacesOthers: Bool = false,
        waitingForLeasesAtMost longestWait: Duration = .seconds(10),
        attempts: Int = 1,
        prompt: @escaping PassphrasePrompt
    ) async throws(CredentialStoreError) -> CredentialTransferReport {
        let records = try await records(attempts: attempts, prompt: prompt)
        let byAccount = Dictionary(records.map { ($0.account, $0) }, uniquingKeysWith: { first, _ in first })
        return await .working(on: records.map(\.account)) { account throws(CredentialStoreError) in
            guard let record = byAccount[account] else { return .gone }
            return try await store.withLease(on: account, waitingAtMost: longestWait) { () throws(CredentialStoreError) in
                try await write(record, to: store, replacesOthers)
            }
        }
    }

    private func write(
        _ record: ArchivedRecord, to store: any CredentialStore, _ replacesOthers: Bool
    ) async throws(CredentialStoreError) -> CredentialTransferOutcome {
        var standing = try await standing(record.account, in: store, replacesOthers)
        for _ in 0..<4 {
            if let standing, standing.holdsTheSame(as: record.payload) { return .alreadyThere }
            guard standing == nil || replacesOthers else { return .keptAnother }
            switch try await store.write(record.payload, for: record.account, replacing: standing?.version) {
            case .stored: return standing == nil ? .transferred : .replacedAnother
            case .superseded(let other): standing = other
            }
        }
        throw CredentialStoreError(
            .failed,
            "other programs keep changing the record of \(record.account.label) at \(record.account.server); it was not replaced; try again later"
        )
    }

    /// Returns the store's record. A damaged record, which is unusable, may be replaced if others may.
    private func standing(
        _ account: CredentialAccount, in store: any CredentialStore, _ replacesOthers: Bool
    ) async throws(CredentialStoreError) -> StoredCredential? {
        do throws(CredentialStoreError) {
            return try await store.read(account)
        } catch  where error.code == .corrupt && replacesOthers {
            try await store.delete(account, at: nil)
            return nil
        }
    }
}
