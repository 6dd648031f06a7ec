public import AuthHubPrimitives

/// Stores each record **unencrypted**, in its own file, in a folder that only its owner can access.
///
/// Anyone who can read the files has the tokens: other programs of the same user, administrators, and anyone who gets a backup or the
/// disk. Use it only if something else protects the folder, or if the records are worthless.
///
/// Apart from that it works like an ``EncryptedFileStore``: records are replaced atomically, writers and lease holders of all processes
/// exclude each other, files and folders that belong to other users or are open to them are rejected, and symbolic links are not followed.
/// Accidental damage is detected, and so are restored older copies (``CredentialStoreError/Code/rolledBack``). There is no protection
/// against deliberate changes.
public struct PlainFileStore: Sendable {
    let files: RecordFiles<PlainForm>

    /// Creates a store in a folder. The folder is created by the first write; this initializer does not access it.
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

    /// Returns the record of an account, or nil if there is none, without suspending. For tools that need nothing else.
    ///
    /// - Throws: ``CredentialStoreError``, as ``CredentialStore/read(_:)`` does.
    package func readNow(_ account: CredentialAccount) throws(CredentialStoreError) -> StoredCredential? {
        try files.readNow(RecordName(account))?.credential
    }
}

extension PlainFileStore: CredentialStore {
    /// - Throws: ``CredentialStoreError`` with `.corrupt`, `.rolledBack` or `.tooNew`, without changing the file; with `.refused` for its
    ///   owner or mode, and for a record of an ``EncryptedFileStore``.
    @concurrent
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await files.read(RecordName(account))?.credential
    }

    /// - Throws: ``CredentialStoreError``. Unless the code is `.failed`, the old record is unchanged. With `.leaseHeld` if another writer
    ///   does not finish within a minute.
    @concurrent
    public func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try await files.write(payload, for: account, replacing: expected)
    }

    /// If the version is nil, deletes unreadable records, too.
    @concurrent @discardableResult
    public func delete(
        _ account: CredentialAccount, at expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> Bool {
        try await files.delete(account, at: expected)
    }

    /// Writes a temporary file of slightly more than the record's size next to it, and removes it.
    @concurrent
    public func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        try await files.prepareToWrite(for: account)
    }

    /// Keeps the file that ``prepareToWrite(for:)`` writes for the account's next write to use. A file system that writes changed blocks
    /// to new places, such as Btrfs, may still be full then.
    @concurrent
    public func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation {
        try await files.reserveRoom(for: account)
    }

    /// Acquires the lease with a lock file, which excludes holders in all processes.
    @concurrent
    public func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await files.lease(account, waitingAtMost: timeout)
    }
}

extension PlainFileStore: CredentialInventory {
    /// Lists the folder: the accounts of all readable records, and an error with the file's name for each unreadable one.
    @concurrent
    public func inventory(
        includingUnlisted: Bool
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try await files.inventory(includingUnlisted: includingUnlisted)
    }

    /// Removes the files of damaged records. Each is read again under its write lock first, because another writer may have replaced it.
    @concurrent @discardableResult
    public func removeUnreadable() async throws(CredentialStoreError) -> Int {
        try await files.removeUnreadable()
    }
}
