public import AuthHubPrimitives

/// Keeps each record **unencrypted**, in a file of its own, in a folder that only its owner may use.
///
/// Whoever can read the files has the tokens: programs of the same person, the administrator, and whoever gets hold of a backup or of the
/// disk. Take it only where something else guards the folder, or where nothing is lost with its records.
///
/// In everything else it is an ``EncryptedFileStore``: records are replaced as a whole, writers and lease holders of all processes exclude
/// each other, files and folders of other owners, or open to others, are refused, and symbolic links are not followed. Accidental damage is
/// found, and so is an older copy that was put back (``CredentialStoreError/Code/rolledBack``); against those who mean to, nothing here
/// helps.
public struct PlainFileStore: Sendable {
    let files: RecordFiles<PlainForm>

    /// A store in a folder, which is made when it is first written to. Touches nothing yet.
    ///
    /// - Parameter folder: An absolute path. Nothing else belongs into the folder.
    public init(folder: String) {
        self.init(folder: folder, reached: { _ in })
    }

    /// - Parameter reached: Called at each step of writing and deleting; what it throws fails the step.
    package init(folder: String, reached: @escaping StorageStepHook) {
        files = RecordFiles(folder: StoreFolder(path: folder, overhead: PlainRecord.overhead), form: PlainForm(), reached: reached)
    }
}

extension PlainFileStore {
    /// The folder of the records, to tell people where they are.
    package var location: String { files.folder.path }

    /// The record of an account, or nil where there is none, read without suspending: for tools that need nothing else.
    ///
    /// - Throws: ``CredentialStoreError``, as ``CredentialStore/read(_:)`` does.
    public func readNow(_ account: CredentialAccount) throws(CredentialStoreError) -> StoredCredential? {
        try files.readNow(RecordName(account))?.credential
    }
}

extension PlainFileStore: CredentialStore {
    /// - Throws: ``CredentialStoreError`` with `.corrupt`, `.rolledBack` or `.tooNew`, and the file is kept; with `.refused` for its owner or
    ///   mode, and for a record of an ``EncryptedFileStore``.
    @concurrent
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await files.read(RecordName(account))?.credential
    }

    /// - Throws: ``CredentialStoreError``; unless it has the code `.failed`, the old record stands. With `.leaseHeld` where another writer
    ///   does not end within a minute.
    @concurrent
    public func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try await files.write(payload, for: account, replacing: expected)
    }

    /// With nil for the version, a record that cannot be read is removed, too.
    @concurrent @discardableResult
    public func delete(
        _ account: CredentialAccount, at expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> Bool {
        try await files.delete(account, at: expected)
    }

    /// Writes a file of the record's size, and somewhat more, beside it, and removes it.
    @concurrent
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        try await files.prepareToWrite(for: account)
    }

    /// Leaves the file that ``prepareToWrite(for:)`` writes for the next write of the account's record to fill. A file system that writes changed
    /// blocks to new places, such as Btrfs, may still be full then.
    @concurrent
    public func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation {
        try await files.reserveRoom(for: account)
    }

    @concurrent
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await files.lease(account, waitingAtMost: timeout)
    }
}

extension PlainFileStore: CredentialInventory {
    /// What lies in the folder: the accounts of all records that open, and an error, naming the file, for each that does not.
    @concurrent
    public func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try await files.inventory(includingUnlisted: includingUnlisted)
    }

    @concurrent @discardableResult
    public func removeUnreadable() async throws(CredentialStoreError) -> Int {
        try await files.removeUnreadable()
    }
}
