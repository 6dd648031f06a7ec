public import AuthHubPrimitives

/// A store with one encrypted file per record, in a folder that only its owner can access.
///
/// Records are encrypted with AES-256-GCM and bound to their account. Files are replaced atomically: if a process dies during a write,
/// either the old record or the new one remains. Locks on files next to the records exclude concurrent writers and lease holders in all
/// processes. A lock file stays when its record is deleted. If a process dies, the operating system releases its locks.
///
/// Files and folders that belong to other users, or that other users can access, are rejected. Symbolic links are not followed.
///
/// Every write and deletion increments the record's generation. The highest generation is stored in the account's lock file, authenticated
/// with the store's key, and is also remembered in memory. Reading a record with a lower generation fails with
/// ``CredentialStoreError/Code/rolledBack``, because the record's refresh token may already have been used, and servers sign the user out
/// if a refresh token is used again. To recover, sign in again, or call ``CredentialStore/delete(_:at:)`` with nil.
///
/// The store detects a single record that was restored, from a backup or by a program that synchronizes folders between machines, even if
/// the record had been deleted. The store does not detect:
/// - a folder that was restored as a whole, including lock files, while no program had it open;
/// - records that were restored after the lock files had been removed, while no program had the folder open;
/// - a restored record after a power failure that lost the last generation, because generations are not synchronized to disk;
/// - a restored record that was deleted by an `EncryptedFileStore` value that never had the key.
///
/// A power failure or a crash can make a stored generation too low, but never too high. The store therefore never rejects a valid record
/// because of a power failure or a crash.
///
/// Network file systems are not tested. According to their specifications, on NFS 3 and later a rename replaces a file atomically, and
/// `fsync` waits for the server. On NFS, Linux implements `flock` with byte-range locks at the server, which exclude other machines unless
/// the file system is mounted with `nolock` or `local_lock`. The following problems are possible:
/// - Another machine may read the old record or the old generation for as long as its client caches names and attributes (3 to 60 seconds;
///   not with `noac`). Until then, that machine may reject a new record as an old one, or overwrite it with a superseded version.
/// - A machine that loses its connection loses its locks without being notified, so two machines may hold the same lease.
/// - Reading a file while another machine replaces it may fail (`ESTALE`).
///
/// If several machines share credentials, use a store that is made for that.
public struct EncryptedFileStore: Sendable {
    let files: RecordFiles<SealedForm>

    /// Creates a store in a folder. Does not access the folder; the first write creates it.
    ///
    /// - Parameters:
    ///   - folder: The absolute path of the folder. The folder must not contain anything else.
    ///   - key: The source of the key. If it is a ``KeyFile``, put that file outside the folder, so that a copy of the folder cannot be
    ///     decrypted.
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
    /// Opens two files and acquires no lock. Blocks while the key is requested from its source, if that has not happened before.
    ///
    /// - Throws: ``CredentialStoreError``, as ``CredentialStore/read(_:)`` does.
    package func readNow(_ account: CredentialAccount) throws(CredentialStoreError) -> StoredCredential? {
        try files.readNow(RecordName(account))?.credential
    }
}

extension EncryptedFileStore: CredentialStore {
    /// Reads and decrypts the record of an account; nil if the account has none.
    ///
    /// - Throws: ``CredentialStoreError``: `.corrupt`, `.rolledBack` or `.tooNew` if the record cannot be used (the file is not changed),
    ///   `.keyMissing` if the record's key is missing, `.refused` if the file has the wrong owner or mode, or the error of the key source.
    @concurrent
    public func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await files.read(RecordName(account))?.credential
    }

    /// Encrypts and stores a record, if the account's current version is `expected` (nil: no record).
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

    /// Checks whether a record could be written: gets the key, or creates it if this would be the store's first record; then writes a
    /// temporary file that is slightly larger than the record, and removes it.
    ///
    /// - Throws: ``CredentialStoreError``, including `.keyMissing` if the existing records use another key.
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

extension EncryptedFileStore: CredentialInventory {
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
