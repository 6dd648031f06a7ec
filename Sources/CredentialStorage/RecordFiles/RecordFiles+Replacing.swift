extension RecordFiles {
    /// Replaces a record atomically. Needs the write lock.
    func replace(_ name: RecordName, with bytes: [UInt8]) throws(CredentialStoreError) {
        try replace(folder.recordPath(name), by: folder.temporaryPath(name), with: bytes)
    }

    /// Replaces a file atomically and durably. The caller must exclude others.
    func replace(_ path: String, by temporaryPath: String, with bytes: [UInt8]) throws(CredentialStoreError) {
        do {
            try writeTemporary(bytes, temporaryPath)
            try FileSystem.rename(temporaryPath, to: path)
        } catch {
            try? FileSystem.remove(temporaryPath)
            throw error
        }
        try reached(.renamed)
        try synchronizeFolder()
    }

    /// How much larger than the old record a new one is assumed to be.
    private static var growth: Int { 4_096 }

    /// Does the same as ``replace(_:with:)``, except for the actual replacement. Needs the write lock.
    func reserveFile(_ name: RecordName) throws(CredentialStoreError) {
        let length = min(try FileStatus.of(folder.recordPath(name))?.size ?? 0, folder.largestRecord) + Self.growth
        let temporaryPath = folder.temporaryPath(name)
        do {
            try writeTemporary([UInt8](repeating: 0, count: length), temporaryPath)
        } catch {
            try? FileSystem.remove(temporaryPath)
            throw error
        }
    }

    /// Writes to the file that was reserved, or that a killed writer left: its blocks are allocated even if the disk is full by now.
    private func writeTemporary(_ bytes: [UInt8], _ path: String) throws(CredentialStoreError) {
        let file = try openTemporary(path)
        try reached(.temporaryCreated)
        try file.write(bytes)
        try file.truncate(to: bytes.count)
        try reached(.temporaryWritten)
        try file.synchronize()
        try reached(.temporarySynchronized)
    }

    private func openTemporary(_ path: String) throws(CredentialStoreError) -> POSIXFile {
        if let status = try FileStatus.of(path) {
            if (try? status.requirePrivateFile(path)) != nil, let file = try? POSIXFile.open(path, to: .overwrite) { return file }
            try FileSystem.remove(path)
        }
        guard let file = try POSIXFile.open(path, to: .create) else {
            throw CredentialStoreError(.failed, "another program keeps creating \(path) without holding the lock; try again")
        }
        return file
    }

    /// Removes a record, and any file that a killed writer has left behind. Needs the write lock.
    func removeFiles(of name: RecordName) throws(CredentialStoreError) {
        try FileSystem.remove(folder.temporaryPath(name))
        try FileSystem.remove(folder.recordPath(name))
        try reached(.removed)
        try synchronizeFolder()
    }

    private func synchronizeFolder() throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            try FileSystem.synchronizeFolder(folder.path)
        } catch {
            throw CredentialStoreError(
                .failed,
                "the change was made but may not survive a power failure: \(error.explanation); read the record again before you continue",
                underlying: error.underlying)
        }
        try reached(.folderSynchronized)
    }
}
