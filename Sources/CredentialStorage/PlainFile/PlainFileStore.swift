public import AuthHubPrimitives

/// A store that keeps each record **unencrypted** in a separate file, in a folder that only its owner may use.
///
/// Anyone who can read the files has the tokens: programs of the same user, the administrator, and anyone who obtains a backup or the disk.
/// Use it only if something else protects the folder, or if it does not matter if the records become known.
///
/// In all other respects it is like ``EncryptedFileStore``: records are replaced atomically, writers and lease holders of all processes
/// exclude each other, files and folders of other owners, or with permissions for others, are rejected, and symbolic links are not
/// followed. Accidental damage is detected, and so is a restored older copy (``CredentialStoreError/Code/rolledBack``). There is no
/// protection against deliberate changes.
public struct PlainFileStore: Sendable {
    let files: RecordFiles<PlainForm>

    /// Creates a store in a folder. The folder is created by the first write; until then, nothing is accessed.
    ///
    /// - Parameter folder: An absolute path. The folder must not contain anything else.
    public init(folder: String) {
        self.init(folder: folder, reached: { _ in })
    }

    /// Creates a store with a hook for tests.
    ///
    /// - Parameter reached: Called at each step of writing and deleting; an error that it throws fails the step.
    package init(folder: String, reached: @escaping StorageStepHook) {
        files = RecordFiles(folder: StoreFolder(path: folder, overhead: PlainRecord.overhead), form: PlainForm(), reached: reached)
    }
}

extension PlainFileStore {
    /// The folder of the records, for messages to the user.
    package var location: String { files.folder.path }

    /// Reads the record of an account without suspending, for tools that need nothing else; nil if there is no record.
    ///
    /// - Throws: ``CredentialStoreError``, as ``CredentialStore/read(_:)`` does.
    public func readNow(_ account: CredentialAccount) throws(CredentialStoreError) -> StoredCredential? {
        try files.readNow(RecordName(account))?.credential
    }
}

extension PlainFileStore: CredentialStore {
    /// Reads the record of an account.
    ///
    /// - Throws: ``CredentialStoreError`` with `.corrupt`, `.rolledBack` or `.tooNew`, and the file is not changed; with `.refused` because
    ///   of its owner or mode, and for a record of an ``EncryptedFileStore``.
    @concurrent
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await files.read(RecordName(account))?.credential
    }

    /// Stores a record.
    ///
    /// - Throws: ``CredentialStoreError``; unless its code is `.failed`, the old record remains. With `.leaseHeld` if another writer does
    ///   not finish within a minute.
    @concurrent
    public func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try await files.write(payload, for: account, replacing: expected)
    }

    /// Removes a record. If the version is nil, a record that cannot be read is removed, too.
    @concurrent @discardableResult
    public func delete(
        _ account: CredentialAccount, at expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> Bool {
        try await files.delete(account, at: expected)
    }

    /// Writes a file slightly larger than the record next to it, and removes the file.
    @concurrent
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        try await files.prepareToWrite(for: account)
    }

    /// Leaves the file that ``prepareToWrite(for:)`` writes for the next write of the account's record to use. A file system that writes
    /// changed blocks to new locations, such as Btrfs, may still run out of space then.
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
    /// Returns the contents of the folder: the accounts of all records that can be opened, and for each of the others an error that names
    /// the file.
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
