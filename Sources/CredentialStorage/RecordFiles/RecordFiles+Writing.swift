import AuthHubPrimitives

extension RecordFiles {
    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try StoredCredential.checkSize(of: payload)
        let name = RecordName(account)
        _ = try folder.exists()
        let isFresh = try await form.prepareForWriting()
        let lock = try await folder.locks.writeLock(name.account)
        defer { lock.release() }
        try reached(.locked)
        let current = try await read(name, under: lock)
        guard current?.credential.version == expected else { return .superseded(by: current?.credential) }
        try reached(.compared)
        if current == nil { try await form.prepareForFirstRecord(keyIsFresh: isFresh) }
        let sealing = try await form.sealing()
        let generation = max(lowest(name, lock), current?.generation ?? 0) + 1
        let credential = StoredCredential(payload: payload, version: .unique())
        try replace(name, with: form.seal(credential, of: account, generation: generation, with: sealing))
        leave(generation, name, lock, with: sealing)
        return .stored(credential.version)
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        let name = RecordName(account)
        guard try folder.exists() else { return true }
        let lock = try await folder.locks.writeLock(name.account)
        defer { lock.release() }
        try reached(.locked)
        if let expected, let current = try await read(name, under: lock), current.credential.version != expected { return false }
        try reached(.compared)
        try remove(name, lock)
        return true
    }

    /// Removes a record and counts that as a write, so that it cannot be put back. Needs the write lock.
    func remove(_ name: RecordName, _ lock: FileLock) throws(CredentialStoreError) {
        let last = try? lastGeneration(name)
        try removeFiles(of: name)
        // Without a key at hand nothing can be said of generations; a person who signs out is not asked for one.
        guard let last, let sealing = try? form.sealingAtHand() else { return }
        leave(max(last, lowest(name, lock)) + 1, name, lock, with: sealing)
    }

    func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        try await reserveRoom(for: account).release()
    }

    /// Looks for the key that a write would seal with, and writes a file of the record's size, and somewhat more, beside it. The next write of
    /// the record fills that file.
    func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation {
        let name = RecordName(account)
        _ = try folder.exists()
        let isFresh = try await form.prepareForWriting()
        let lock = try await folder.locks.writeLock(name.account)
        defer { lock.release() }
        if try await !hasRecord(name, lock) { try await form.prepareForFirstRecord(keyIsFresh: isFresh) }
        _ = try await form.sealing()
        try reserveFile(name)
        return RoomReservation { await removeReservedFile(name) }
    }

    /// A file that cannot be removed is filled by the next write.
    private func removeReservedFile(_ name: RecordName) async {
        guard (try? FileStatus.of(folder.temporaryPath(name))) ?? nil != nil, let lock = try? await folder.locks.writeLock(name.account)
        else {
            return
        }
        try? FileSystem.remove(folder.temporaryPath(name))
        lock.release()
    }

    /// Whether a record stands there that opens; one that is lost for good gives way to the next.
    private func hasRecord(_ name: RecordName, _ lock: FileLock) async throws(CredentialStoreError) -> Bool {
        do throws(CredentialStoreError) {
            return try await read(name, under: lock) != nil
        } catch  where error.asksForReplacement {
            return false
        }
    }

    func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        _ = try folder.exists()
        return try await folder.locks.lease(account.id, waitingAtMost: timeout)
    }

    /// Puts down which generation stands now. A mark that cannot be written only lags.
    func leave(_ generation: UInt64, _ name: RecordName, _ lock: FileLock, with sealing: Form.Sealing) {
        generations.raise(name, to: generation, lineage: form.lineage)
        lock.leave(form.mark(generation, of: name, with: sealing))
    }

    /// The highest generation that is known of. Needs the write lock.
    func lowest(_ name: RecordName, _ lock: FileLock) -> UInt64 {
        let marked = form.generation(inMark: lock.mark(), of: name) ?? 0
        return max(marked, generations.highest(of: name, lineage: form.lineage))
    }

    /// The generation of the record that stands there, also if it is an old one; nil where none does or it does not open.
    private func lastGeneration(_ name: RecordName) throws(CredentialStoreError) -> UInt64? {
        guard case .opened(let standing) = try attempt(name) else { return nil }
        return standing.record.generation
    }
}
