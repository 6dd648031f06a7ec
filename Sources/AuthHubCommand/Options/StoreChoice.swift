import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

/// Where a person wants tokens to be kept, in a word on the command line or in `AUTHHUB_STORE`.
enum StoreChoice: Sendable {
    case automatic
    case kind(CredentialStoreKind)
    /// A folder for encrypted files.
    case folder(String)
    /// How to reach the database, as libpq takes it. Secret: it may hold a password where it comes from the environment.
    case postgreSQL(Secret<String>)

    private static let postgreSQLPrefix = "postgresql:"
    private static let kinds: [CredentialStoreKind] = [.secretService, .encryptedFile, .plainFile]

    /// Nil for a word that means nothing; a folder is no word.
    init?(word: String) {
        if word == "auto" {
            self = .automatic
        } else if let kind = Self.kinds.first(where: { $0.name == word }) {
            self = .kind(kind)
        } else if word.hasPrefix(Self.postgreSQLPrefix) {
            let isAddress = word.hasPrefix("\(Self.postgreSQLPrefix)//")
            self = .postgreSQL(Secret(isAddress ? word : String(word.dropFirst(Self.postgreSQLPrefix.count))))
        } else {
            return nil
        }
    }

    /// What `AUTHHUB_STORE` says.
    init(variable text: String) throws(CredentialStoreError) {
        if text.isEmpty {
            self = .automatic
        } else if text.hasPrefix("/") {
            self = .folder(text)
        } else if let choice = Self(word: text) {
            self = choice
        } else {
            throw CredentialStoreError(
                .unavailable, "AUTHHUB_STORE is neither an absolute path nor one of \(Self.words)")
        }
    }

    /// A word without the connection, which is nobody else's business.
    static func shown(_ word: String) -> String { word.hasPrefix(postgreSQLPrefix) ? "\(postgreSQLPrefix)CONNECTION" : word }

    static let words = "auto, secret-service, file, plain and postgresql:CONNECTION"
}
