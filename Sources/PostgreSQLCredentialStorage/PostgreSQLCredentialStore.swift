#if PostgreSQL
public import CredentialStorage

/// Keeps credentials in PostgreSQL, for programs on any number of machines.
///
/// Records are sealed by this program before they are sent: the server, its copies and its administrators see who changed what when, as
/// hashes, and how large it is. Changes are made by compare-and-set; who renews tokens is agreed upon by leases, which are rows that expire by
/// the server's clock, so that no client's clock matters and no restart of the server frees them.
///
/// A holder that died keeps its lease until it expires, ``Limits/lease`` after its last sign of life. So does one that is stopped or cut off
/// from the server: then another one may take the lease, and of what both do the store keeps only one.
///
/// Broken connections are replaced, and what may be repeated is repeated for ``Limits/recovery``, so that a restart or a failover goes
/// unnoticed. For failover, name all servers: `host=one,two`; only one that takes changes is used.
///
/// **Rights.** The first use makes a schema with its tables, unless they are there, in a single transaction; that needs a role with
/// `CREATE` on the database, or the schema beforehand and a role that owns it. All others get along with
///
/// ```sql
/// GRANT USAGE ON SCHEMA authhub TO worker;
/// GRANT SELECT ON authhub.schema_version TO worker;
/// GRANT SELECT, INSERT, UPDATE, DELETE ON authhub.records, authhub.leases TO worker;
/// ```
///
/// A server that is neither behind a Unix socket nor at a loopback address has to prove its host name with a certificate
/// (`sslmode=verify-full`), issued by an authority that the system trusts, unless the connection string, `PGSSLMODE` or a service file
/// chooses another mode.
///
/// Connect to the server itself, or through a pooler that hands out whole sessions: prepared statements and `LISTEN` need one.
/// Commits that notify wait for each other at the server; a database takes a few hundred changes a second, more on a disk that writes fast.
public final class PostgreSQLCredentialStore: Sendable {
    /// How much of the server a store takes, and how long it waits.
    public struct Limits: Sendable {
        /// The most connections at a time, beside the one that listens for changes. 1 or more.
        public var connections = 8
        /// How long one waits for a connection while all are in use.
        public var connectionWait = Duration.seconds(10)
        /// After this long a connection that nobody uses is closed.
        public var idle = Duration.seconds(60)
        /// After this long the server gives up a statement.
        public var statement = Duration.seconds(5)
        /// For this long work is tried again when the server cannot be reached.
        public var recovery = Duration.seconds(10)
        /// How long a lease outlives its holder. It is renewed each time a third of this has passed.
        public var lease = Duration.seconds(10)

        public init() {}
    }

    let database: Database
    let keyring: CredentialKeyring
    let records: RecordStatements
    let leases: Leases
    let listener: Listener

    /// A store in a database. Touches nothing yet.
    ///
    /// - Parameters:
    ///   - connection: What libpq connects with: `host=… dbname=… user=…`, or `postgresql://…`. Where it names no password, libpq looks into the
    ///     password file. It is never shown.
    ///   - keyring: The keys of the records.
    ///   - schema: Where the tables lie: 1 to 40 of a–z, 0–9 and _.
    /// - Throws: ``CredentialStorage/CredentialStoreError`` for a text or name that cannot be read.
    public convenience init(
        connection: String, keyring: CredentialKeyring, schema: String = "authhub", limits: Limits = Limits()
    ) throws(CredentialStoreError) {
        try self.init(connection: connection, keyring: keyring, schema: schema, limits: limits, reached: { _, _, _ in })
    }

    /// - Parameter reached: Called on the connection's thread at each step of each statement.
    package init(
        connection: String, keyring: CredentialKeyring, schema: String = "authhub", limits: Limits = Limits(),
        reached: @escaping DatabaseStepHook
    ) throws(CredentialStoreError) {
        let schema = try Schema(schema)
        var limits = limits
        limits.connections = max(limits.connections, 1)
        database = Database(try ConnectionString(connection), schema: schema, limits: limits, reached: reached)
        self.keyring = keyring
        records = RecordStatements(schema)
        listener = Listener(database)
        leases = Leases(database, listener)
    }

    deinit {
        listener.stop()
    }
}

extension PostgreSQLCredentialStore {
    /// Makes the schema and its tables, or brings them to this program's version; the first use does the same. Any number of programs may do so at
    /// the same time.
    ///
    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.tooNew` where a newer program made them, with `.refused` where the role may not.
    @concurrent
    public func migrate() async throws(CredentialStoreError) {
        try await database.perform(.change) { _ in }
    }

    /// The `sslmode` that the caller chose, if it does not require a server on the network to prove its name. Blocks while names are
    /// resolved.
    package static func weakMode(of connection: String) throws(CredentialStoreError) -> String? {
        try ConnectionString(connection).weakMode
    }

    /// How many connections there are, and how many of them nobody uses.
    package var census: (all: Int, idle: Int) { database.pool.census }
}
#endif
