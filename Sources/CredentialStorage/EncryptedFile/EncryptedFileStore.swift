public import AuthHubPrimitives

/// Keeps each record in an encrypted file of its own, in a folder that only its owner may use.
///
/// Records are sealed with AES-256-GCM and bound to their account. A file is replaced as a whole: whoever dies at whatever point of a
/// write leaves the old record or the new one. Writers and lease holders of all processes exclude each other by locks on files beside
/// the records, which stay when a record is deleted; the system frees the lock of a process that died.
///
/// Files and folders of other owners, or open to others, are refused, and symbolic links are not followed.
///
/// ## An old copy that is put back
/// Each write counts up the record's generation, and so does deleting it. The highest one is put down, authenticated with the key, in the
/// lock file of the account, and is remembered by the handle. A record below it fails with ``CredentialStoreError/Code/rolledBack``: its
/// refresh token may be spent, and servers sign people out who show a spent one. ``CredentialStore/delete(_:at:)`` with nil helps, and
/// signing in again does. That finds a record that was put back by itself (from a backup, by a program that keeps folders alike on several
/// machines), also after a deletion.
///
/// It does not find a folder that was put back as a whole, locks included, while no program had it open; records put back when the lock files
/// were removed as well, again while no program had it open; what was put back after a power failure that cost the last mark (a mark is
/// not waited for until it is durable, and only ever lags); what was put back after a deletion by a handle that never had the key. A power
/// failure or a crash by itself never makes a good record count as an old one.
///
/// ## Network file systems
/// Not tested. What holds by their specifications: on NFS 3 and later a rename replaces the file as a whole, and `fsync` waits for the
/// server. Linux turns `flock` into byte-range locks of the server there, which exclude other machines unless the file system is mounted with
/// `nolock` or `local_lock`. What does not hold: another machine may read the old record, or the old mark, for as long as its client keeps names and
/// attributes (3 to 60 seconds; `noac` ends that), so that a record that was just replaced may count as an old one or be written on by a
/// version that has lost; a machine that loses its connection loses its locks without being told, so that two may hold a lease; a file
/// that is replaced while another machine reads it may give an error (`ESTALE`). Where several machines share credentials, use a store
/// made for that.
public struct EncryptedFileStore: Sendable {
    let files: RecordFiles<SealedForm>

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
        let folder = StoreFolder(path: folder, overhead: SealedRecord.overhead)
        files = RecordFiles(folder: folder, form: SealedForm(folder: folder, keys: RecordKeys(source: key)), reached: reached)
    }

    var folder: StoreFolder { files.folder }
    var form: SealedForm { files.form }
}

extension EncryptedFileStore {
    /// The folder of the records, to tell people where they are.
    package var location: String { folder.path }

    /// The record of an account, or nil where there is none, read without suspending: for tools that need nothing else.
    ///
    /// Opens two files and takes no lock. Blocks for as long as the source of the key does, where that was not asked yet.
    ///
    /// - Throws: ``CredentialStoreError``, as ``CredentialStore/read(_:)`` does.
    public func readNow(_ account: CredentialAccount) throws(CredentialStoreError) -> StoredCredential? {
        try files.readNow(RecordName(account))?.credential
    }
}

extension EncryptedFileStore: CredentialStore {
    /// - Throws: ``CredentialStoreError`` with `.corrupt`, `.rolledBack` or `.tooNew`, and the file is kept; with `.keyMissing` where its
    ///   key is not there; with `.refused` for its owner or mode; what the source of the key throws.
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

    /// Looks for the key, which is made where a first record would make it; writes a file of the record's size, and somewhat more, beside
    /// it, and removes it.
    ///
    /// - Throws: ``CredentialStoreError``, also with `.keyMissing` where the records there are of another key.
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

extension EncryptedFileStore: CredentialInventory {
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
