public import AuthHubPrimitives

/// The key in the file whose absolute path is in the environment variable `AUTHHUB_KEY_FILE`: 32 bytes, as in a ``KeyFile``.
///
/// This type never creates the key. A wrong path or a disk that is not mounted is therefore an error, and does not start a new store.
public struct EnvironmentKeyFile: Sendable {
    /// The environment variable that holds the path.
    package static let variable = "AUTHHUB_KEY_FILE"

    /// The path of the file; nil if the variable is not set.
    package let path: String?

    /// - Parameter environment: Returns the value of a variable. Called once, by this initializer.
    package init(environment: (String) -> String?) {
        path = environment(Self.variable).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Creates a key source from the environment of this process.
    public init() {
        self.init(environment: processEnvironment)
    }
}

extension EnvironmentKeyFile: StoreKeySource {
    /// Returns the key. Never creates it.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable` if the variable is not set or the file is missing; with `.refused` if the
    ///   path is relative, or the file belongs to another user, is readable by others or is a symbolic link; with `.corrupt` if the file
    ///   does not contain a key.
    public func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        guard let path else {
            throw CredentialStoreError(
                .unavailable,
                "the store's key comes from the file that \(Self.variable) names, but \(Self.variable) is not set; set it to the file's path"
            )
        }
        guard path.hasPrefix("/") else {
            throw CredentialStoreError(.refused, "\(Self.variable) is not an absolute path; set it to the whole path")
        }
        guard let key = try KeyFile(path: path).key(creatingIfMissing: false) else {
            let missing = MissingKeyFile(path: path)
            throw CredentialStoreError(.unavailable, missing.adviceForNewStore, underlying: missing)
        }
        return key
    }
}

/// An error for a missing file that `AUTHHUB_KEY_FILE` names.
package struct MissingKeyFile: Error {
    let path: String

    private var problem: String { "\(EnvironmentKeyFile.variable) names \(path), which does not exist" }

    private var command: String { "(umask 077; head -c \(KeyFile.keyLength) /dev/urandom > \(path.shellWord))" }

    var adviceForNewStore: String { "\(problem); correct the path, or create a key there: \(command)" }

    package func advice(forRecordsIn folder: String) -> String {
        "\(problem); a new key would not decrypt the records in \(folder), so correct the path or restore the file from a backup; if the file is lost for good, so are the records: delete them and sign in again: rm -r \(folder.shellWord) && \(command)"
    }
}
