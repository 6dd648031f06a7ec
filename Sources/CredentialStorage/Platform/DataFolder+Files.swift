/// Files and folders that hold no secret, but decide what becomes of secrets: anyone else who may write there could decide it.
extension DataFolder {
    /// Checks that no other user but root owns a folder, or may write to it. One that is missing is fine.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused`, also for a symbolic link.
    package static func check(_ folder: String) throws(CredentialStoreError) {
        try FileStatus.of(folder)?.requireTrustedFolder(folder)
    }

    /// The bytes of a file that no other user but root owns, or may write to; nil if there is none.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused`, also for a symbolic link; with `.tooLarge` beyond the limit.
    package static func contents(of path: String, atMost limit: Int) throws(CredentialStoreError) -> [UInt8]? {
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        let status = try file.status()
        try status.requireTrustedFile(path)
        guard status.size <= limit else {
            throw CredentialStoreError(.tooLarge, "\(path) has \(status.size) bytes; at most \(limit) are read")
        }
        return try file.read(atMost: status.size)
    }

    /// Stores a file that only its owner may read, and creates its folder if it is missing.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(CredentialStoreError) {
        try FileSystem.makeFolders(FileSystem.parent(of: path))
        try FileSystem.replaceFile(path, with: bytes)
    }
}
