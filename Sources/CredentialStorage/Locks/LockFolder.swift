/// The locks of a store between processes: two files for each account, in a folder that only its owner may use.
///
/// With them, any store on this machine can exclude writers and lease holders of all processes; its records need not be files.
package struct LockFolder: Sendable {
    /// The maximum time that a writer waits for others. Each of them holds the lock for one write, but a few writes can take long on a busy
    /// machine or disk, and the value to write may be the only copy of a refreshed token.
    static let longestWriteWait = Duration.seconds(60)

    let path: String
    /// Creates the folder before its first lock.
    private let create: @Sendable () throws(CredentialStoreError) -> Void

    init(path: String, create: @escaping @Sendable () throws(CredentialStoreError) -> Void) {
        self.path = path
        self.create = create
    }

    /// Creates locks in a separate folder, which is created with its parents when it is first needed.
    package init(path: String) {
        self.init(path: path) { () throws(CredentialStoreError) in
            try FileSystem.makeFolders(path)
            try FileStatus.of(path)?.requirePrivateFolder(path)
        }
    }
}

extension LockFolder {
    private static let writeExtension = ".write"

    private func writePath(_ account: CredentialAccount.ID) -> String {
        "\(path)/\(account.bytes.hexadecimal)\(Self.writeExtension)"
    }

    /// Returns the mark that a writer of the account left, read without its lock; empty if there is none.
    package func mark(_ account: CredentialAccount.ID) throws(CredentialStoreError) -> [UInt8] {
        guard let file = try POSIXFile.open(writePath(account), to: .read) else { return [] }
        return try file.read(atMost: FileLock.markSize)
    }

    /// Returns all accounts that ever had a writer.
    package func writtenAccounts() throws(CredentialStoreError) -> [CredentialAccount.ID] {
        try FileSystem.names(in: path).compactMap { name in
            guard name.hasSuffix(Self.writeExtension) else { return nil }
            return CredentialAccount.ID(hexadecimal: name.dropLast(Self.writeExtension.count))
        }
    }

    /// Locks an operation that concerns the whole store.
    package func lock(
        named name: String, tooLate: (Int32?) -> CredentialStoreError
    ) async throws(CredentialStoreError) -> FileLock {
        let lock = try await FileLock.acquire(
            "\(path)/\(name)", waitingAtMost: Self.longestWriteWait, missingFolder: create, tooLate: tooLate)
        lock.sign()
        return lock
    }

    /// Locks the account's record against other writers.
    package func writeLock(_ account: CredentialAccount.ID) async throws(CredentialStoreError) -> FileLock {
        let lock = try await FileLock.acquire(
            writePath(account),
            isMarked: true,
            waitingAtMost: Self.longestWriteWait,
            missingFolder: create,
            notice: LockWait.current?.notify,
            tooLate: { .writeLockHeld(by: $0, waited: Self.longestWriteWait) })
        lock.sign()
        return lock
    }

    package func lease(_ account: CredentialAccount.ID, waitingAtMost timeout: Duration) async throws(CredentialStoreError)
        -> CredentialLease
    {
        let lock = try await FileLock.acquire(
            "\(path)/\(account.bytes.hexadecimal).lease",
            waitingAtMost: timeout,
            missingFolder: create,
            tooLate: { .leaseHeld(by: $0, waited: timeout) })
        lock.sign()
        return CredentialLease { lock.release() }
    }

    /// Locks the creation of the store's key; nil if another process holds the lock.
    package func keyLockIfFree() throws(CredentialStoreError) -> FileLock? {
        try FileLock.attempt("\(path)/key.write", missingFolder: create)
    }
}
