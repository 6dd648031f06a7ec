import AuthHubPrimitives
import CredentialStorage
import Platform
import PostgreSQLCredentialStorage

/// A schema for one test on a server.
struct TestStore: Sendable {
    let server: TestServer
    let schema: String

    /// - Parameter server: The server; nil for the one that most tests share.
    init(on server: TestServer? = nil) throws {
        self.server = try server ?? TestServer.shared.get()
        schema = "t_\(randomBytes(count: 8).map { String($0 % 16, radix: 16) }.joined())"
    }

    /// Opens another store in the schema.
    func open(
        _ change: (inout PostgreSQLCredentialStore.Limits) -> Void = { _ in }, keyring: CredentialKeyring? = nil, connection: String? = nil,
        reached: @escaping DatabaseStepHook = { _, _, _ in }
    ) throws -> PostgreSQLCredentialStore {
        var limits = PostgreSQLCredentialStore.Limits()
        // Use few connections, because many tests share the machine.
        limits.connections = 4
        limits.statement = .seconds(30)
        limits.recovery = .seconds(60)
        limits.connectionWait = .seconds(60)
        change(&limits)
        return try PostgreSQLCredentialStore(
            connection: connection ?? server.connection, keyring: try keyring ?? .testing("first"), schema: schema, limits: limits,
            reached: reached)
    }

    @discardableResult
    func query(_ text: String) throws -> [[String?]] {
        try server.query("SET search_path = \(schema); \(text)")
    }
}

extension CredentialKeyring {
    static func testing(_ current: String, older: [String] = []) throws -> Self {
        try Self(current: .testing(current), older: older.map(Key.testing))
    }
}

extension CredentialKeyring.Key {
    static func testing(_ id: String) -> Self {
        Self(id: id, material: Secret(Array("\(id) key of the tests, long enough to be one".utf8)))
    }
}

extension CredentialAccount {
    static let octocat = Self(server: "https://server.example", clientID: "client", label: "octocat")
    static let hubot = Self(server: "https://server.example", clientID: "client", label: "hubot")

    var literal: String { "'\\x\(id.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())'" }
}

extension CredentialStore {
    /// Writes a string, and fails if a different version is stored.
    @discardableResult
    func store(
        _ text: String, for account: CredentialAccount, replacing expected: CredentialVersion? = nil
    ) async throws -> CredentialVersion {
        switch try await write(Secret(Array(text.utf8)), for: account, replacing: expected) {
        case .stored(let version): return version
        case .superseded: throw TestFailure("Another version stands there.")
        }
    }

    func text(of account: CredentialAccount) async throws -> String? {
        try await read(account).map { String(decoding: $0.payload.reveal(), as: UTF8.self) }
    }
}

/// The error of an operation; nil if it does not fail.
func failure(of work: () async throws(CredentialStoreError) -> Void) async -> CredentialStoreError? {
    do {
        try await work()
        return nil
    } catch {
        return error
    }
}

/// Returns a hook that exits the process at a step, as in a power failure.
func dying(at step: String) -> DatabaseStepHook {
    { reached, _, _ in if reached.description == step { kill(getpid(), SIGKILL) } }
}
