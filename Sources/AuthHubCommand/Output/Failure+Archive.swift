import CredentialStorage

extension Failure {
    /// Creates a failure from an error of an archive.
    ///
    /// - Parameter error: An error of reading or writing an archive: of its file or passphrase, or of the other store.
    init(archive error: CredentialStoreError) {
        guard error.isOfArchive else {
            self.init(error)
            return
        }
        switch error.code {
        case .cancelled: self.init(error)
        case .dismissed:
            self.init("passphrase_needed", .cancelled, error.explanation, hint: "run the same command again and enter the passphrase")
        case .locked: self.init("passphrase_needed", .failed, error.explanation, hint: "add --passphrase-file FILE")
        case .corrupt: self.init("archive_damaged", .failed, error.explanation, hint: "copy the file again from where you exported it")
        default:
            self.init(
                "archive_failed", .failed, error.explanation,
                hint: "nothing was changed; fix the problem and run the same command again")
        }
    }
}
