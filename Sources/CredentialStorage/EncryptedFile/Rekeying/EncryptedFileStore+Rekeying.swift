extension EncryptedFileStore {
    /// Re-encrypts all records with the key of another source, while other programs keep reading and writing.
    ///
    /// Each record keeps its version. First, the file `key-change` next to the records announces the change. It contains the new key
    /// encrypted with the old one, and the old key encrypted with the new one: stores with either key can read all records, and all
    /// writers use the new key from then on. When all writers that started earlier have finished, and no record uses the old key, the
    /// change is complete: the encrypted keys are removed, and the old key decrypts nothing any longer. After that, programs that only
    /// have the old key get `.keyMissing`, and those that used the store in the meantime continue with the new one.
    ///
    /// Can be interrupted at any time. To continue, call it again with the same new source, on a store with either key; to undo the
    /// change, call it with the old source. To replace the key of long-running programs, call it with `endingOldKey: false`, give all
    /// programs the new key one after the other, and call it again.
    ///
    /// Anyone who has the old key, and copied the folder during the change, has the new key, too. Records that were unreadable before are
    /// not changed.
    ///
    /// - Parameters:
    ///   - newSource: The source of the new key. It is asked to create a key if it has none.
    ///   - endingOldKey: Whether to remove the encrypted keys at the end. If false, the old key still works.
    /// - Returns: The number of re-encrypted records; 0 if the store already has that key.
    /// - Throws: ``CredentialStoreError`` with `.leaseHeld` if a writer does not finish within a minute, or another process is changing
    ///   the key; with `.refused` if a change to a third key is in progress; with `.tooNew` if a newer program wrote a record, which only
    ///   that program can re-encrypt. Finished work is kept in each case, and calling it again continues.
    @concurrent @discardableResult
    package func rekey(to newSource: any StoreKeySource, endingOldKey: Bool = true) async throws(CredentialStoreError) -> Int {
        guard try folder.exists() else { return 0 }
        let target = try await form.key(of: newSource)
        let lock = try await folder.locks.lock(named: "rekey") { .rekeyingHeld(by: $0) }
        defer { lock.release() }
        guard try await form.hasKey(), let change = try announce(target) else { return 0 }
        try files.reached(.keyChangeAnnounced)
        var count = 0
        for name in try allNames() where try await reseal(name, with: target) { count += 1 }
        try files.reached(.recordsResealed)
        if endingOldKey {
            try write(change.ended)
            try files.reached(.keyChangeEnded)
        }
        return count
    }

    /// Announces the change.
    ///
    /// - Returns: nil if there is nothing to change.
    private func announce(_ target: SealingKey) throws(CredentialStoreError) -> KeyChange? {
        form.keys.learn(target)
        let standing = try KeyChange.read(in: folder)
        form.learn(standing)
        guard let standing, let bridge = standing.bridge else {
            guard let current = try form.sealingAtHand() else { throw .keyWasReplaced }
            guard current.id != target.id else { return nil }
            return try write(KeyChange(from: current, to: target, retired: standing?.retired ?? []))
        }
        guard let old = form.keys[bridge.old], let new = form.keys[standing.target], [old.id, new.id].contains(target.id) else {
            throw CredentialStoreError(
                .refused,
                "the store's key is already being replaced (\(standing.target)); finish that change first, with the same source, or return to the old key (\(bridge.old))"
            )
        }
        return target.id == new.id ? standing : try write(KeyChange(from: new, to: old, retired: standing.retired))
    }

    /// Returns the accounts of all records, and of all writers that may not have seen the announcement.
    private func allNames() throws(CredentialStoreError) -> Set<RecordName> {
        let writers = try folder.locks.writtenAccounts().map { RecordName($0) }
        return Set(writers).union(try folder.recordNames())
    }

    /// Re-encrypts a record.
    ///
    /// - Returns: Whether there was a record to re-encrypt.
    private func reseal(_ name: RecordName, with target: SealingKey) async throws(CredentialStoreError) -> Bool {
        // Waits for a writer that started before the announcement.
        let lock = try await folder.locks.writeLock(name.account)
        defer { lock.release() }
        let lowest = files.lowest(name, lock)
        guard let record = try recordToReseal(name, target), record.generation >= lowest else {
            // A mark depends on the key, too, even the mark of a deleted record.
            if lowest > 0 { files.leave(lowest, name, lock, with: target) }
            return false
        }
        let generation = record.generation + 1
        try files.replace(
            name, with: form.seal(record.credential, of: record.account, generation: generation, with: target))
        files.leave(generation, name, lock, with: target)
        return true
    }

    private func recordToReseal(_ name: RecordName, _ target: SealingKey) throws(CredentialStoreError) -> OpenRecord? {
        do throws(CredentialStoreError) {
            guard let bytes = try folder.contents(name), try SealedRecord.header(of: bytes).key != target.id,
                case .record(let record) = try form.open(bytes, named: name)
            else { return nil }
            return record
        } catch  where error.code == .corrupt {
            return nil
        }
    }

    @discardableResult
    private func write(_ change: KeyChange) throws(CredentialStoreError) -> KeyChange {
        try files.replace(folder.keyChangePath, by: "\(folder.keyChangePath).new", with: change.bytes)
        return change
    }
}

extension SealedForm {
    fileprivate func key(of source: any StoreKeySource) async throws(CredentialStoreError) -> SealingKey {
        try await offPool { () throws(CredentialStoreError) in
            guard let secret = try source.key(creatingIfMissing: true) else {
                throw CredentialStoreError(.unavailable, "the source of the new key created no key; choose another one")
            }
            return try SealingKey(secret)
        }
    }

    /// Returns whether the store has a key, and asks for it if necessary.
    ///
    /// - Throws: ``CredentialStoreError`` with `.corrupt` if there are records but no key.
    fileprivate func hasKey() async throws(CredentialStoreError) -> Bool {
        guard keys.own == nil else { return true }
        if try await offPool({ () throws(CredentialStoreError) in try keys.ask(since: nil) }) != nil { return true }
        guard try folder.recordNames().isEmpty else { throw .noStoreKey }
        return false
    }
}

extension CredentialStoreError {
    fileprivate static func rekeyingHeld(by process: Int32?) -> Self {
        let holder = process.map { "process \($0)" } ?? "another process"
        return Self(.leaseHeld, "\(holder) is replacing the store's key; wait for it to finish", leaseHolder: process)
    }
}
