public import AuthHubPrimitives

/// A store with one **unencrypted** file per record, in a folder that only its owner can access.
///
/// Anyone who can read the files has the tokens: other programs of the same user, administrators, and anyone who gets a backup or the disk.
/// Use this store only if something else protects the folder, or if the records are worthless.
///
/// Apart from the encryption, it works like an ``EncryptedFileStore``: records are replaced atomically, concurrent writers and lease
/// holders in all processes exclude each other, files and folders that belong to other users or are open to them are rejected, and symbolic
/// links are not followed. Accidental damage and restored older copies (``CredentialStoreError/Code/rolledBack``) are detected. Deliberate
/// changes are not detected.
public struct PlainFileStore: Sendable {
    let files: RecordFiles<PlainForm>

    /// Creates a store in a folder. Does not access the folder; the first write creates it.
    ///
    /// - Parameter folder: The absolute path of the folder. The folder must not contain anything else.
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

    /// Returns the record of an account, or nil if there is none, without suspending. For tools that need nothing else.
    ///
    /// - Throws: ``CredentialStoreError``, as ``CredentialStore/read(_:)`` does.
    package func readNow(_ account: CredentialAccount) throws(CredentialStoreError) -> StoredCredential? {
        try files.readNow(RecordName(account))?.credential
    }
}

extension PlainFileStore: CredentialStore {
    /// Reads the record of an account; nil if the account has none.
    ///
    /// - Throws: ``CredentialStoreError``: `.corrupt`, `.rolledBack` or `.tooNew` if the record cannot be used (the file is not changed);
    ///   `.refused` if the file has the wrong owner or mode, or is a record of an ``EncryptedFileStore``.
    @concurrent
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await files.read(RecordName(account))?.credential
    }

    /// Stores a record, if the account's current version is `expected` (nil: no record).
    ///
    /// - Throws: ``CredentialStoreError``, with `.leaseHeld` if another writer does not finish within a minute. Unless the code is
    ///   `.failed`, the old record is unchanged.
    @concurrent
    public func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try await files.write(payload, for: account, replacing: expected)
    }

    /// Deletes a record if its version is `expected`. If `expected` is nil, deletes the record even if it cannot be read.
    @concurrent @discardableResult
    public func delete(
        _ account: CredentialAccount, at expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> Bool {
        try await files.delete(account, at: expected)
    }

    /// Checks whether a record could be written, by writing a temporary file that is slightly larger than the record, and removing it.
    @concurrent
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        try await files.prepareToWrite(for: account)
    }

    /// Checks the same as ``prepareToWrite(for:)``, but does not remove the temporary file, so that the account's next write can use its
    /// space. On a file system that writes changed blocks to new places, such as Btrfs, that write may still fail because the disk is full.
    @concurrent
    public func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation {
        try await files.reserveRoom(for: account)
    }

    /// Acquires the account's lease with a lock file, so that no other caller, in this or any other process, can hold it at the same time.
    @concurrent
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await files.lease(account, waitingAtMost: timeout)
    }
}

extension PlainFileStore: CredentialInventory {
    /// Lists the records in the folder: the account of each readable record, and an error with the file name of each unreadable one.
    @concurrent
    public func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try await files.inventory(includingUnlisted: includingUnlisted)
    }

    /// Removes the files of damaged records. Reads each file again under its write lock first, because another writer may have replaced it.
    @concurrent @discardableResult
    public func removeUnreadable() async throws(CredentialStoreError) -> Int {
        try await files.removeUnreadable()
    }
}
