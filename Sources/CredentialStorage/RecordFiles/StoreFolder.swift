/// The folder of a store: a file for each record, and a separate folder for the locks.
struct StoreFolder: Sendable {
    /// The maximum total length of an account's three names, in bytes.
    static let largestIdentity = 1 << 16

    let path: String
    /// The maximum size of a record's file, in bytes.
    let largestRecord: Int

    /// Creates the value for a path.
    ///
    /// - Parameter overhead: The maximum size of a record without the account and the payload, in bytes.
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
    /// Returns whether the folder exists.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if it belongs to another owner, or has permissions for others.
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

    /// Returns the bytes of a record's file, up to the limit; nil if there is none.
    func contents(_ name: RecordName, atMost limit: Int = .max) throws(CredentialStoreError) -> [UInt8]? {
        let path = recordPath(name)
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        let status = try file.status()
        try status.requirePrivateFile(path)
        guard status.size <= largestRecord else {
            throw CredentialStoreError(.corrupt, "\(path) is too large for a record; the file was not changed")
        }
        return try file.read(atMost: min(status.size, limit))
    }

    func recordNames() throws(CredentialStoreError) -> [RecordName] {
        try FileSystem.names(in: path).compactMap(RecordName.init(fileName:))
    }
}

extension CredentialAccount {
    /// ``identity``, if it is not too long for a record.
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
