import AuthHub
import AuthHubPrimitives
import CredentialStorage
import PostgreSQLCredentialStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The first line of input: which process this is, and where the rest of the fleet is met.
struct Setup: Decodable {
    /// The origin of the authorization server, which is that of the API, too.
    let server: String
    /// How many accounts there are.
    let accounts: Int
    /// Where the store is: what libpq connects with, or a folder.
    var connection: String?
    var folder: String?
    /// The file with the 32 bytes that the records in PostgreSQL are sealed with.
    var key: String?
    /// How many requests to make in a second; none: only signs all accounts in.
    var rate: Double?
}

extension Setup {
    func store() throws -> any CredentialStore {
        if let connection, let key {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: key)))
            let keyring = try CredentialKeyring(current: CredentialKeyring.Key(id: "fleet", material: Secret(bytes)))
            return try PostgreSQLCredentialStore(connection: connection, keyring: keyring)
        }
        let folder = folder ?? ""
        return EncryptedFileStore(folder: folder + "/credentials", key: KeyFile(path: folder + "/credentials.key"))
    }
}

/// One line of output.
struct Line: Encodable {
    /// `ready`, `error` or `end`.
    let kind: String
    /// By the system's clock, in seconds.
    let at: Double
    var account: String?
    /// The codes of an error and of what lies under it.
    var error: String?
    var explanation: String?
    /// How many requests ended well.
    var good: Int?
    /// How long the slowest of them took, in seconds.
    var slowest: Double?
    /// Which accounts this process takes for signed out.
    var signedOut: [String]?
}
