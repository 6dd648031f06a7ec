#if PostgreSQL
import CredentialStorage

/// The statements about records.
struct RecordStatements: Sendable {
    /// The number of versions before the current one that are stored.
    static let ancestors = 8
    /// The largest amount of encrypted data to read at once, in bytes.
    private static let largestPage = 8 << 20

    let look: Statement
    let insert: Statement
    let replace: Statement
    let delete: Statement
    let page: Statement
    let room: Statement
    /// Selects the ID of a key that is not in the keyring, if there are records and none uses a key of the keyring.
    let foreign: Statement

    init(_ schema: Schema) {
        let records = schema.records
        look = Statement(
            name: "look", text: "SELECT account, version, key_id, format, sealed, replaced FROM \(records) WHERE account = $1::bytea")
        insert = Statement(
            name: "insert",
            text: """
                INSERT INTO \(records) (account, version, key_id, format, sealed)
                VALUES ($1::bytea, $2::bytea, $3::text, $4::int8, $5::bytea) ON CONFLICT DO NOTHING
                """)
        replace = Statement(
            name: "replace",
            text: """
                UPDATE \(records) SET version = $2::bytea, key_id = $3::text, format = $4::int8, sealed = $5::bytea,
                    replaced = substring(version || replaced FOR \(Self.ancestors * 16)), written_at = clock_timestamp()
                WHERE account = $1::bytea AND version = $6::bytea
                """)
        delete = Statement(name: "delete", text: "DELETE FROM \(records) WHERE account = $1::bytea AND version = $2::bytea")
        page = Statement(
            name: "page",
            text: """
                SELECT account, version, key_id, format, sealed FROM (
                    SELECT account, version, key_id, format, sealed,
                        sum(octet_length(sealed)) OVER (ORDER BY account) - octet_length(sealed) AS before
                    FROM (SELECT * FROM \(records) WHERE account > $1::bytea ORDER BY account LIMIT 512) AS page) AS page
                WHERE before < \(Self.largestPage) ORDER BY account
                """)
        room = Statement(
            name: "room",
            text: """
                SELECT (pg_is_in_recovery() OR current_setting('transaction_read_only')::bool)::int,
                    (has_table_privilege($1::text, 'INSERT') AND has_table_privilege($1::text, 'UPDATE'))::int
                """)
        foreign = Statement(
            name: "find foreign key",
            text: """
                SELECT key_id FROM \(records)
                WHERE NOT EXISTS (SELECT 1 FROM \(records) WHERE key_id = ANY (string_to_array($1::text, chr(10)))) LIMIT 1
                """)
    }
}

extension SealedRow {
    /// Reads a row whose columns are account, version, key ID, format and encrypted data.
    init?(_ rows: Rows, _ row: Int) {
        guard let account = rows.bytes(row, 0), let version = rows.bytes(row, 1), let keyID = rows.text(row, 2),
            let format = rows.integer(row, 3), let sealed = rows.bytes(row, 4)
        else { return nil }
        self.init(
            account: CredentialAccount.ID(bytes: account), version: CredentialVersion(bytes: version), keyID: keyID, format: format,
            sealed: sealed)
    }

    /// The parameters for writing the row.
    var parameters: [Parameter] {
        [.bytes(account.bytes), .bytes(version.bytes), .text(keyID), .integer(format), .bytes(sealed)]
    }
}

/// A row, and the versions that it replaced.
struct StandingRow: Sendable {
    let row: SealedRow
    private let replaced: [UInt8]

    static func read(
        _ account: CredentialAccount.ID, with statement: Statement, in session: Session
    ) throws(DatabaseError) -> StandingRow? {
        let rows = try session.run(statement, [.bytes(account.bytes)])
        guard rows.count > 0, let row = SealedRow(rows, 0), let replaced = rows.bytes(0, 5) else { return nil }
        return StandingRow(row: row, replaced: replaced)
    }

    /// Returns whether that version was written, and has been replaced since.
    func cameAfter(_ version: CredentialVersion) -> Bool {
        stride(from: 0, to: replaced.count, by: 16).contains { Array(replaced[$0..<min($0 + 16, replaced.count)]) == version.bytes }
    }
}
#endif
