#if PostgreSQL
public import CredentialStorage

/// Stores credentials in PostgreSQL, for programs on any number of machines.
///
/// Records are encrypted before they are sent. The server, its copies and its administrators see when an account, named by a hash, changed
/// and how large its record is. Changes use compare-and-set. Leases decide which process refreshes tokens: they are rows that expire by
/// the server's clock, so clients' clocks do not matter and restarting the server does not free them.
///
/// A lease whose holder dies stays held until it expires, ``Limits/lease`` after its last renewal. The same is true if the holder is
/// stopped or loses the server: another process can then acquire the lease, and the store accepts the changes of only one of them.
///
/// Lost connections are reopened, and operations that can be repeated are retried for ``Limits/recovery``, so a restart or a failover goes
/// unnoticed. For failover, name all servers: `host=one,two`. Only a server that accepts writes is used.
///
/// **Privileges.** The first use creates a schema with its tables, unless they exist, in a single transaction. That needs a role with
/// `CREATE` on the database, or an existing schema and a role that owns it. All other roles only need
/// ```sql
/// GRANT USAGE ON SCHEMA authhub TO worker;
/// GRANT SELECT ON authhub.schema_version TO worker;
/// GRANT SELECT, INSERT, UPDATE, DELETE ON authhub.records, authhub.leases TO worker;
/// ```
///
/// A server that is neither behind a Unix socket nor at a loopback address must prove its host name with a certificate
/// (`sslmode=verify-full`) from an authority that the system trusts, unless the connection string, `PGSSLMODE` or a service file sets
/// another mode.
///
/// Connect to the server directly, or through a pooler in session mode: prepared statements and `LISTEN` need a session. Commits that
/// notify wait for each other at the server. A database handles a few hundred changes per second, more with fast storage.
public final class PostgreSQLCredentialStore: Sendable {
    /// Limits on connections and waiting times.
    public struct Limits: Sendable {
        /// The maximum number of connections, not counting the one that listens for changes. At least 1.
        public var connections = 8
        /// The maximum time to wait for a connection while all are in use.
        public var connectionWait = Duration.seconds(10)
        /// The time after which an unused connection is closed.
        public var idle = Duration.seconds(60)
        /// The time after which the server cancels a statement.
        public var statement = Duration.seconds(5)
        /// The time during which operations are retried if the server cannot be reached.
        public var recovery = Duration.seconds(10)
        /// The time after which a lease expires if it is not renewed. Leases are renewed after a third of this time.
        public var lease = Duration.seconds(10)

        /// Creates limits with their default values.
        public init() {}
    }

    let database: Database
    let keyring: CredentialKeyring
    let records: RecordStatements
    let leases: Leases
    let listener: Listener

    /// Creates a store in a database. Does not connect yet.
    ///
    /// - Parameters:
    ///   - connection: The libpq connection string: `host=… dbname=… user=…`, or `postgresql://…`. If it has no password, libpq reads the
    ///     password file. The string is never shown.
    ///   - keyring: The keys of the records.
    ///   - schema: The schema of the tables: 1 to 40 of a–z, 0–9 and _.
    /// - Throws: ``CredentialStorage/CredentialStoreError`` if the connection string or the schema's name is not valid.
    public convenience init(
        connection: String, keyring: CredentialKeyring, schema: String = "authhub", limits: Limits = Limits()
    ) throws(CredentialStoreError) {
        try self.init(connection: connection, keyring: keyring, schema: schema, limits: limits, reached: { _, _, _ in })
    }

    /// Creates a store with a hook for tests.
    ///
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
    /// Creates the schema and its tables, or migrates them to this program's version. The first use does the same. Any number of programs
    /// can do so at the same time.
    ///
    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.tooNew` if a newer program created them, with `.refused` if the role
    ///   lacks the privilege.
    @concurrent
    public func migrate() async throws(CredentialStoreError) {
        try await database.perform(.change) { _ in }
    }

    /// Returns the `sslmode` that the caller chose, if it does not require a server on the network to prove its name. Blocks while names
    /// are resolved.
    package static func weakMode(of connection: String) throws(CredentialStoreError) -> String? {
        try ConnectionString(connection).weakMode
    }

    /// The number of connections, and how many of them are unused.
    package var census: (all: Int, idle: Int) { database.pool.census }
}
#endif
