#if PostgreSQL
public import CredentialStorage

/// A store that keeps credentials in PostgreSQL, for programs on any number of machines.
///
/// This program encrypts records before it sends them: the server, its copies and its administrators see which account was changed when, as
/// hashes, and the size of the records. Changes use compare-and-set. Leases decide which program refreshes a token: they are rows that
/// expire by the server's clock, so no client's clock matters, and they survive a restart of the server.
///
/// A holder that died keeps its lease until it expires, ``Limits/lease`` after its last renewal. The same applies to a holder that is
/// suspended or disconnected from the server: then another one may acquire the lease, and if both write, the store accepts only one of the
/// writes.
///
/// Broken connections are replaced, and operations that may be repeated are retried for ``Limits/recovery``, so that a restart or a
/// failover goes unnoticed. For failover, name all servers: `host=one,two`; only a server that accepts changes is used.
///
/// **Permissions.** The first use creates a schema with its tables, unless they exist, in a single transaction; that needs a role with
/// `CREATE` on the database, or an existing schema and a role that owns it. All other roles only need
///
/// ```sql
/// GRANT USAGE ON SCHEMA authhub TO worker;
/// GRANT SELECT ON authhub.schema_version TO worker;
/// GRANT SELECT, INSERT, UPDATE, DELETE ON authhub.records, authhub.leases TO worker;
/// ```
///
/// A server that is neither behind a Unix socket nor at a loopback address must prove its host name with a certificate
/// (`sslmode=verify-full`) from an authority that the system trusts, unless the connection string, `PGSSLMODE` or a service file chooses
/// another mode.
///
/// Connect to the server itself, or through a pooler in session mode: prepared statements and `LISTEN` need a session. Commits with
/// notifications are serialized by the server; a database handles a few hundred changes per second, more on a fast disk.
public final class PostgreSQLCredentialStore: Sendable {
    /// The resources of the server that a store may use, and its timeouts.
    public struct Limits: Sendable {
        /// The maximum number of connections, in addition to the one that listens for changes. At least 1.
        public var connections = 8
        /// The longest wait for a connection while all are in use.
        public var connectionWait = Duration.seconds(10)
        /// The time after which an idle connection is closed.
        public var idle = Duration.seconds(60)
        /// The timeout after which the server cancels a statement.
        public var statement = Duration.seconds(5)
        /// The time for which an operation is retried if the server cannot be reached.
        public var recovery = Duration.seconds(10)
        /// The time after which a lease expires if its holder has died. It is renewed whenever a third of this time has passed.
        public var lease = Duration.seconds(10)

        public init() {}
    }

    let database: Database
    let keyring: CredentialKeyring
    let records: RecordStatements
    let leases: Leases
    let listener: Listener

    /// Creates a store in a database, without connecting to it.
    ///
    /// - Parameters:
    ///   - connection: A connection string for libpq: `host=… dbname=… user=…`, or `postgresql://…`. If it contains no password, libpq
    ///     reads the password file. The string is never shown.
    ///   - keyring: The keys of the records.
    ///   - schema: The schema of the tables: 1 to 40 characters from a–z, 0–9 and _.
    /// - Throws: ``CredentialStorage/CredentialStoreError`` if a string or name is invalid.
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
    /// Creates the schema and its tables, or upgrades them to this program's version; the first use does the same. Any number of programs
    /// may do so concurrently.
    ///
    /// - Throws: ``CredentialStorage/CredentialStoreError`` with `.tooNew` if a newer program created them, with `.refused` if the role
    ///   lacks permission.
    @concurrent
    public func migrate() async throws(CredentialStoreError) {
        try await database.perform(.change) { _ in }
    }

    /// Returns the `sslmode` that the caller chose, if it does not require a server on the network to prove its name. Blocks while names
    /// are resolved.
    package static func weakMode(of connection: String) throws(CredentialStoreError) -> String? {
        try ConnectionString(connection).weakMode
    }

    /// The number of connections, and how many of them are idle.
    package var census: (all: Int, idle: Int) { database.pool.census }
}
#endif
