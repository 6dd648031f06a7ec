extension StoreCandidate {
    /// The stores that this system may have, in the order they are looked at.
    ///
    /// - Parameter folder: The service's data folder.
    package static func ofThisSystem(service: String, folder: String) -> [Self] {
        [.encryptedFile(folder: folder), .plainFile(folder: folder)]
    }

    static func encryptedFile(folder: String) -> Self {
        let records = "\(folder)/credentials"
        return Self(.encryptedFile, location: records) {
            EncryptedFileStore(folder: records, key: KeyFile(path: "\(records).key"))
        }
    }

    static func plainFile(folder: String) -> Self {
        let records = "\(folder)/plain-credentials"
        return Self(.plainFile, isAutomatic: false, location: records) { PlainFileStore(folder: records) }
    }
}
