public import AuthHubPrimitives

/// The key in a file whose absolute path is in `AUTHHUB_KEY_FILE`: 32 bytes, as in a ``KeyFile``.
///
/// This source never creates the key: a typo in the path, or a disk that is not mounted, should be reported and not start a new store.
public struct EnvironmentKeyFile: Sendable {
    public static let variable = "AUTHHUB_KEY_FILE"

    /// The path of the file; nil if the variable is not set.
    public let path: String?

    /// Creates a source from environment variables.
    ///
    /// - Parameter environment: Returns the value of a variable by its name. Called once, by this initializer.
    public init(environment: (String) -> String?) {
        path = environment(Self.variable).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Creates a source from the environment of this process.
    public init() {
        self.init(environment: processEnvironment)
    }
}

extension EnvironmentKeyFile: StoreKeySource {
    /// Returns the key.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable` if the variable is not set or the file is missing; with `.refused` if the
    ///   path is relative, if the file belongs to another owner, if others may read it, or if it is a symbolic link; with `.corrupt` if it
    ///   does not contain a key.
    public func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        guard let path else {
            throw CredentialStoreError(
                .unavailable, "The store's key comes from the file that \(Self.variable) names, and \(Self.variable) is not set. Set it.")
        }
        guard path.hasPrefix("/") else {
            throw CredentialStoreError(.refused, "\(Self.variable) has to be an absolute path; it is not. Put the whole path there.")
        }
        guard let key = try KeyFile(path: path).key(creatingIfMissing: false) else {
            let missing = MissingKeyFile(path: path)
            throw CredentialStoreError(.unavailable, missing.adviceForNewStore, underlying: missing)
        }
        return key
    }
}

/// An error for a missing file that `AUTHHUB_KEY_FILE` names.
struct MissingKeyFile: Error {
    let path: String

    private var problem: String { "\(EnvironmentKeyFile.variable) names \(path), which does not exist." }

    private var command: String { "(umask 077; head -c \(KeyFile.keyLength) /dev/urandom > \(path.shellWord))" }

    var adviceForNewStore: String { "\(problem) Correct the path, or create a key there: \(command)" }

    func advice(forRecordsIn folder: String) -> String {
        "\(problem) The records in \(folder) were sealed with another key than a new one would be: correct the path, or put the file back from a backup. If it is lost for good, so are the records; sign in again after: rm -r \(folder.shellWord) && \(command)"
    }
}
