/// Records as files of a folder, whatever their form: what the stores of files share.
///
/// A file is replaced as a whole: whoever dies at whatever point of a write leaves the old record or the new one. Writers and lease holders
/// of all processes exclude each other by locks on files beside the records, which stay when a record is deleted; the system frees the lock
/// of a process that died.
///
/// Each record carries a generation, and the lock file of its account a mark of the highest one. The mark is written when the record is
/// durable, and is read before the record: a record below it is an old one that was put back.
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

/// What stands under a record's name.
enum RecordAttempt: Sendable {
    case absent
    case opened(StandingRecord)
    case unopened(MissingKey)
}

struct StandingRecord: Sendable {
    let record: OpenRecord
    /// No record of the account may be older.
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

    /// The same, but keeps no thread of the caller's while a key is looked for.
    ///
    /// - Parameter lock: The write lock, where the caller has it.
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

    /// - Parameter failure: Why keys could not be looked for.
    func lastAttempt(
        _ name: RecordName, without failure: CredentialStoreError? = nil
    ) throws(CredentialStoreError) -> OpenRecord? {
        switch try attempt(name) {
        case .absent: nil
        case .opened(let standing): try current(standing, name)
        case .unopened(let missing): throw failure ?? missing.error
        }
    }

    /// - Parameter known: The mark, as one who has the write lock found it in a folder that was looked at.
    func attempt(_ name: RecordName, mark known: [UInt8]? = nil) throws(CredentialStoreError) -> RecordAttempt {
        if known == nil {
            guard try folder.exists() else { return .absent }
        }
        // Before the record: what is read later can only be newer.
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
                "an older copy of the record was restored (write \(standing.record.generation), after write \(standing.lowest)); its refresh token may already be used, and using it again could sign you out everywhere; it was not changed; sign in again, or delete it"
            )
        }
        generations.raise(name, to: standing.record.generation, lineage: form.lineage)
        return standing.record
    }
}
