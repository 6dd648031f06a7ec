public import AuthHubPrimitives

/// Stores each record in its own encrypted file, in a folder that only its owner can access.
///
/// Records are encrypted with AES-256-GCM and bound to their account. A file is replaced atomically: a process that dies during a write
/// leaves the old record or the new one. Writers and lease holders of all processes exclude each other with locks on files next to the
/// records. Lock files stay when a record is deleted; the system frees the locks of a process that died.
///
/// Files and folders that belong to other users or are open to them are rejected, and symbolic links are not followed.
///
/// ## Restored old copies
/// Every write and deletion increments the record's generation. The highest generation is stored in the account's lock file, authenticated
/// with the key, and the store value remembers it. Reading a record with a lower generation fails with
/// ``CredentialStoreError/Code/rolledBack``, because its refresh token may already be used, and servers sign users out if it is used
/// again. To recover, sign in again, or call ``CredentialStore/delete(_:at:)`` with nil. This detects a single restored record (from a
/// backup, or by a program that synchronizes folders between machines), also after a deletion.
///
/// It does not detect a folder that was restored as a whole, including lock files, while no program had it open; records that were
/// restored after the lock files were removed, again while no program had it open; a restore after a power failure that lost the last
/// generation (generations are not synchronized to disk, and are only ever too low); a restore after a deletion by a store value that
/// never had the key. A power failure or a crash alone never makes a valid record count as an old one.
///
/// ## Network file systems
/// Not tested. According to their specifications, on NFS 3 and later a rename replaces the file atomically, and `fsync` waits for the
/// server. Linux turns `flock` into byte-range locks of the server there, which exclude other machines unless the file system is mounted
/// with `nolock` or `local_lock`. The following is not guaranteed: another machine may read the old record or the old generation for as
/// long as its client caches names and attributes (3 to 60 seconds; not with `noac`), so a record that was just replaced may count as an
/// old one, or be overwritten by a superseded version. A machine that loses its connection loses its locks without a notification, so two
/// may hold a lease. A file that is replaced while another machine reads it may cause an error (`ESTALE`). If several machines share
/// credentials, use a store made for that.
public struct EncryptedFileStore: Sendable {
    let files: RecordFiles<SealedForm>

    /// Creates a store in a folder. The folder is created by the first write; this initializer does not access it.
    ///
    /// - Parameters:
    ///   - folder: An absolute path. The folder must not contain anything else.
    ///   - key: The source of the key. Keep a ``KeyFile`` outside the folder, so that a copy of the folder cannot be decrypted.
    public init(folder: String, key: any StoreKeySource) {
        self.init(folder: folder, key: key, reached: { _ in })
    }

    /// Creates a store with a hook for tests.
    ///
    /// - Parameter reached: Called at each step of writing and deleting; an error that it throws fails the step.
    package init(folder: String, key: any StoreKeySource, reached: @escaping StorageStepHook) {
        let folder = StoreFolder(path: folder, overhead: SealedRecord.overhead)
        files = RecordFiles(folder: folder, form: SealedForm(folder: folder, keys: RecordKeys(source: key)), reached: reached)
    }

    var folder: StoreFolder { files.folder }
    var form: SealedForm { files.form }
}

extension EncryptedFileStore {
    /// The folder of the records, for messages to the user.
    package var location: String { folder.path }

    /// Returns the record of an account, or nil if there is none, without suspending. For tools that need nothing else.
    ///
    /// Opens two files and takes no lock. Blocks while the key source is asked, if it was not asked before.
    ///
    /// - Throws: ``CredentialStoreError``, as ``CredentialStore/read(_:)`` does.
    package func readNow(_ account: CredentialAccount) throws(CredentialStoreError) -> StoredCredential? {
        try files.readNow(RecordName(account))?.credential
    }
}

extension EncryptedFileStore: CredentialStore {
    /// - Throws: ``CredentialStoreError`` with `.corrupt`, `.rolledBack` or `.tooNew`, without changing the file; with `.keyMissing` if
    ///   its key is missing; with `.refused` for its owner or mode; the error of the key source.
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

    /// Gets the key, creating it if a first record would create it; then writes a temporary file of slightly more than the record's size
    /// next to it, and removes it.
    ///
    /// - Throws: ``CredentialStoreError``, including `.keyMissing` if the existing records use another key.
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

extension EncryptedFileStore: CredentialInventory {
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
