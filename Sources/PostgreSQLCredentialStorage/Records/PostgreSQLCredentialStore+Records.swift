#if PostgreSQL
public import AuthHubPrimitives
public import CredentialStorage

extension PostgreSQLCredentialStore: CredentialStore {
    /// Reads and decrypts the record of an account; nil if the account has none.
    ///
    /// - Throws: ``CredentialStoreError`` with `.corrupt` or `.tooNew` if the record cannot be used, with `.keyMissing` if the keyring
    ///   lacks the record's key, or with `.unavailable`, `.timedOut` or `.refused` if the server cannot be used.
    @concurrent
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        let id = account.id
        let standing = try await database.perform(.read) { [records] session throws(DatabaseError) in
            try StandingRow.read(id, with: records.look, in: session)
        }
        return try standing?.row.open(with: keyring).credential
    }

    /// Encrypts and stores a record, if the account's current version is `expected` (nil: no record).
    ///
    /// If the connection is lost during the write, the store reconnects, to this server or to another one, and checks whether the record
    /// was stored.
    ///
    /// - Throws: ``CredentialStoreError``. With `.timedOut`, it is unknown whether the record was stored, because the server could not be
    ///   reached again in time. With every other code, the old record is unchanged.
    @concurrent
    public func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try StoredCredential.checkSize(of: payload)
        let new = try SealedRow(
            sealing: StoredCredential(payload: payload, version: .unique()), of: account, with: keyring.current)
        return try await database.perform(.change) { [records, keyring] session throws(DatabaseError) in
            try Self.write(new, replacing: expected, records, keyring, in: session)
        }.get()
    }

    /// Reads the record before each attempt: the previous one may have stored the version before the server failed.
    private static func write(
        _ new: SealedRow, replacing expected: CredentialVersion?, _ records: RecordStatements, _ keyring: CredentialKeyring,
        in session: Session
    ) throws(DatabaseError) -> Result<CredentialWriteOutcome, CredentialStoreError> {
        while true {
            let standing = try StandingRow.read(new.account, with: records.look, in: session)
            if let standing, standing.row.version == new.version || standing.cameAfter(new.version) {
                return .success(.stored(new.version))
            }
            let current: StoredCredential?
            do throws(CredentialStoreError) { current = try standing?.row.open(with: keyring).credential } catch { return .failure(error) }
            guard current?.version == expected else { return .success(.superseded(by: current)) }
            let done: Rows
            if let expected {
                done = try session.run(records.replace, new.parameters + [.bytes(expected.bytes)])
            } else {
                if let error = try foreignKey(records, keyring, in: session) { return .failure(error) }
                done = try session.run(records.insert, new.parameters)
            }
            if done.changed == 1 { return .success(.stored(new.version)) }
        }
    }

    /// Detects a wrong key: a key that opens none of the existing records. The right key could not open records that are encrypted with
    /// it.
    private static func foreignKey(
        _ records: RecordStatements, _ keyring: CredentialKeyring, in session: Session
    ) throws(DatabaseError) -> CredentialStoreError? {
        let rows = try session.run(records.foreign, [.text(keyring.names)])
        guard rows.count > 0, let id = rows.text(0, 0) else { return nil }
        return CredentialStoreError(
            .keyMissing,
            "the records in the database were encrypted with other keys, such as “\(id)”, and this program has none of them; nothing was written; add that key as the current one or an older one; if it is lost for good, delete the records"
        )
    }

    /// Deletes a record if its version is `expected`. If `expected` is nil, deletes the record even if it cannot be read.
    @concurrent @discardableResult
    public func delete(
        _ account: CredentialAccount, at expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> Bool {
        let id = account.id
        if let expected { return try await delete(id, at: expected) == nil }
        // Always with a version: a retried deletion must not delete a record that was created after the first attempt.
        var standing = try await standing(id)
        for _ in 0..<8 {
            guard let found = standing else { return true }
            standing = try await delete(id, at: found.row.version)
            guard standing?.cameAfter(found.row.version) == true else { return true }
        }
        return false
    }

    /// - Returns: The current record after the attempt.
    private func delete(_ account: CredentialAccount.ID, at version: CredentialVersion) async throws(CredentialStoreError) -> StandingRow? {
        try await database.perform(.change) { [records] session throws(DatabaseError) in
            let gone = try session.run(records.delete, [.bytes(account.bytes), .bytes(version.bytes)])
            return gone.changed == 1 ? nil : try StandingRow.read(account, with: records.look, in: session)
        }
    }

    private func standing(_ account: CredentialAccount.ID) async throws(CredentialStoreError) -> StandingRow? {
        try await database.perform(.change) { [records] session throws(DatabaseError) in
            try StandingRow.read(account, with: records.look, in: session)
        }
    }

    /// Checks that the server accepts writes from this role, and that existing records use a key of the keyring. Does not detect a full
    /// disk.
    @concurrent
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        let table = database.schema.records
        let id = account.id
        try await database.perform(.read) { [records, keyring] session throws(DatabaseError) in
            let rows = try session.run(records.room, [.text(table)])
            // The error that a write would fail with.
            if rows.integer(0, 0) != 0 { throw DatabaseError(kind: .refused, state: "25006", reason: "the server is read-only") }
            if rows.integer(0, 1) != 1 {
                throw DatabaseError(kind: .refused, state: "42501", reason: "the role is not allowed to write records")
            }
            let standing = try StandingRow.read(id, with: records.look, in: session)
            let foreign = standing == nil ? try Self.foreignKey(records, keyring, in: session) : nil
            return Result { () throws(CredentialStoreError) in
                if let row = standing?.row { _ = try keyring.key(row.keyID) }
                if let foreign { throw foreign }
            }
        }.get()
    }
}
#endif
