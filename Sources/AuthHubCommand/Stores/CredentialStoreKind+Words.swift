import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

extension CredentialStoreKind {
    /// A sentence for the user that says what it protects tokens against.
    var strength: String {
        switch self {
        case .secretService:
            "The keyring is encrypted with its own password, usually your login password. While it is unlocked, your programs can read it."
        case .encryptedFile: "The files are encrypted and as safe as their key."
        case .plainFile: "Nothing is encrypted: anyone who can read the files or a copy of them has the tokens."
        case .postgreSQL: "The tokens are encrypted before they reach the database, which never sees the keys."
        default: "This version of authhub does not support this store."
        }
    }

    /// The database, which is never chosen automatically, nor recorded.
    static let postgreSQL = Self(named: "postgresql")

    /// Whether users must be told that tokens are less protected than in a keyring.
    var isBelowKeyring: Bool { self == .encryptedFile || self == .plainFile }
}

extension StoreStanding {
    /// The output for `-o json`.
    var word: String {
        switch self {
        case .usable: "ready"
        case .needsPerson: "needs_user"
        case .absent: "not_there"
        case .unclear: "unclear"
        }
    }

    var words: String {
        switch self {
        case .usable: "ready"
        case .needsPerson(let reason): reason.code.description.codeInWords
        case .absent: "not available"
        case .unclear(let reason): reason.code.description.codeInWords
        }
    }

    var reason: CredentialStoreError? {
        switch self {
        case .usable: nil
        case .needsPerson(let reason), .absent(let reason), .unclear(let reason): reason
        }
    }
}

extension StoreChoiceReport.Origin {
    var words: String {
        switch self {
        case .named: "by name, with --store or AUTHHUB_STORE"
        case .recorded: "recorded by the first sign-in or store migrate"
        case .foundRecords: "because it holds records"
        case .next: "not yet: the next sign-in would choose it"
        }
    }
}
