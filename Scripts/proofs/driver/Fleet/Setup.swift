import AuthHub
import AuthHubPrimitives
import CredentialStorage
import Platform
import PostgreSQLCredentialStorage

extension FleetDriver {
    /// The first line of input: the identity of this process, and the servers and the store of the fleet.
    struct Setup: Decodable {
        /// The origin of the authorization server, which is also the origin of the API.
        let server: String
        /// The number of accounts.
        let accounts: Int
        /// The connection string for libpq, if the store is in PostgreSQL.
        var connection: String?
        var folder: String?
        /// The file with the 32 bytes of the key for the records in PostgreSQL.
        var key: String?
        /// The number of requests per second; if nil, it only signs in to all accounts.
        var rate: Double?
    }
}

extension FleetDriver.Setup {
    func store() throws -> any CredentialStore {
        if let connection, let key {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: key)))
            let keyring = try CredentialKeyring(current: CredentialKeyring.Key(id: "fleet", material: Secret(bytes)))
            return try PostgreSQLCredentialStore(connection: connection, keyring: keyring)
        }
        return ProofServer.store(in: folder ?? "")
    }
}

/// One line of output.
struct Line: Encodable {
    /// `ready`, `error` or `end`.
    let kind: String
    /// The time by the system's clock, in seconds.
    let at: Double
    var account: String?
    /// The codes of an error and of its underlying errors.
    var error: String?
    var explanation: String?
    /// The number of successful requests.
    var good: Int?
    /// The duration of the slowest of them, in seconds.
    var slowest: Double?
    /// The accounts that this process considers signed out.
    var signedOut: [String]?
}
