import AuthHubPrimitives
import CredentialStorage
import PlatformCredentialStorage

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The store that the tool keeps accounts in, by what `--store` and `AUTHHUB_STORE` say.
///
/// A folder in `AUTHHUB_STORE` says where files are, and that they are encrypted files unless `--store` says otherwise.
struct ToolStore: Sendable {
    static let service = "authhub"

    /// What the tool keeps besides credentials lies here, too.
    let folder: String
    /// The stores of this machine, with the one that was chosen.
    let platform: PlatformCredentialStore
    /// Nil for the stores of this machine.
    let database: Secret<String>?

    /// Whether `AUTHHUB_STORE` says anything.
    let isNamedByVariable: Bool
    private let passphrase: ToolPassphrase

    /// Reads nothing and makes nothing yet.
    init(_ choice: StoreChoice?, passphrase: ToolPassphrase = ToolPassphrase()) throws(CredentialStoreError) {
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
        self.passphrase = passphrase
        if case .folder(let path) = variable { folder = path } else { folder = try DataFolder.path(of: Self.service) }
        platform = PlatformCredentialStore(
            folder: folder,
            candidates: StoreCandidate.ofThisSystem(
                service: Self.service, folder: folder, asking: passphrase.asking, environment: processEnvironment),
            wanted: wanted, presumed: presumed)
        self.database = database
    }
}

extension ToolStore {
    static func open(_ options: StoreOptions) throws(Failure) -> any CredentialInventory {
        do {
            return try ToolStore(options.choice).store()
        } catch {
            throw Failure(error)
        }
    }

    /// Reads nothing and makes nothing yet.
    func store() throws(CredentialStoreError) -> any CredentialInventory {
        guard let database else { return platform }
        return try Self.postgreSQL(database)
    }

    /// Where the tokens are, to tell people.
    func place() throws(CredentialStoreError) -> String {
        guard database == nil else { return "PostgreSQL" }
        guard let kind = try platform.decision()?.kind else { return "not chosen yet" }
        return platform.candidates.first { $0.kind == kind }?.location ?? kind.name
    }

    static func place(_ options: StoreOptions) throws(Failure) -> String {
        do {
            return try ToolStore(options.choice).place()
        } catch {
            throw Failure(error)
        }
    }

    /// The encrypted files, where they are the store and `--store` is not in the words typed: they can be read without suspending.
    static func filesAtHand() -> EncryptedFileStore? {
        guard let store = try? ToolStore(nil), store.database == nil, (try? store.platform.decision()) == StoreDecision(.encryptedFile)
        else {
            return nil
        }
        return try? store.platform.store(of: .encryptedFile) as? EncryptedFileStore
    }

    /// Records and their key beside each other, as the default store has them.
    static func inFolder(_ folder: String) -> EncryptedFileStore {
        EncryptedFileStore(folder: "\(folder)/credentials", key: KeyFile(path: "\(folder)/credentials.key"))
    }

    /// The encrypted files, and where their key comes from.
    var files: EncryptedFilePlace {
        EncryptedFilePlace(
            service: Self.service, folder: folder, asking: passphrase.asking, environment: processEnvironment)
    }
}
