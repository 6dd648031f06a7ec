import AuthHubPrimitives
import CredentialStorage

#if PostgreSQL
import PostgreSQLCredentialStorage
#endif

extension ToolStore {
    /// The variable with files of older keys that records in the database may still use: absolute paths separated by colons.
    static let olderKeysVariable = "AUTHHUB_OLDER_KEY_FILES"

    /// The source of the key that all machines share; nil if none is named.
    static var sharedKeySource: StoreKeyChoice? {
        if EnvironmentKeyFile(environment: processEnvironment).path != nil { return .keyFile }
        return CredentialsDirectoryKey(environment: processEnvironment).path == nil ? nil : .credentialsDirectory
    }

    #if PostgreSQL
    /// Returns the database, with the keys that all machines share.
    static func postgreSQL(_ connection: Secret<String>) throws(CredentialStoreError) -> any CredentialInventory {
        try database(connection)
    }

    /// Re-encrypts the records in the database with the current key.
    func reencrypt() async throws(CredentialStoreError) -> (done: Int, remaining: Int) {
        guard let database else { return (0, 0) }
        let state = try await Self.database(database).reencrypt()
        return (state.done, state.remaining)
    }

    /// A warning if a database server on the network does not have to prove its name; nil otherwise.
    var weakConnection: String? {
        guard let connection = database?.reveal(), let mode = (try? PostgreSQLCredentialStore.weakMode(of: connection)) ?? nil else {
            return nil
        }
        return
            "With sslmode=\(mode), the database server need not prove its identity, so an attacker on the network can impersonate it; use sslmode=verify-full"
    }

    private static func database(_ connection: Secret<String>) throws(CredentialStoreError) -> PostgreSQLCredentialStore {
        try PostgreSQLCredentialStore(connection: connection.reveal(), keyring: keyring())
    }

    private static func keyring() throws(CredentialStoreError) -> CredentialKeyring {
        do throws(CredentialStoreError) {
            let current = keyringKey(try currentKey())
            var older: [CredentialKeyring.Key] = []
            for key in try olderKeys().map(keyringKey) where key.id != current.id && !older.contains(where: { $0.id == key.id }) {
                older.append(key)
            }
            return try CredentialKeyring(current: current, older: older)
        } catch  where error.code == .corrupt {
            // A damaged key is not a problem of the records.
            throw CredentialStoreError(.keyMissing, error.explanation, underlying: error)
        }
    }

    private static func currentKey() throws(CredentialStoreError) -> Secret<[UInt8]> {
        let key =
            sharedKeySource == .credentialsDirectory
            ? try CredentialsDirectoryKey(environment: processEnvironment).key(creatingIfMissing: false)
            : try EnvironmentKeyFile(environment: processEnvironment).key(creatingIfMissing: false)
        guard let key else {
            throw CredentialStoreError(
                .unavailable,
                "records in the database are encrypted with a key that all machines share; write the same 32 random bytes on every machine into a file that only you can read, and name it in AUTHHUB_KEY_FILE"
            )
        }
        return key
    }

    private static func keyringKey(_ key: Secret<[UInt8]>) -> CredentialKeyring.Key {
        let name = StoreKeyFingerprint(of: key).bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return .init(id: name, material: key)
    }

    private static func olderKeys() throws(CredentialStoreError) -> [Secret<[UInt8]>] {
        var keys: [Secret<[UInt8]>] = []
        for path in (processEnvironment(olderKeysVariable) ?? "").split(separator: ":").map(String.init) {
            guard path.hasPrefix("/") else {
                throw CredentialStoreError(.refused, "\(olderKeysVariable) names \(path), which is not an absolute path; correct it")
            }
            guard let key = try KeyFile(path: path).key(creatingIfMissing: false) else {
                throw CredentialStoreError(.unavailable, "\(olderKeysVariable) names \(path), which does not exist; correct it")
            }
            keys.append(key)
        }
        return keys
    }
    #else
    static func postgreSQL(_ connection: Secret<String>) throws(CredentialStoreError) -> any CredentialInventory { throw notBuilt }

    func reencrypt() async throws(CredentialStoreError) -> (done: Int, remaining: Int) { throw Self.notBuilt }

    var weakConnection: String? { nil }

    private static var notBuilt: CredentialStoreError {
        CredentialStoreError(
            .unavailable, "This authhub was built without PostgreSQL. Build it with: swift build --traits PostgreSQL,AsyncHTTPClient")
    }
    #endif
}
