public import AuthHubPrimitives
import Platform

/// The key that systemd passes to a service: 32 bytes in `$CREDENTIALS_DIRECTORY/authhub.key`.
///
/// In the unit, use `LoadCredentialEncrypted=authhub.key:/etc/example/authhub.key` with a file that `systemd-creds encrypt` wrote. Such a
/// file is bound to the machine's TPM if there is one. Alternatively, use `LoadCredential=` with an unencrypted file. The service reads the
/// key from memory that is not swapped and that no other user can access. This type never creates the key.
public struct CredentialsDirectoryKey: Sendable {
    /// The environment variable that systemd sets for the service (systemd.exec(5)).
    package static let variable = "CREDENTIALS_DIRECTORY"
    /// The name of the credential.
    package static let fileName = "authhub.key"

    /// The path of the file; nil if the variable is not set.
    package let path: String?

    /// - Parameter environment: Returns the value of a variable. Called once, by this initializer.
    package init(environment: (String) -> String?) {
        path = environment(Self.variable).flatMap { $0.isEmpty ? nil : "\($0)/\(Self.fileName)" }
    }

    /// Creates a key source from the environment of this process.
    public init() {
        self.init(environment: processEnvironment)
    }
}

extension CredentialsDirectoryKey: StoreKeySource {
    /// Returns the key. Never creates it.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable` if the variable is not set or names a folder without the file; with
    ///   `.refused` if the owner of the file is neither root nor the current user, or if other users can read or write it; with
    ///   `.corrupt` if the file does not contain a key.
    public func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        guard let path else {
            throw CredentialStoreError(
                .unavailable,
                "the store's key comes from $\(Self.variable)/\(Self.fileName), but \(Self.variable) is not set; run as the systemd service that loads the credential \(Self.fileName)"
            )
        }
        guard path.hasPrefix("/") else {
            throw CredentialStoreError(.refused, "\(Self.variable) is not an absolute path; systemd sets it, so do not set it yourself")
        }
        guard let file = try POSIXFile.open(path, to: .read) else {
            throw CredentialStoreError(
                .unavailable,
                "the service has no credential \(Self.fileName) (\(path)); load one in its unit: LoadCredentialEncrypted=\(Self.fileName):FILE"
            )
        }
        try file.status().requireCredential(path)
        return Secret(try KeyFile.checkedKey(file.read(atMost: KeyFile.keyLength + 1), path))
    }
}

extension FileStatus {
    /// Accepts the permissions that systemd sets: mode 0400, owned by the service's user; or owned by root, with the user in an access
    /// control list, whose mask appears as the group's permissions (0440).
    fileprivate func requireCredential(_ path: String) throws(CredentialStoreError) {
        guard isPlainFile else {
            throw CredentialStoreError(.refused, "\(path) is not a regular file; load the credential with systemd")
        }
        let other = FileProblem(
            problem: "\(path) belongs to user \(owner), neither to root nor to user \(geteuid()), who runs this program",
            advice: "load the credential with systemd")
        if let problem = problemOfOwner(path, .current, or: other) { throw problem.refusal }
        guard permissions & (owner == 0 ? 0o037 : 0o077) == 0 else {
            throw CredentialStoreError(
                .refused,
                "other users may access \(path) (mode \(mode)); load the credential with systemd, which sets mode 400"
            )
        }
    }
}
