#if PostgreSQL
import CredentialStorage

/// A migration of the tables to the version that this program knows. Any number of processes may run it concurrently.
struct Migration {
    private let schema: Schema

    init(_ schema: Schema) {
        self.schema = schema
    }
}

extension Migration {
    /// Checks the tables, and changes only what is necessary: if they exist, a role without permission to create anything is sufficient.
    ///
    /// - Returns: An error if a newer program created the tables.
    func run(in session: Session) throws(DatabaseError) -> CredentialStoreError? {
        if let found = try version(in: session), found >= Schema.version { return refusal(of: found) }
        return try session.inTransaction { () throws(DatabaseError) in
            // One process after the other; the later ones find it done.
            _ = try session.run(lock, [.text("authhub \(schema.name)")])
            let found = try version(in: session)
            if let found, found >= Schema.version { return refusal(of: found) }
            if try session.run(schemaExists, [.text(schema.name)]).count == 0 { try session.run(text: "CREATE SCHEMA \"\(schema.name)\"") }
            if found == nil { try session.run(text: firstVersion) }
            return nil
        }
    }

    /// Returns the version of the tables; nil if there are none.
    private func version(in session: Session) throws(DatabaseError) -> Int? {
        guard try session.run(tableExists, [.text(schema.name)]).count > 0 else { return nil }
        let rows = try session.run(readVersion)
        return rows.count == 0 ? nil : rows.integer(0, 0)
    }

    private func refusal(of found: Int) -> CredentialStoreError? {
        guard found > Schema.version else { return nil }
        return CredentialStoreError(
            .tooNew,
            "a newer version of this program created the tables in the schema “\(schema.name)” (version \(found); this version supports \(Schema.version)); nothing was changed; update this program"
        )
    }

    private var tableExists: Statement {
        Statement(
            name: "find version table",
            text: """
                SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = $1::text AND c.relname = 'schema_version'
                """)
    }

    private var schemaExists: Statement {
        Statement(name: "find schema", text: "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1::text")
    }

    private var readVersion: Statement {
        Statement(name: "read schema version", text: "SELECT max(version)::int8 FROM \(schema.versions)")
    }

    private var lock: Statement {
        Statement(name: "lock schema", text: "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))")
    }

    private var firstVersion: String {
        """
        CREATE TABLE \(schema.records) (
            account bytea PRIMARY KEY CHECK (octet_length(account) = 32),
            version bytea NOT NULL,
            replaced bytea NOT NULL DEFAULT '',
            key_id text NOT NULL,
            format int8 NOT NULL,
            sealed bytea NOT NULL,
            written_at timestamptz NOT NULL DEFAULT clock_timestamp());
        COMMENT ON TABLE \(schema.records) IS 'One sealed credential for each account; account: SHA-256 of its names';
        COMMENT ON COLUMN \(schema.records).replaced IS 'The versions before, newest first, at most eight';
        ALTER TABLE \(schema.records) ALTER COLUMN sealed SET STORAGE EXTERNAL;
        CREATE TABLE \(schema.leases) (
            account bytea PRIMARY KEY CHECK (octet_length(account) = 32),
            token bytea NOT NULL,
            holder text NOT NULL,
            wanted boolean NOT NULL DEFAULT false,
            taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            expires_at timestamptz NOT NULL);
        COMMENT ON TABLE \(schema.leases) IS 'Who may renew an account''s tokens at the moment; all times by this server''s clock';
        CREATE TABLE \(schema.versions) (version int8 PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT clock_timestamp());
        CREATE FUNCTION "\(schema.name)".tell_of_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $function$
        BEGIN
            IF TG_OP = 'DELETE' THEN
                PERFORM pg_notify('\(schema.changesChannel)', encode(OLD.account, 'hex') || ':');
            ELSIF TG_OP = 'INSERT' OR OLD.version <> NEW.version THEN
                PERFORM pg_notify('\(schema.changesChannel)', encode(NEW.account, 'hex') || ':' || encode(NEW.version, 'hex'));
            END IF;
            RETURN NULL;
        END $function$;
        CREATE TRIGGER tell_of_change AFTER INSERT OR UPDATE OR DELETE ON \(schema.records)
            FOR EACH ROW EXECUTE FUNCTION "\(schema.name)".tell_of_change();
        INSERT INTO \(schema.versions) (version) VALUES (1);
        """
    }
}
#endif
