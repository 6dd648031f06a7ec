import AuthHubTesting
import CredentialStorage
import Platform
import PostgreSQLCredentialStorage
import Testing

@Suite(.enabled("there is a PostgreSQL server here") { TestServer.isHere }, .timeLimit(.minutes(15)))
struct ContractTests {
    @Test(arguments: CredentialStoreContract.checks)
    func `the PostgreSQL store fulfils the contract`(check: CredentialStoreContract.Check) async throws {
        let place = try TestStore()
        try await check.run { try place.open() }
    }

    @Test(arguments: CredentialStoreContract.durabilityChecks)
    func `the PostgreSQL store survives crashes and faults`(check: CredentialStoreContract.DurabilityCheck) async throws {
        let place = try TestStore()
        try await place.open().migrate()
        try await check.run(with: means(place))
    }

    private func means(_ place: TestStore) -> CredentialStoreContract.Means {
        let (connection, schema) = (place.server.connection, place.schema)
        let steps = { (statements: [String]) in
            statements.flatMap { name in DatabaseStep.Moment.allCases.map { DatabaseStep(name, $0).description } }
        }
        return CredentialStoreContract.Means(
            // On a busy machine, the holder of a lease may be unable to renew it for some seconds.
            makeStore: { try place.open { $0.lease = .seconds(10) } },
            damage: { account in
                try place.query(
                    "UPDATE records SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) WHERE account = \(account.literal)")
            },
            makeNewer: { account in try place.query("UPDATE records SET format = 2 WHERE account = \(account.literal)") },
            dieWithLease: { account in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [connection = connection as String, schema = schema as String, server = server as String, label = label as String] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    let store = try PostgreSQLCredentialStore.inChild(connection, schema)
                    let lease = try await store.lease(account, waitingAtMost: .zero)
                    kill(getpid(), SIGKILL)
                    await lease.release()
                }
            },
            leaseOutlivesHolder: .seconds(10),
            writingSteps: steps(["look", "replace"]) + steps(["insert"]),
            deletingSteps: steps(["look", "delete"]),
            dieWriting: { payload, account, step in
                let (server, label) = (account.server, account.label)
                let version = try await place.open().read(account)?.version
                // The steps of an insertion do not occur in a replacement, and vice versa.
                let isReached = !step.hasPrefix(version == nil ? "replace" : "insert")
                await #expect(processExitsWith: isReached ? .signal(SIGKILL) : .success) {
                    [
                        connection = connection as String, schema = schema as String, server = server as String, label = label as String,
                        step = step as String, payload = payload as String
                    ] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    let version = try await PostgreSQLCredentialStore.inChild(connection, schema).read(account)?.version
                    let store = try PostgreSQLCredentialStore.inChild(connection, schema, dyingAt: step)
                    try await store.store(payload, for: account, replacing: version)
                }
            },
            dieDeleting: { account, step in
                let (server, label) = (account.server, account.label)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        connection = connection as String, schema = schema as String, server = server as String, label = label as String,
                        step = step as String
                    ] in
                    let account = CredentialAccount(server: server, clientID: "contract", label: label)
                    try await PostgreSQLCredentialStore.inChild(connection, schema, dyingAt: step).delete(account, at: nil)
                }
            })
    }
}

extension PostgreSQLCredentialStore {
    /// Creates the operations for a process that knows only the location of the store.
    static func inChild(_ connection: String, _ schema: String, dyingAt step: String = "") throws -> PostgreSQLCredentialStore {
        var limits = Limits()
        limits.lease = .seconds(10)
        return try PostgreSQLCredentialStore(
            connection: connection, keyring: .testing("first"), schema: schema, limits: limits, reached: dying(at: step))
    }
}
