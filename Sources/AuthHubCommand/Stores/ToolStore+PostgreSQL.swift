import AuthHubPrimitives
import CredentialStorage

#if PostgreSQL
import PostgreSQLCredentialStorage
#endif

extension ToolStore {
    #if PostgreSQL
    /// The database, with the key that all machines share.
    static func postgreSQL(_ connection: Secret<String>) throws(CredentialStoreError) -> any CredentialInventory {
        let file = EnvironmentKeyFile(environment: processEnvironment)
        let directory = CredentialsDirectoryKey(environment: processEnvironment)
        let key =
            file.path == nil && directory.path != nil
            ? try directory.key(creatingIfMissing: false) : try file.key(creatingIfMissing: false)
        guard let key else {
            throw CredentialStoreError(
                .unavailable,
                "Records in the database are sealed with a key that all machines share. Put 32 random bytes into a file that only you can read, the same on all machines, and name it in AUTHHUB_KEY_FILE."
            )
        }
        let name = StoreKeyFingerprint(of: key).bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return try PostgreSQLCredentialStore(
            connection: connection.reveal(), keyring: CredentialKeyring(current: .init(id: name, material: key)))
    }
    #else
    static func postgreSQL(_ connection: Secret<String>) throws(CredentialStoreError) -> any CredentialInventory {
        throw CredentialStoreError(
            .unavailable, "This authhub was built without PostgreSQL. Build it with: swift build --traits PostgreSQL,AsyncHTTPClient")
    }
    #endif
}
