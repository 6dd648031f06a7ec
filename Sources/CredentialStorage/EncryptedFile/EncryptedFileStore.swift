public import AuthHubPrimitives

/// A store that keeps each record in a separate encrypted file, in a folder that only its owner may use.
///
/// Records are encrypted with AES-256-GCM and bound to their account. A file is replaced atomically: a process that dies at any point of a
/// write leaves either the old or the new record. Writers and lease holders of all processes exclude each other with locks on files next to
/// the records, which remain when a record is deleted; the system frees the lock of a process that died.
///
/// Files and folders of other owners, or with permissions for others, are rejected, and symbolic links are not followed.
///
/// ## Restored old copies
/// Each write, and each deletion, increments the record's generation. The highest generation is stored, authenticated with the key, in the
/// lock file of the account, and the handle remembers it. A record below it fails with ``CredentialStoreError/Code/rolledBack``: its
/// refresh token may already have been used, and servers sign users out if a used one is presented again. ``CredentialStore/delete(_:at:)``
/// with nil helps, and so does signing in again. The check detects a record that was restored individually (from a backup, or by a program
/// that synchronizes folders between machines), even after a deletion.
///
/// The check does not detect: a folder that was restored as a whole, locks included, while no program had it open; records that were
/// restored while no program had the folder open, if the lock files were removed too; a record that was restored after a power failure that
/// lost the last mark (writing does not wait until a mark is durable, so a mark can only lag behind); a record that was restored after a
/// deletion by a handle that never had the key. A power failure or a crash alone never makes a good record count as an old one.
///
/// ## Network file systems
/// Network file systems are not tested. By their specifications, the following holds: on NFS 3 and later, a rename replaces the file
/// atomically, and `fsync` waits for the server. Linux maps `flock` to byte-range locks of the server there, which exclude other machines
/// unless the file system is mounted with `nolock` or `local_lock`. The following does not hold: another machine may read the old record,
/// or the old mark, for as long as its client caches names and attributes (3 to 60 seconds; `noac` disables the cache), so a record that
/// was just replaced may count as an old one, or a writer may continue from a version that was already replaced; a machine that loses its
/// connection loses its locks without notice, so two machines may hold a lease; reading a file while another machine replaces it may fail
/// (`ESTALE`). If several machines share credentials, use a store designed for that.
public struct EncryptedFileStore: Sendable {
    let files: RecordFiles<SealedForm>

    /// Creates a store in a folder. The folder is created by the first write; until then, nothing is accessed.
    ///
    /// - Parameters:
    ///   - folder: An absolute path. The folder must not contain anything else.
    ///   - key: The source of the key. Store a ``KeyFile`` outside the folder, so that a copy of the folder is useless without it.
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

    /// Reads the record of an account without suspending, for tools that need nothing else; nil if there is no record.
    ///
    /// Opens two files and takes no lock. Blocks for as long as the key source does, if it was not asked before.
    ///
    /// - Throws: ``CredentialStoreError``, as ``CredentialStore/read(_:)`` does.
    public func readNow(_ account: CredentialAccount) throws(CredentialStoreError) -> StoredCredential? {
        try files.readNow(RecordName(account))?.credential
    }
}

extension EncryptedFileStore: CredentialStore {
    /// Reads the record of an account.
    ///
    /// - Throws: ``CredentialStoreError`` with `.corrupt`, `.rolledBack` or `.tooNew`, and the file is not changed; with `.keyMissing` if
    ///   its key is missing; with `.refused` because of its owner or mode; rethrows errors of the key source.
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

    /// Looks up the key, and creates it if a first record would create it; then writes a file slightly larger than the record next to it,
    /// and removes the file.
    ///
    /// - Throws: ``CredentialStoreError``, including `.keyMissing` if the existing records were encrypted with another key.
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

extension EncryptedFileStore: CredentialInventory {
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
