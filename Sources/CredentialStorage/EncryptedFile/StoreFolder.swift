/// The folder of a store: a file for each record, and the locks in a folder of their own.
struct StoreFolder: Sendable {
    let path: String

    private var locksPath: String { "\(path)/locks" }

    func recordPath(_ name: RecordName) -> String { "\(path)/\(name.record)" }
    func temporaryPath(_ name: RecordName) -> String { "\(path)/\(name.temporary)" }
    var locks: LockFolder { LockFolder(path: locksPath, create: create) }
}

extension StoreFolder {
    /// Whether the folder is there.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if it is another owner's, or open to others.
    func exists() throws(CredentialStoreError) -> Bool {
        guard let status = try FileStatus.of(path) else { return false }
        try status.requirePrivateFolder(path)
        return true
    }

    @Sendable func create() throws(CredentialStoreError) {
        try FileSystem.makeFolders(locksPath)
        guard try exists(), let locks = try FileStatus.of(locksPath) else {
            throw CredentialStoreError(.failed, "\(path) was removed a moment ago. Try again.")
        }
        try locks.requirePrivateFolder(locksPath)
    }

    /// The bytes of a record's file; nil where there is none.
    func contents(_ name: RecordName) throws(CredentialStoreError) -> [UInt8]? {
        let path = recordPath(name)
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        let status = try file.status()
        try status.requirePrivateFile(path)
        guard status.size <= SealedRecord.largestSize else {
            throw CredentialStoreError(.corrupt, "\(path) is larger than any record. It was kept.")
        }
        return try file.read(atMost: status.size)
    }

    func recordNames() throws(CredentialStoreError) -> [RecordName] {
        try FileSystem.names(in: path).compactMap(RecordName.init(fileName:))
    }
}
