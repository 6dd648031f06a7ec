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

    /// Removes a record and counts that as a write, so that the record cannot be restored. Needs the write lock.
    func remove(_ name: RecordName, _ lock: FileLock) throws(CredentialStoreError) {
        let last = try? lastGeneration(name)
        try removeFiles(of: name)
        // Generations need an available key; a user who signs out is not asked for one.
        guard let last, let sealing = try? form.sealingAtHand() else { return }
        leave(max(last, lowest(name, lock)) + 1, name, lock, with: sealing)
    }

    func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        try await reserveRoom(for: account).release()
    }

    /// Looks up the key that a write would encrypt with, and writes a file slightly larger than the record next to it. The next write of
    /// the record uses that file.
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

    /// Removes the reserved file. If it cannot be removed, the next write uses it.
    private func removeReservedFile(_ name: RecordName) async {
        guard (try? FileStatus.of(folder.temporaryPath(name))) ?? nil != nil, let lock = try? await folder.locks.writeLock(name.account)
        else {
            return
        }
        try? FileSystem.remove(folder.temporaryPath(name))
        lock.release()
    }

    /// Returns whether there is a record that can be opened; a permanently damaged record is replaced by the next.
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

    /// Stores the current generation. If the mark cannot be written, it only lags behind.
    func leave(_ generation: UInt64, _ name: RecordName, _ lock: FileLock, with sealing: Form.Sealing) {
        generations.raise(name, to: generation, lineage: form.lineage)
        lock.leave(form.mark(generation, of: name, with: sealing))
    }

    /// Returns the highest known generation. Needs the write lock.
    func lowest(_ name: RecordName, _ lock: FileLock) -> UInt64 {
        let marked = form.generation(inMark: lock.mark(), of: name) ?? 0
        return max(marked, generations.highest(of: name, lineage: form.lineage))
    }

    /// Returns the generation of the current record, even if it is an old copy; nil if there is none or it does not open.
    private func lastGeneration(_ name: RecordName) throws(CredentialStoreError) -> UInt64? {
        guard case .opened(let standing) = try attempt(name) else { return nil }
        return standing.record.generation
    }
}
