extension EncryptedFileStore {
    /// The folder of the records, to tell people where they are.
    package var location: String { folder.path }
}
