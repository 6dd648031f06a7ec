/// Records as files of a folder in any format: the common part of the file stores.
///
/// A file is replaced atomically: a process that dies at any point of a write leaves either the old or the new record. Writers and lease
/// holders of all processes exclude each other with locks on files next to the records, which remain when a record is deleted; the system
/// frees the lock of a process that died.
///
/// Each record has a generation, and the lock file of its account has a mark with the highest generation. The mark is written after the
/// record is durable, and is read before the record: a record below it is a restored old copy.
struct RecordFiles<Form: RecordForm>: Sendable {
    let folder: StoreFolder
    let form: Form
    let reached: StorageStepHook
    let generations = Generations()

    init(folder: StoreFolder, form: Form, reached: @escaping StorageStepHook) {
        self.folder = folder
        self.form = form
        self.reached = reached
    }
}

/// The file under a record's name.
enum RecordAttempt: Sendable {
    case absent
    case opened(StandingRecord)
    case unopened(MissingKey)
}

struct StandingRecord: Sendable {
    let record: OpenRecord
    /// The lowest generation that a record of the account may have.
    let lowest: UInt64
}

extension RecordFiles {
    func readNow(_ name: RecordName) throws(CredentialStoreError) -> OpenRecord? {
        switch try attempt(name) {
        case .absent: return nil
        case .opened(let standing): return try current(standing, name)
        case .unopened(let missing):
            try form.findKeys(for: missing)
            return try lastAttempt(name)
        }
    }

    /// Does the same without blocking the caller's thread while a key is looked up.
    ///
    /// - Parameter lock: The write lock, if the caller has it.
    func read(_ name: RecordName, under lock: FileLock? = nil) async throws(CredentialStoreError) -> OpenRecord? {
        switch try attempt(name, mark: lock?.mark()) {
        case .absent: return nil
        case .opened(let standing): return try current(standing, name)
        case .unopened(let missing):
            try await findKeys(for: missing)
            return try lastAttempt(name)
        }
    }

    func findKeys(for missing: MissingKey) async throws(CredentialStoreError) {
        try await form.offPool { () throws(CredentialStoreError) in try form.findKeys(for: missing) }
    }

    /// Attempts to read a record for the last time.
    ///
    /// - Parameter failure: The reason why keys could not be looked up.
    func lastAttempt(
        _ name: RecordName, without failure: CredentialStoreError? = nil
    ) throws(CredentialStoreError) -> OpenRecord? {
        switch try attempt(name) {
        case .absent: nil
        case .opened(let standing): try current(standing, name)
        case .unopened(let missing): throw failure ?? missing.error
        }
    }

    /// Attempts to read a record.
    ///
    /// - Parameter known: The mark as found by a caller that holds the write lock, in a folder that was checked.
    func attempt(_ name: RecordName, mark known: [UInt8]? = nil) throws(CredentialStoreError) -> RecordAttempt {
        if known == nil {
            guard try folder.exists() else { return .absent }
        }
        // Before the record: the state that is read later can only be newer.
        let lineage = form.lineage
        let seen = generations.highest(of: name, lineage: lineage)
        let mark = if let known { known } else { try folder.locks.mark(name.account) }
        guard let bytes = try folder.contents(name) else { return .absent }
        switch try form.open(bytes, named: name) {
        case .unopened(let missing): return .unopened(missing)
        case .record(let record):
            let marked = form.generation(inMark: mark, of: name) ?? 0
            return .opened(StandingRecord(record: record, lowest: max(marked, form.lineage == lineage ? seen : 0)))
        }
    }

    private func current(_ standing: StandingRecord, _ name: RecordName) throws(CredentialStoreError) -> OpenRecord {
        guard standing.record.generation >= standing.lowest else {
            throw CredentialStoreError(
                .rolledBack,
                "an older copy of the record was restored (write \(standing.record.generation), after write \(standing.lowest)); its refresh token may already be used, and using it again could sign you out everywhere; the record was not changed; sign in again, or delete it"
            )
        }
        generations.raise(name, to: standing.record.generation, lineage: form.lineage)
        return standing.record
    }
}
