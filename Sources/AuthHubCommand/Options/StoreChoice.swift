import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

/// The user's choice of a store, in a word on the command line or in `AUTHHUB_STORE`.
enum StoreChoice: Sendable {
    case automatic
    case kind(CredentialStoreKind)
    /// A folder for encrypted files.
    case folder(String)
    /// The connection string of the database for libpq. It is secret: it may contain a password if it comes from the environment.
    case postgreSQL(Secret<String>)

    private static let postgreSQLPrefix = "postgresql:"
    private static let kinds: [CredentialStoreKind] = [.secretService, .encryptedFile, .plainFile]

    /// Creates a choice from a word; nil if it is unknown. A folder is not a word.
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

    /// Creates a choice from the value of `AUTHHUB_STORE`.
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

    /// Returns a word for messages, without the connection, which is private.
    static func shown(_ word: String) -> String { word.hasPrefix(postgreSQLPrefix) ? "\(postgreSQLPrefix)CONNECTION" : word }

    /// The words for the stores of this machine.
    static let namedWords = kinds.map(\.name)

    static let words = "auto, secret-service, file, plain and postgresql:CONNECTION"
}
