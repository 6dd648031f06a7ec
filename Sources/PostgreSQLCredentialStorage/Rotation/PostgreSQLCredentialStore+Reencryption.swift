#if PostgreSQL
public import CredentialStorage

extension PostgreSQLCredentialStore {
    /// Re-encrypts all records that use a key other than the current one, while other programs continue to read and write.
    ///
    /// The records' versions do not change, so no write is superseded and no change is reported. You can stop and restart this operation at
    /// any time, and run it on several machines at the same time. Records that are being written are skipped, because their writer encrypts
    /// them with its own current key.
    ///
    /// - Parameters:
    ///   - batch: The number of records to lock and re-encrypt per transaction, 1 to 1,000.
    ///   - progress: Called after each batch with the progress so far.
    /// - Returns: The final progress. If no records remain, the older keys are no longer needed.
    /// - Throws: ``CredentialStorage/CredentialStoreError``, with `.cancelled` if the task is cancelled. The batch in progress is completed
    ///   first.
    @concurrent @discardableResult
    public func reencrypt(
        batch: Int = 100, progress: @Sendable (CredentialReencryption) -> Void = { _ in }
    ) async throws(CredentialStoreError) -> CredentialReencryption {
        let statements = ReencryptionStatements(database.schema)
        var state = CredentialReencryption()
        var last: [UInt8]? = []
        state.remaining = try await remaining(statements)
        while let position = last {
            guard !Task.isCancelled else {
                throw CredentialStoreError(
                    .cancelled, "the task was cancelled after \(state.done) records were re-encrypted; those records keep the new key")
            }
            let step = try await reencrypt(behind: position, min(max(batch, 1), 1_000), statements)
            state.done += step.done
            state.unreadable += step.unreadable
            last = step.last
            state.remaining = max(state.remaining - step.done, 0)
            if last != nil { progress(state) }
        }
        // Others may have written in the meantime.
        state.remaining = try await remaining(statements)
        return state
    }

    private struct Step: Sendable {
        var done = 0
        var unreadable = 0
        /// nil at the end.
        var last: [UInt8]?
    }

    private func reencrypt(
        behind position: [UInt8], _ batch: Int, _ statements: ReencryptionStatements
    ) async throws(CredentialStoreError) -> Step {
        try await database.perform(.change) { [keyring] session throws(DatabaseError) in
            try session.inTransaction { () throws(DatabaseError) in
                let rows = try session.run(
                    statements.lockBatch, [.text(keyring.current.id), .bytes(position), .integer(batch)])
                var step = Step()
                for row in (0..<rows.count).compactMap({ SealedRow(rows, $0) }) {
                    step.last = row.account.bytes
                    guard let resealed = try? row.resealed(with: keyring) else {
                        step.unreadable += 1
                        continue
                    }
                    _ = try session.run(statements.reseal, resealed.parameters)
                    step.done += 1
                }
                return step
            }
        }
    }

    private func remaining(_ statements: ReencryptionStatements) async throws(CredentialStoreError) -> Int {
        try await database.perform(.read) { [keyring] session throws(DatabaseError) in
            try session.run(statements.count, [.text(keyring.current.id)]).integer(0, 0) ?? 0
        }
    }
}

private struct ReencryptionStatements: Sendable {
    let lockBatch: Statement
    let reseal: Statement
    let count: Statement

    init(_ schema: Schema) {
        let records = schema.records
        lockBatch = Statement(
            name: "lock batch",
            text: """
                SELECT account, version, key_id, format, sealed FROM \(records) WHERE key_id <> $1::text AND account > $2::bytea
                ORDER BY account LIMIT $3::int8 FOR UPDATE SKIP LOCKED
                """)
        reseal = Statement(
            name: "reseal",
            text: """
                UPDATE \(records) SET key_id = $3::text, format = $4::int8, sealed = $5::bytea
                WHERE account = $1::bytea AND version = $2::bytea
                """)
        count = Statement(name: "count older keys", text: "SELECT count(*)::int8 FROM \(records) WHERE key_id <> $1::text")
    }
}
#endif
