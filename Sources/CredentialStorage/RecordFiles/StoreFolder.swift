/// The folder of a store: a file for each record, and the locks in a folder of their own.
struct StoreFolder: Sendable {
    /// The longest that an account's three names may be together, in bytes.
    static let largestIdentity = 1 << 16

    let path: String
    /// No record's file is larger, in bytes.
    let largestRecord: Int

    /// - Parameter overhead: How many bytes a record has beside the account and the payload, at most.
    init(path: String, overhead: Int) {
        self.path = path
        largestRecord = overhead + Self.largestIdentity + StoredCredential.largestPayload
    }

    private var locksPath: String { "\(path)/locks" }

    var keyChangePath: String { "\(path)/key-change" }
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
            throw CredentialStoreError(.failed, "\(path) was removed a moment ago; try again")
        }
        try locks.requirePrivateFolder(locksPath)
    }

    /// The bytes of a record's file, or as many of them; nil where there is none.
    func contents(_ name: RecordName, atMost limit: Int = .max) throws(CredentialStoreError) -> [UInt8]? {
        let path = recordPath(name)
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        let status = try file.status()
        try status.requirePrivateFile(path)
        guard status.size <= largestRecord else {
            throw CredentialStoreError(.corrupt, "\(path) is larger than any record; it was not changed")
        }
        return try file.read(atMost: min(status.size, limit))
    }

    func recordNames() throws(CredentialStoreError) -> [RecordName] {
        try FileSystem.names(in: path).compactMap(RecordName.init(fileName:))
    }
}

extension CredentialAccount {
    /// ``identity``, where it is not too long for a record.
    var recordIdentity: [UInt8] {
        get throws(CredentialStoreError) {
            let identity = identity
            guard identity.count <= StoreFolder.largestIdentity else {
                throw CredentialStoreError(
                    .tooLarge, "the account's names have more than \(StoreFolder.largestIdentity) bytes; use shorter ones")
            }
            return identity
        }
    }
}
