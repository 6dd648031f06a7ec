import Crypto

/// The format of records that are encrypted with a key.
struct SealedForm: RecordForm {
    let folder: StoreFolder
    let keys: RecordKeys

    var lineage: Int { keys.lineage }
}

extension SealedForm {
    func open(_ bytes: [UInt8], named name: RecordName) throws(CredentialStoreError) -> RecordReading {
        let header = try SealedRecord.header(of: bytes)
        let answers = keys.answers
        guard let id = header.key else { return try openWithoutIdentifier(bytes, header, named: name, answers: answers) }
        if keys[id] == nil { try learn(KeyChange.read(in: folder)) }
        guard let key = keys[id] else { return .unopened(MissingKey(error: try missing(id), answers: answers)) }
        guard let record = SealedRecord.open(bytes, header, named: name, with: key) else { throw .damagedRecord }
        return .record(record)
    }

    /// Opens a record of format 1, which does not identify the key it was encrypted with.
    private func openWithoutIdentifier(
        _ bytes: [UInt8], _ header: SealedRecord.Header, named name: RecordName, answers: Int
    ) throws(CredentialStoreError) -> RecordReading {
        try learn(KeyChange.read(in: folder))
        for key in keys.all {
            if let record = SealedRecord.open(bytes, header, named: name, with: key) { return .record(record) }
        }
        guard keys.own != nil else { return .unopened(MissingKey(error: .noStoreKey, answers: answers)) }
        let error = CredentialStoreError(
            .corrupt,
            "the record is damaged, belongs to another account, or was encrypted with another key (its format does not say which); it was not changed; sign out and in again to replace it"
        )
        return .unopened(MissingKey(error: error, answers: answers))
    }

    private func missing(_ id: KeyIdentifier) throws(CredentialStoreError) -> CredentialStoreError {
        guard let own = keys.own else { return .noStoreKey }
        if let change = try KeyChange.read(in: folder), change.retired.contains(own.id) { return .keyWasReplaced }
        return CredentialStoreError(
            .keyMissing,
            "the record was encrypted with the key \(id), not with the store's current key \(own.id); restore that key; if it is lost for good, remove the folder \(folder.path) and sign in again"
        )
    }

    func findKeys(for missing: MissingKey) throws(CredentialStoreError) {
        try keys.ask(since: missing.answers)
    }

    func offPool<Success: Sendable>(
        _ work: @escaping @Sendable () throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success {
        try await keys.offPool(work)
    }

    func learn(_ change: KeyChange?) {
        guard let change, let bridge = change.bridge else { return }
        let (old, new) = (keys[bridge.old], keys[change.target])
        if let old, new == nil, let key = change.key(.new, with: old) { keys.learn(key) }
        if let new, old == nil, let key = change.key(.old, with: new) { keys.learn(key) }
    }
}

extension SealedForm {
    func prepareForWriting() async throws(CredentialStoreError) -> Bool {
        guard keys.own == nil else { return false }
        let answers = keys.answers
        try await offPool { () throws(CredentialStoreError) in try obtainKey(since: answers) }
        return true
    }

    func prepareForFirstRecord(keyIsFresh: Bool) async throws(CredentialStoreError) {
        if !keyIsFresh {
            if case .known = try standing() { return }
            try await offPool { () throws(CredentialStoreError) in try obtainKey(since: nil) }
        }
        guard case .foreign = try standing() else { return }
        try learn(KeyChange.read(in: folder))
        guard case .foreign = try standing() else { return }
        // The source may have changed its key since it last responded.
        try await offPool { () throws(CredentialStoreError) in try obtainKey(since: nil) }
        // The key of the existing records could not open records that are encrypted with the current key.
        if case .foreign(let id) = try standing() { throw try missing(id) }
    }

    private enum Standing {
        /// No record shows which key it was encrypted with.
        case unclaimed
        /// One of the available keys encrypts the records here.
        case known
        /// There are records, and none was encrypted with an available key.
        case foreign(KeyIdentifier)
    }

    private func standing() throws(CredentialStoreError) -> Standing {
        var standing = Standing.unclaimed
        for name in try folder.recordNames() {
            guard let start = try? folder.contents(name, atMost: SealedRecord.overhead), let header = try? SealedRecord.header(of: start),
                let id = header.key
            else { continue }
            guard keys[id] == nil else { return .known }
            standing = .foreign(id)
        }
        return standing
    }

    /// Requests the key. It is created if this will be the first record.
    ///
    /// A missing key is an error if there are records: with a new key, they would be silently lost.
    private func obtainKey(since answers: Int?) throws(CredentialStoreError) {
        if try keys.ask(since: answers) != nil { return }
        let current = keys.answers
        if try !folder.recordNames().isEmpty {
            // These may be the first records of another process, which created the key after the check above.
            guard try keys.ask(since: nil) != nil else { throw .noStoreKey }
            return
        }
        guard try keys.ask(since: current, creatingIfMissing: true) != nil else {
            throw CredentialStoreError(.unavailable, "the source of the store's key created no key; choose another one")
        }
    }

    func sealing() async throws(CredentialStoreError) -> SealingKey {
        if let key = try sealingAtHand() { return key }
        try await offPool { () throws(CredentialStoreError) in _ = try keys.ask(since: nil) }
        guard let key = try sealingAtHand() else { throw keys.own == nil ? .noStoreKey : .keyWasReplaced }
        return key
    }

    func sealingAtHand() throws(CredentialStoreError) -> SealingKey? {
        guard let own = keys.own, let change = try KeyChange.read(in: folder) else { return keys.own }
        learn(change)
        return change.bridge != nil || change.retired.contains(own.id) ? keys[change.target] : own
    }

    func seal(
        _ credential: StoredCredential, of account: CredentialAccount, generation: UInt64, with key: SealingKey
    ) throws(CredentialStoreError) -> [UInt8] {
        try SealedRecord.seal(credential, of: account, generation: generation, with: key)
    }
}

/// The marks: the generation, the key's identifier, and an HMAC over both and the record's name.
extension SealedForm {
    func mark(_ generation: UInt64, of name: RecordName, with key: SealingKey) -> [UInt8] {
        let text = generation.bytes + key.id.bytes
        return text + HMAC<SHA256>.authenticationCode(for: text + name.digest, using: key.mark)
    }

    func generation(inMark mark: [UInt8], of name: RecordName) -> UInt64? {
        let textLength = 8 + KeyIdentifier.length
        guard mark.count >= textLength + SHA256.byteCount else { return nil }
        let (text, code) = (mark[..<textLength], mark[textLength..<textLength + SHA256.byteCount])
        let generation = UInt64(bytes: text.prefix(8))
        guard generation <= Generations.highest, let key = keys[KeyIdentifier(bytes: Array(text.suffix(KeyIdentifier.length)))],
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: text + name.digest, using: key.mark)
        else { return nil }
        return generation
    }
}

extension CredentialStoreError {
    static var noStoreKey: Self {
        Self(
            .keyMissing,
            "the store's key is missing, and the records cannot be read without it; restore it; if it is lost for good, remove the records' folder and sign in again"
        )
    }

    static var keyWasReplaced: Self {
        Self(
            .keyMissing,
            "the store has a new key, and this program uses the old one; nothing was changed; provide the new key and restart programs that still use the old one"
        )
    }
}
