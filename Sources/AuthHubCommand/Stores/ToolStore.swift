import AuthHubPrimitives
import CredentialStorage
import Platform
import PlatformCredentialStorage

/// The store for the tool's accounts, according to `--store` and `AUTHHUB_STORE`.
///
/// A folder in `AUTHHUB_STORE` determines the location of files, and means encrypted files unless `--store` says otherwise.
struct ToolStore: Sendable {
    static let service = "authhub"

    /// The folder, which also contains the tool's other data.
    let folder: String
    /// The stores of this machine, including the chosen one.
    let platform: PlatformCredentialStore
    /// The connection to the database; nil for the stores of this machine.
    let database: Secret<String>?

    /// Whether `AUTHHUB_STORE` is set.
    let isNamedByVariable: Bool
    private let asking: PlatformAsking

    /// Creates the value, without reading or creating any files.
    init(_ choice: StoreChoice?, asking: PlatformAsking = ToolPassphrase().asking) throws(CredentialStoreError) {
        let variable = try StoreChoice(variable: processEnvironment("AUTHHUB_STORE") ?? "")
        var wanted: CredentialStoreKind?
        var presumed: CredentialStoreKind?
        var database: Secret<String>?
        switch choice ?? variable {
        case .automatic: break
        case .kind(let kind): wanted = kind
        case .folder: presumed = .encryptedFile
        case .postgreSQL(let connection): database = connection
        }
        if case .automatic = variable { isNamedByVariable = false } else { isNamedByVariable = true }
        self.asking = asking
        if case .folder(let path) = variable { folder = path } else { folder = try DataFolder.path(of: Self.service) }
        platform = PlatformCredentialStore(
            folder: folder,
            candidates: StoreCandidate.ofThisSystem(
                service: Self.service, folder: folder, asking: asking, environment: processEnvironment),
            wanted: wanted, presumed: presumed)
        self.database = database
    }
}

extension ToolStore {
    static func open(_ options: StoreOptions) throws(Failure) -> any CredentialInventory {
        try Failure.translating { try ToolStore(options.choice).store() }
    }

    /// Returns the store, without reading or creating any files.
    func store() throws(CredentialStoreError) -> any CredentialInventory {
        guard let database else { return platform }
        return try Self.postgreSQL(database)
    }

    /// Returns the location of the tokens, for messages.
    func place() throws(CredentialStoreError) -> String {
        guard database == nil else { return "PostgreSQL" }
        guard let kind = try platform.decision()?.kind else { return "not chosen yet" }
        return platform.candidates.first { $0.kind == kind }?.location ?? kind.name
    }

    static func place(_ options: StoreOptions) throws(Failure) -> String {
        try Failure.translating { try ToolStore(options.choice).place() }
    }

    /// Returns the encrypted files if they are the store and the arguments do not include `--store`: they can be read without suspending.
    static func filesAtHand() -> EncryptedFileStore? {
        guard let store = try? ToolStore(nil), store.database == nil, (try? store.platform.decision()) == StoreDecision(.encryptedFile)
        else {
            return nil
        }
        return try? store.platform.store(of: .encryptedFile) as? EncryptedFileStore
    }

    /// Returns a store with records and their key next to each other, as in the default store.
    static func inFolder(_ folder: String) -> EncryptedFileStore {
        EncryptedFileStore(folder: "\(folder)/credentials", key: KeyFile(path: "\(folder)/credentials.key"))
    }

    /// The encrypted files, with the source of their key.
    var files: EncryptedFilePlace {
        EncryptedFilePlace(
            service: Self.service, folder: folder, asking: asking, environment: processEnvironment)
    }
}
