#if PostgreSQL
public import CredentialStorage

/// A credential store in PostgreSQL, for programs on any number of machines.
///
/// Records are encrypted before they are sent. Anyone who can read the database or its backups can see when the record of an account
/// changed and how large the record is; the account is named only by a hash. Writes use compare-and-set. Leases decide which process
/// refreshes the tokens. Leases are database rows that expire by the server's clock, so the clocks of the clients do not matter, and
/// restarting the server does not release them.
///
/// If the holder of a lease dies, is suspended, or loses its connection to the server, the lease expires ``Limits/lease`` after its last
/// renewal. Another process can then acquire it. If both processes write, the store accepts the changes of only one of them.
///
/// If a connection is lost, the store reconnects and retries operations that can be repeated, for up to ``Limits/recovery``. Callers
/// therefore do not notice a restart or a failover within that time. For failover, list all servers in the connection string:
/// `host=one,two`. Only a server that accepts writes is used.
///
/// **Privileges.** If the schema or its tables do not exist, the first use creates them in a single transaction. Creating them requires a
/// role with `CREATE` on the database, or an existing schema and a role that owns it. All other roles need only these privileges:
/// ```sql
/// GRANT USAGE ON SCHEMA authhub TO worker;
/// GRANT SELECT ON authhub.schema_version TO worker;
/// GRANT SELECT, INSERT, UPDATE, DELETE ON authhub.records, authhub.leases TO worker;
/// ```
///
/// The server must prove its host name with a certificate from an authority that the system trusts (`sslmode=verify-full`), unless the
/// connection string, `PGSSLMODE` or a service file sets another mode. Connections over a Unix socket or to a loopback address need no
/// certificate.
///
/// Connect to the server directly, or through a pooler in session mode, because prepared statements and `LISTEN` need a session. Every
/// change sends a notification, and the server commits such transactions one after the other. A database handles a few hundred changes per
/// second, or more with fast storage.
public final class PostgreSQLCredentialStore: Sendable {
    /// Limits on connections and times.
    public struct Limits: Sendable {
        /// The maximum number of connections, in addition to the one that listens for changes. At least 1; 8 by default.
        public var connections = 8
        /// The maximum time to wait for a free connection; 10 seconds by default.
        public var connectionWait = Duration.seconds(10)
        /// The time after which an unused connection is closed; 60 seconds by default.
        public var idle = Duration.seconds(60)
        /// The time after which the server cancels a statement; 5 seconds by default.
        public var statement = Duration.seconds(5)
        /// How long operations are retried if the server cannot be reached; 10 seconds by default.
        public var recovery = Duration.seconds(10)
        /// The time after which a lease expires if it is not renewed; 10 seconds by default. Leases are renewed after a third of this time.
        public var lease = Duration.seconds(10)

        /// Creates limits with their default values.
        public init() {}
    }

    let database: Database
    let keyring: CredentialKeyring
    let records: RecordStatements
    let leases: Leases
    let listener: Listener

    /// Creates a store in a database. Does not connect to the server.
    ///
    /// - Parameters:
    ///   - connection: The libpq connection string: `host=… dbname=… user=…`, or `postgresql://…`. If it contains no password, libpq reads
    ///     the password file. The connection string never appears in errors or logs.
    ///   - keyring: The keys of the records.
    ///   - schema: The schema of the tables: 1 to 40 characters from a–z, 0–9 and _.
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
    /// Creates the schema and its tables, or migrates them to this program's version. Calling this is optional, because the first use of
    /// the store does the same. Any number of programs can call it at the same time.
    ///
    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.tooNew` if a newer program created the tables, or with `.refused` if the
    ///   role lacks a privilege.
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
