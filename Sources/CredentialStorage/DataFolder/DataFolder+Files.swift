/// Files and folders that hold no secret, but decide where secrets are stored and sent: no other user may write to them.
extension DataFolder {
    /// Checks that a folder belongs to this user or root, and that no other user may write to it. A missing folder is accepted.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused`, even for a symbolic link.
    package static func check(_ folder: String) throws(CredentialStoreError) {
        try FileStatus.of(folder)?.requireTrustedFolder(folder)
    }

    /// Reads a file that belongs to this user or root, and that no other user may write to; nil if there is none.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused`, even for a symbolic link; with `.tooLarge` beyond the limit.
    package static func contents(of path: String, atMost limit: Int) throws(CredentialStoreError) -> [UInt8]? {
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        let status = try file.status()
        try status.requireTrustedFile(path)
        guard status.size <= limit else {
            throw CredentialStoreError(.tooLarge, "\(path) has \(status.size) bytes; at most \(limit) are read")
        }
        return try file.read(atMost: status.size)
    }

    /// Locks a file against other processes that change it. Creates its folder if it is missing.
    ///
    /// - Throws: ``CredentialStoreError`` with `.leaseHeld` if another process holds the lock for 60 s.
    package static func lock(_ path: String) async throws(CredentialStoreError) -> FileLock {
        try await FileLock.acquire(
            path + ".lock", waitingAtMost: LockFolder.longestWriteWait,
            missingFolder: { () throws(CredentialStoreError) in try FileSystem.makeFolders(FileSystem.parent(of: path)) },
            tooLate: { _ in CredentialStoreError(.leaseHeld, "another process is changing \(path)") })
    }

    /// Stores a file that only its owner may read, and creates its folder if it is missing.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(CredentialStoreError) {
        try FileSystem.makeFolders(FileSystem.parent(of: path))
        try FileSystem.replaceFile(path, with: bytes)
    }
}
