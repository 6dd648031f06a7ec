/// The name of a record's files: a hash of the account, so that an account may have any characters.
package struct RecordName: Sendable, Hashable {
    private static let fileExtension = ".credential"

    let digest: [UInt8]

    init(_ account: CredentialAccount.ID) {
        digest = account.bytes
    }

    init(_ account: CredentialAccount) {
        self.init(account.id)
    }

    /// Parses a file name; nil for other files.
    package init?(fileName: String) {
        guard fileName.hasSuffix(Self.fileExtension) else { return nil }
        guard let account = CredentialAccount.ID(hexadecimal: fileName.dropLast(Self.fileExtension.count)) else { return nil }
        digest = account.bytes
    }

    var account: CredentialAccount.ID { CredentialAccount.ID(bytes: digest) }

    var record: String { digest.hexadecimal + Self.fileExtension }
    /// The temporary name, which is the same for each write, so that files of killed writers are replaced by the next write and do not
    /// accumulate.
    var temporary: String { digest.hexadecimal + ".new" }
}
