public import AuthHubPrimitives

/// Keeps each record in an encrypted file of its own, in a folder that only its owner may use.
///
/// Records are sealed with AES-256-GCM and bound to their account. A file is replaced as a whole: whoever dies at whatever point of a
/// write leaves the old record or the new one. Writers and lease holders of all processes exclude each other by locks on files beside
/// the records, which stay when a record is deleted; the system frees the lock of a process that died.
///
/// Files and folders of other owners, or open to others, are refused, and symbolic links are not followed.
public struct EncryptedFileStore: Sendable {
    let folder: StoreFolder
    let key: RecordKey
    let reached: StorageStepHook

    /// A store in a folder, which is made when it is first written to. Touches nothing yet.
    ///
    /// - Parameters:
    ///   - folder: An absolute path. Nothing else belongs into the folder.
    ///   - key: Where the key comes from; a ``KeyFile`` had better lie outside of the folder, so that a copy of it opens nothing.
    public init(folder: String, key: any StoreKeySource) {
        self.init(folder: folder, key: key, reached: { _ in })
    }

    /// - Parameter reached: Called at each step of writing and deleting; what it throws fails the step.
    package init(folder: String, key: any StoreKeySource, reached: @escaping StorageStepHook) {
        self.folder = StoreFolder(path: folder)
        self.key = RecordKey(source: key)
        self.reached = reached
    }
}

extension EncryptedFileStore {
    /// The folder of the records, to tell people where they are.
    package var location: String { folder.path }

    /// The record of an account, or nil where there is none, read without suspending: for tools that need nothing else.
    ///
    /// Opens one file and takes no lock.
    ///
    /// - Throws: ``CredentialStoreError``, as ``CredentialStore/read(_:)`` does.
    public func readNow(_ account: CredentialAccount) throws(CredentialStoreError) -> StoredCredential? {
        guard try folder.exists() else { return nil }
        return try open(RecordName(account))?.credential
    }

    func open(
        _ name: RecordName
    ) throws(CredentialStoreError) -> (account: CredentialAccount, credential: StoredCredential)? {
        guard let bytes = try folder.contents(name) else { return nil }
        let key = try key.forReading()
        do throws(CredentialStoreError) {
            return try SealedRecord.open(bytes, named: name, with: key)
        } catch {
            // The store may have been emptied, and filled again by another process with a key of its own.
            guard error.code == .corrupt, let newKey = try self.key.reload(), newKey != key else { throw error }
            return try SealedRecord.open(bytes, named: name, with: newKey)
        }
    }
}

extension EncryptedFileStore: CredentialStore {
    /// - Throws: ``CredentialStoreError`` with `.corrupt` or `.tooNew`, and the file is kept; with `.refused` for its owner or mode.
    @concurrent
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try readNow(account)
    }

    /// - Throws: ``CredentialStoreError``; unless it has the code `.failed`, the old record stands. With `.leaseHeld` where another writer
    ///   does not end within 10 seconds.
    @concurrent
    public func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try StoredCredential.checkSize(of: payload)
        let name = RecordName(account)
        _ = try folder.exists()
        let lock = try await folder.locks.writeLock(account.id)
        defer { lock.release() }
        try reached(.locked)
        let current = try readNow(account)
        guard current?.version == expected else { return .superseded(by: current) }
        try reached(.compared)
        let credential = StoredCredential(payload: payload, version: .unique())
        let key = try key.forWriting { () throws(CredentialStoreError) in try !folder.recordNames().isEmpty }
        try replace(name, with: SealedRecord.seal(credential, of: account, with: key))
        return .stored(credential.version)
    }

    /// With nil for the version, a record that cannot be read is removed, too.
    @concurrent @discardableResult
    public func delete(
        _ account: CredentialAccount, at expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> Bool {
        let name = RecordName(account)
        guard try folder.exists() else { return true }
        let lock = try await folder.locks.writeLock(account.id)
        defer { lock.release() }
        try reached(.locked)
        if let expected, let current = try readNow(account), current.version != expected { return false }
        try reached(.compared)
        try remove(name)
        return true
    }

    /// Writes a file of the record's size, and somewhat more, beside it, and removes it.
    @concurrent
    public func checkRoom(for account: CredentialAccount) async throws(CredentialStoreError) {
        let name = RecordName(account)
        _ = try folder.exists()
        let lock = try await folder.locks.writeLock(account.id)
        defer { lock.release() }
        try tryReplacing(name)
    }

    @concurrent
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        _ = try folder.exists()
        return try await folder.locks.lease(account.id, waitingAtMost: timeout)
    }
}
